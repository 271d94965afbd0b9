/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of the whole profile, and why they may be unknown. */
#ifndef MEMMON_TOTALS_H
#define MEMMON_TOTALS_H

#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Each figure: identifier, name, meaning, number, bytes.  BOTH makes the fields
 * NAME (bytes) and NAME_blocks; the meaning follows the word "bytes", or the
 * word that comes last, such as "blocks".  EACH makes NAME (a number) and
 * NAME_bytes.  NUMBER and SUM make a single field, a number or bytes.  c: the
 * total of p; a: its leaks.
 */
/* clang-format off */
#define TOTALS(BOTH, EACH, NUMBER, SUM) \
	MEASURES_KINDS(TOTALS_LEAK, BOTH) \
	BOTH(LEAKED, "leaked", "lost or indirectly lost", \
	     leak_leaked(a->blocks), leak_leaked(a->bytes), "blocks") \
	BOTH(KEPT, "kept", "not freed, and not suppressed", \
	     account_kept_blocks(c), account_kept(c), "blocks") \
	BOTH(SUPPRESSED, "suppressed", "not freed, and suppressed", \
	     c->hidden.blocks, c->hidden.bytes, "blocks") \
	BOTH(PEAK, "peak", "live at the peak", p->peak_blocks, p->peak, \
	     "blocks") \
	BOTH(UNSEARCHED, "unsearched", "that leak checks could not search", \
	     p->leak_unread.blocks, p->leak_unread.bytes, "places") \
	EACH(UNRECORDED, "unrecorded", "unrecorded allocations", \
	     p->lost, p->lost_bytes) \
	NUMBER(ALLOCS, "allocs", "blocks allocated", c->allocs, 0) \
	SUM(BYTES, "bytes", "bytes allocated", 0, c->bytes) \
	NUMBER(FREES, "frees", "blocks freed", c->frees, 0) \
	NUMBER(REALLOCS, "reallocs", "blocks made by realloc", p->reallocs, 0) \
	NUMBER(REFUSED, "refused", "allocations that failed", p->failed, 0) \
	NUMBER(CUT, "cut", "processes that were killed, or still ran", \
	       totals_runs(p, true), 0) \
	NUMBER(INCOMPLETE, "incomplete", "data files that are truncated", \
	       totals_runs(p, false), 0)
#define TOTALS_LEAK(BOTH, id, name, words, note) \
	BOTH(id, #name, words note, a->blocks[PROFILE_##id], \
	     a->bytes[PROFILE_##id], "blocks")
/* clang-format on */

enum totals_what {
#define T(id, ...) TOTALS_##id,
	TOTALS(T, T, T, T)
#undef T
};

/*
 * Set *n to the known part of a figure of p, in blocks or bytes.  Returns NULL,
 * or why the figure may be larger.
 */
const char *totals_figure(const struct profile *p, enum totals_what what,
			  bool blocks, uint64_t *n);

/* Why rows of queries may be incomplete; NULL: they are complete. */
const char *totals_doubt(const struct profile *p);

#endif
