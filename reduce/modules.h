/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program and its libraries, as far as the profile tells of them. */
#ifndef MEMMON_REDUCE_MODULES_H
#define MEMMON_REDUCE_MODULES_H

#include "reduce/load.h"
#include "reduce/stages.h"

/*
 * Set p's modules from m, which is merged; func.in is a number of both.  0, or
 * -1 when out of memory.
 */
int modules_make(struct profile *p, const struct mon *m);

#endif
