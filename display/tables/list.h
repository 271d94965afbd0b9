/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line for each data file: --list. */
#ifndef MEMMON_LIST_H
#define MEMMON_LIST_H

#include "display/text/settings.h"
#include "reduce/profile/profile.h"

#include <stdio.h>

/*
 * Print p->runs on out; what to do next as well if the list wasn't asked for.
 * 0, or -1 with *e set.
 */
int list_print(const struct profile *p, const struct options *o, FILE *out,
	       struct err *e);

#endif
