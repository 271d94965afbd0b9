/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Setting a struct err (profile.h). */
#ifndef MEMMON_REDUCE_ERR_H
#define MEMMON_REDUCE_ERR_H

#include "reduce/profile.h"

/* printf into *e, without a newline; text that is too long is cut.  -1. */
int err_set(struct err *e, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* "out of memory"; -1. */
int err_memory(struct err *e);

#endif
