/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line for each data file: --file-info=list. */
#ifndef MEMMON_LIST_H
#define MEMMON_LIST_H

#include "display/settings/settings.h"
#include "reduce/profile/profile.h"

#include <stdio.h>

/*
 * Print p->runs on out.  If the user did not ask for the list, also print what
 * to do next.  0, or -1 with *e set.
 */
int list_print(const struct profile *p, const struct options *o, FILE *out,
	       struct err *e);

#endif
