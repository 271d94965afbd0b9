/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nested or overlapping ranges of addresses, and the flat ranges made from
 * them, where one binary search finds the range of an address.
 */
#ifndef MEMMON_SYMBOLS_SPAN_H
#define MEMMON_SYMBOLS_SPAN_H

#include <stddef.h>
#include <stdint.h>

/* [start, end) belongs to `item', a number of the caller. */
struct symbols_span {
	uint64_t start;
	uint64_t end;
	uint32_t rank; /* of several with the same start, the highest wins */
	uint32_t item;
};

/* All zero is empty.  Once flat: sorted by start, none overlap. */
struct symbols_spans {
	struct symbols_span *v;
	size_t n;
	size_t room;
};

/* Ignores an empty range. */
void symbols_spans_add(struct symbols_spans *s, struct symbols_span span);

/*
 * Make the ranges flat.  Where several cover an address, the one that starts
 * last wins, then the one of highest rank.  O(n log n).
 */
void symbols_spans_flatten(struct symbols_spans *s);

/* The range that covers the address, or NULL.  s must be flat.  O(log n). */
const struct symbols_span *symbols_spans_find(const struct symbols_spans *s,
					      uint64_t addr);

void symbols_spans_fini(struct symbols_spans *s);

#endif
