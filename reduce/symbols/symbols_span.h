/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranges of addresses, nested or overlapping, made into ranges side by side,
 * so that one binary search tells what is at an address.
 */
#ifndef MEMMON_SYMBOLS_SPAN_H
#define MEMMON_SYMBOLS_SPAN_H

#include <stddef.h>
#include <stdint.h>

/* [start, end) belongs to `item', the caller's number of something. */
struct symbols_span {
	uint64_t start;
	uint64_t end;
	uint32_t rank; /* among those of one start the highest wins */
	uint32_t item;
};

/* All zero is empty.  Once flat: sorted by start, none overlap. */
struct symbols_spans {
	struct symbols_span *v;
	size_t n;
	size_t room;
};

/* An empty range is passed over.  0, or -1 when out of memory. */
int symbols_spans_add(struct symbols_spans *s, struct symbols_span span);

/*
 * Where several cover an address, the one that starts last wins, then the one
 * of highest rank.  O(n log n).  0, or -1 when out of memory.
 */
int symbols_spans_flatten(struct symbols_spans *s);

/* The range that covers the address, or NULL.  Flat ones only.  O(log n). */
const struct symbols_span *symbols_spans_find(const struct symbols_spans *s,
					      uint64_t addr);

void symbols_spans_fini(struct symbols_spans *s);

#endif
