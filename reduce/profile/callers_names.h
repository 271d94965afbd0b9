/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of functions and types in what modules say. */
#ifndef MEMMON_CALLERS_NAMES_H
#define MEMMON_CALLERS_NAMES_H

#include "reduce/base/arena.h"
#include "reduce/model/findings.h"

/*
 * Texts of places and of cells get mangled names as other tables have them.  0,
 * or -1 when out of memory.
 */
int callers_names(struct findings *r, struct arena *a);

#endif
