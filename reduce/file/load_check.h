/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a file lacks of what it says. */
#ifndef MEMMON_REDUCE_LOAD_CHECK_H
#define MEMMON_REDUCE_LOAD_CHECK_H

#include "reduce/file/items.h"

/*
 * Keep a warning on the file of m, as printf.  0, or -1 when out of memory.
 */
int load_warn(struct mon *m, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Find out what isn't there, after items_finish(): set incomplete, the
 * *_known and the warnings of it->mon.  p is the file, `at' the offset behind
 * what was read of it; whole: the last record was read.  0, or -1 when out of
 * memory.
 */
int load_check(struct items *it, const unsigned char *p, size_t at, bool whole);

#endif
