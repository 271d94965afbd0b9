/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of the whole profile, and whether they are known. */
#ifndef MEMMON_TOTALS_H
#define MEMMON_TOTALS_H

#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Each figure: identifier, name, meaning, how many, how many bytes.  BOTH have
 * fields NAME, bytes, and NAME_blocks; EACH NAME, how many, and NAME_bytes;
 * NUMBER and SUM one field, how many or bytes.  c are p's counts, a its leaks.
 */
/* clang-format off */
#define TOTALS(BOTH, EACH, NUMBER, SUM) \
	BOTH(LOST, "lost", "bytes to which nothing points (leak check)", \
	     a->blocks[PROFILE_LOST], a->bytes[PROFILE_LOST]) \
	BOTH(INDIRECT, "indirect", "bytes to which only lost blocks point", \
	     a->blocks[PROFILE_INDIRECT], a->bytes[PROFILE_INDIRECT]) \
	BOTH(INTERIOR, "interior", \
	     "bytes reached, but somewhere by inside only", \
	     a->blocks[PROFILE_INTERIOR], a->bytes[PROFILE_INTERIOR]) \
	BOTH(REACHABLE, "reachable", "bytes reached by their start", \
	     a->blocks[PROFILE_REACHABLE], a->bytes[PROFILE_REACHABLE]) \
	BOTH(LEAKED, "leaked", "bytes lost or indirect", \
	     amount_leaked(a->blocks), \
	     amount_leaked(a->bytes)) \
	BOTH(KEPT, "kept", "bytes not freed, without those suppressed", \
	     amount_kept_blocks(c), amount_kept(c)) \
	BOTH(SUPPRESSED, "suppressed", \
	     "bytes not freed that suppressions cover", \
	     amount_hidden(c).blocks, amount_hidden(c).bytes) \
	BOTH(PEAK, "peak", "the most bytes that were live at one time", \
	     p->peak_blocks, p->peak) \
	BOTH(UNSEARCHED, "unsearched", \
	     "bytes that leak checks could not search, _blocks: places", \
	     p->leak_unread.blocks, p->leak_unread.bytes) \
	EACH(UNRECORDED, "unrecorded", "allocations not recorded", \
	     p->lost, p->lost_bytes) \
	NUMBER(ALLOCS, "allocs", "blocks allocated", amount_allocs(c), 0) \
	SUM(BYTES, "bytes", "bytes allocated", 0, amount_bytes(c)) \
	NUMBER(FREES, "frees", "blocks freed", amount_frees(c), 0) \
	NUMBER(REALLOCS, "reallocs", "blocks made by realloc", p->reallocs, 0) \
	NUMBER(REFUSED, "refused", "allocations that failed", p->failed, 0) \
	NUMBER(CUT, "cut", "processes killed without a word, or running", \
	       runs(p, true), 0) \
	NUMBER(INCOMPLETE, "incomplete", "data files that are cut short", \
	       runs(p, false), 0)
/* clang-format on */

enum totals_what {
#define T(id, ...) TOTALS_##id,
	TOTALS(T, T, T, T)
#undef T
};

/*
 * Set *n to a figure of p, its blocks or its bytes, as far as it is known.
 * NULL, or why there may be more of it.
 */
const char *totals_figure(const struct profile *p, enum totals_what what,
			  bool blocks, uint64_t *n);

/* Why rows of queries may lack something; NULL: they don't. */
const char *totals_doubt(const struct profile *p);

#endif
