/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classes of C++ by the tables of virtual functions that their objects begin
 * with.
 */
#ifndef MEMMON_REDUCE_VTABLES_H
#define MEMMON_REDUCE_VTABLES_H

#include "reduce/objects/exe.h"

/*
 * Which class has each of m's vtables?  *classes gets as
 * many names, to be freed; the names go to a, and are NULL of addresses that
 * are in no such table.  x has found the modules' files.  0, or -1 when out
 * of memory.
 */
int vtables_find(const char ***classes, struct arena *a, const struct mon *m,
		 const struct exe *x);

#endif
