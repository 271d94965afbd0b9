/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of functions and types in the texts of profiling modules. */
#ifndef MEMMON_CALLERS_NAMES_H
#define MEMMON_CALLERS_NAMES_H

#include "reduce/base/arena.h"
#include "reduce/model/findings.h"

/*
 * Replace mangled names in texts of places and cells by the names that other
 * tables show.
 */
void callers_names(struct findings *r, struct arena *a);

#endif
