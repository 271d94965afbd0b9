/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Classes of C++, from the virtual tables that their objects point to. */
#ifndef MEMMON_REDUCE_VTABLES_H
#define MEMMON_REDUCE_VTABLES_H

#include "reduce/binaries/exe.h"

/*
 * Find the class of each of m's vtables.  *classes: an array of names, to be
 * freed; the names are in a.  A name is NULL if its address is in no virtual
 * table.  x knows the modules' files.
 */
void vtables_find(const char ***classes, struct arena *a, const struct mon *m,
		  const struct exe *x);

#endif
