/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of the whole profile, and whether they are known. */
#ifndef MEMMON_TOTALS_H
#define MEMMON_TOTALS_H

#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stdint.h>

/* Those up to the peak, and unrecorded, are blocks and bytes. */
enum totals_what {
	TOTALS_LOST,
	TOTALS_INDIRECT,
	TOTALS_INTERIOR,
	TOTALS_REACHABLE,
	TOTALS_LEAKED, /* lost or indirect */
	TOTALS_KEPT,
	TOTALS_PEAK,
	TOTALS_UNRECORDED,
	TOTALS_ALLOCS,
	TOTALS_BYTES, /* all others are numbers, which stand as blocks */
	TOTALS_FREES,
	TOTALS_REALLOCS,
	TOTALS_REFUSED,
	TOTALS_CUT,
	TOTALS_INCOMPLETE
};

/* A figure of p, of what is known; NULL, or why there may be more of it. */
const char *totals_figure(const struct profile *p, enum totals_what what,
			  bool blocks, uint64_t *n);

/* Why rows may be more, or others, than what is known; NULL: they aren't. */
const char *totals_doubt(const struct profile *p);

#endif
