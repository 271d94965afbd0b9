/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks of a log, which views.h describes. */
#ifndef MEMMON_REDUCE_LOG_EACH_H
#define MEMMON_REDUCE_LOG_EACH_H

#include "reduce/base/err.h"
#include "reduce/model/result.h"

/*
 * Call f for each block of p->log that the filter keeps, in its state at the
 * profile's time; of a span, for each block allocated in it.  Freed blocks come
 * first, roughly in the order of their frees, then live ones.  It stops when f
 * returns another value than 0, and returns that value.  Otherwise 0, or -1
 * with *e set if the log is missing or can't be read.  _all: for blocks of all
 * times.
 */
int profile_log_each(const struct profile *p,
		     int (*f)(void *arg, const struct block *b), void *arg,
		     struct err *e);
int profile_log_all(const struct profile *p,
		    int (*f)(void *arg, const struct block *b), void *arg,
		    struct err *e);

#endif
