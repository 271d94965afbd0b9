/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Print all tables. */
#ifndef MEMMON_DISPLAY_TABLES_H
#define MEMMON_DISPLAY_TABLES_H

#include "display/settings/settings.h"
#include "reduce/profile/profile.h"

#include <stdio.h>

/*
 * Print the tables that o asks for, with a form feed between tables.  0, or -1
 * with *e set: unknown symbol, or out of memory.
 */
int tables_print(const struct profile *p, const struct options *o, FILE *out,
		 struct err *e);

#endif
