/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compare a file with its own totals, and warn about what is missing. */
#ifndef MEMMON_REDUCE_LOAD_CHECK_H
#define MEMMON_REDUCE_LOAD_CHECK_H

#include "reduce/monout/items.h"

/* Add a warning about the file of m, with a format as for printf. */
void load_warn(struct mon *m, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Find out what is missing, after items_finish(): set incomplete, the *_known
 * fields and the warnings of it->mon.  p is the file, `at' the offset at which
 * reading ended; whole: the last record was read.
 */
void load_check(struct items *it, const unsigned char *p, size_t at,
		bool whole);

#endif
