/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All the tables, one after the other. */
#ifndef MEMMON_DISPLAY_TABLES_H
#define MEMMON_DISPLAY_TABLES_H

#include "display/text/settings.h"
#include "reduce/profile/profile.h"

#include <stdio.h>

/*
 * Print what o asks for of p on out, with a form feed between tables.  0, or -1
 * with *e set: a symbol that isn't there, or no memory.
 */
int tables_print(const struct profile *p, const struct options *o, FILE *out,
		 struct err *e);

#endif
