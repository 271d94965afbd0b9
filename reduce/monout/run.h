/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a file says about its run, as text (struct run, profile.h). */
#ifndef MEMMON_REDUCE_RUN_H
#define MEMMON_REDUCE_RUN_H

#include "reduce/base/arena.h"
#include "reduce/monout/mon.h"
#include "reduce/model/result.h"

/*
 * Fill *r from m.  Strings are allocated in a; control characters in them
 * become `?'.
 */
void run_fill(struct run *r, struct arena *a, const struct mon *m);

#endif
