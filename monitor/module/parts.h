/* SPDX-License-Identifier: MIT */
/*
 * An access's bytes divided among workers, for MEMMON_BY_ADDRESS: the words
 * that an access finds, and the words that it sets.  Part of memmon_module.h.
 */
#ifndef MEMMON_MODULE_PARTS_H
#define MEMMON_MODULE_PARTS_H

#include "monitor/module/shadow.h"

/* Bytes from `at' on, up to the end of the line or to `end'. */
static inline __attribute__((always_inline)) uint64_t
memmon_part(uint64_t at, uint64_t end)
{
	uint64_t line = (at | (MEMMON_LINE - 1)) + 1;

	return (end < line ? end : line) - at;
}

/*
 * Do these n bytes belong to another worker, and end where a line of this
 * worker's begins?  Their last word tells whether a run goes on in that line.
 */
static inline __attribute__((always_inline)) bool
memmon_at_edge(const struct memmon_batch *b, uint64_t at, uint64_t n)
{
	return !((at + n) & (MEMMON_LINE - 1)) &&
	       memmon_mine_address(b, at + n);
}

/* A run of bytes of an access that all have one word. */
struct memmon_run {
	uint64_t at, n, word;
	uint64_t start, end; /* of the access */
};

/*
 * for each run r of bytes with one word, not 0, among the `size' bytes at
 * `address', if the run begins at a byte of this worker's.
 */
#define memmon_each_mine(r, s, b, address, size) \
	for (struct memmon_run r = { (address), 0, 0, (address), \
				     (address) + (size) }; \
	     (r.at += r.n) < r.end && memmon_run_next(s, b, &r);)

static __attribute__((noinline, unused)) bool
memmon_run_next(struct memmon_bytes *s, const struct memmon_batch *b,
		struct memmon_run *r)
{
	do {
		uint64_t before = 0;

		r->n = r->end - r->at;
		if (b->workers > 1) {
			r->n = memmon_part(r->at, r->end);
			if (!memmon_mine_address(b, r->at))
				continue;
			/*
			 * A run that began in the line before belongs to that
			 * line.
			 */
			if (!(r->at & (MEMMON_LINE - 1)) && r->at > r->start)
				before = memmon_bytes_get(s, r->at - 1);
		}
		r->n = memmon_bytes_run(s, r->at, r->n, &r->word);
		if (r->word && r->word != before)
			return true;
	} while ((r->at += r->n) < r->end);
	return false;
}

/* Set the words of those of the `size' bytes that are this worker's. */
static __attribute__((noinline, unused)) void
memmon_set_mine(struct memmon_bytes *s, const struct memmon_batch *b,
		uint64_t address, uint64_t size, uint64_t v)
{
	uint64_t n;

	for (uint64_t at = address, end = at + size; at < end; at += n) {
		n = b->workers > 1 ? memmon_part(at, end) : size;
		if (memmon_mine_address(b, at))
			memmon_bytes_set(s, at, n, v);
		else if (memmon_at_edge(b, at, n))
			memmon_bytes_set(s, at + n - 1, 1, v);
	}
}

#endif
