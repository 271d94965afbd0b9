/* SPDX-License-Identifier: MIT */
/* Counts in consecutive granules. */
#include "monitor/access/span.h"

#include "monitor/access/first.h"
#include "monitor/access/inline.h"
#include "monitor/shadow/access_state.h"
#include "monitor/shadow/ranges.h"

/* Words that are handled at once. */
#define BLOCK 8

/* Counts word by word, in all cases. */
static __attribute__((noinline)) void
count_slow(uintptr_t i, uintptr_t last, uint64_t add)
{
	for (; i <= last; i++)
		mmi_access_add(i << MEMMON_GRANULE_SHIFT, add);
}

/* Two words. */
typedef uint64_t pair
	__attribute__((vector_size(16), aligned(sizeof(uint64_t)), may_alias));

/* Do all BLOCK words fit?  Then adds to them. */
static inline bool
count_block(uint64_t *cell, uint64_t now, uint64_t add)
{
	const pair nows = { now, now }, adds = { add, add };
	pair *c = (pair *)cell;
	pair misfit =
		(c[0] ^ nows) | (c[1] ^ nows) | (c[2] ^ nows) | (c[3] ^ nows);

	if (UNLIKELY((misfit[0] | misfit[1]) & MMI_ACCESS_WATCH))
		return false;
	c[0] += adds;
	c[1] += adds;
	c[2] += adds;
	c[3] += adds;
	return true;
}

/* Up to granule `end', the block is known to be touched at `first' or
 * before. */
struct known {
	uint64_t end;
	uint32_t first;
};

/*
 * Computes word *v of granule i for an access, as mmi_access_slow() does.
 * False: call that instead.
 */
static inline bool
renew(struct known *k, uint64_t i, uint64_t *v, uint64_t now)
{
	uint32_t stamp = mmi_word_stamp(*v);

	if (UNLIKELY(*v & MMI_WORD_GUARD) || !*v || !mmi_word_tag(now))
		return false;
	if (*v & MMI_WORD_TOUCHED) {
		if (mmi_word_tag(*v) && mmi_word_tag(*v) != mmi_word_tag(now))
			*v |= MMI_WORD_SHARED;
		if (!(*v & MMI_WORD_FIRST) && stamp != mmi_word_stamp(now)) {
			if (i >= k->end || stamp < k->first) {
				k->end = mmi_access_first(i, v);
				k->first = stamp;
			}
			*v |= MMI_WORD_FIRST;
		}
	}
	*v = (*v & ~MMI_WORD_NOW) | now;
	return true;
}

/*
 * The same for BLOCK words from granule i on that were all made or touched in
 * one step, by this thread; then adds `add'.  False: a rarer case.
 */
static inline bool
renew_block(const struct known *k, uint64_t i, uint64_t *cell, uint64_t now,
	    uint64_t add)
{
	uint64_t v = cell[0], any = v, all = v;

	for (unsigned j = 1; j < BLOCK; j++) {
		any |= cell[j];
		all &= cell[j];
	}
	if ((any ^ all) & MMI_WORD_NOW || any & MMI_WORD_GUARD ||
	    mmi_word_tag(v) != mmi_word_tag(now) || !mmi_word_tag(v))
		return false;
	if (!(all & MMI_WORD_FIRST) &&
	    (i + BLOCK > k->end || mmi_word_stamp(v) < k->first))
		return false;
	for (unsigned j = 0; j < BLOCK; j++)
		cell[j] = ((cell[j] & ~MMI_WORD_NOW) | now | MMI_WORD_FIRST) +
			  add;
	return true;
}

/*
 * Counts the whole cards of a long span where they begin and end: *from is the
 * first granule of these, *to the one behind.  False: there are none.
 */
static bool
count_cards(const struct memmon_access_state *h, uintptr_t first,
	    uintptr_t last, uint64_t add, uintptr_t *from, uintptr_t *to)
{
	const uint64_t mask = h->cells[-1];
	uint64_t i = first & mask, j = last & mask;
	uint64_t c = (i + MMI_RANGES_CARD - 1) / MMI_RANGES_CARD;
	uint64_t end = (j + 1) / MMI_RANGES_CARD;

	if (!mmi_state_is_open(h) || last - first > mask || i > j ||
	    !mmi_ranges_add(c, end - 1, mmi_word_reads(add),
			    mmi_word_writes(add)))
		return false;
	*from = first + (c * MMI_RANGES_CARD - i);
	*to = last + 1 - (j + 1 - end * MMI_RANGES_CARD);
	return true;
}

static void
count_words(uintptr_t first, uintptr_t last, uint64_t add)
{
	struct memmon_access_state *h = __link_with_lmemmon_access_v6;
	uint64_t *cell, *end, *stop, v, now = LOAD(&h->now);
	struct known known = { 0, 0 };
	bool fits;

	cell = &h->cells[first & h->cells[-1]];
	end = cell + (last - first);
	/* The index must not wrap around at the end of the array. */
	if (UNLIKELY(end > h->cells + h->cells[-1])) {
		count_slow(first, last, add);
		return;
	}
	while (cell <= end) {
		stop = end + 1;
		if (end - cell >= BLOCK - 1) {
			stop = cell + BLOCK;
			fits = count_block(cell, now, add);
			h->renewed += !fits;
			if (LIKELY(fits) ||
			    renew_block(&known, (uint64_t)(cell - h->cells),
					cell, now, add)) {
				cell = stop;
				continue;
			}
		}
		for (; cell < stop; cell++) {
			v = *cell;
			if (UNLIKELY((v ^ now) & MMI_ACCESS_WATCH) &&
			    !renew(&known, (uint64_t)(cell - h->cells), &v,
				   now)) {
				mmi_access_slow(cell);
				v = *cell;
			}
			*cell = v + add;
		}
	}
}

/* Counts a few words, up to before `end'.  Calls nothing as long as they
 * fit. */
static inline __attribute__((always_inline)) void
count_some(const struct memmon_access_state *h, uintptr_t first, uintptr_t end,
	   uint64_t add)
{
	uint64_t *cell = &h->cells[first & h->cells[-1]];

	if (UNLIKELY(cell + (end - first) > h->cells + h->cells[-1])) {
		count_words(first, end - 1, add);
		return;
	}
	for (; first < end; first++, cell++) {
		if (UNLIKELY(!mmi_access_fits(cell, &h->now))) {
			count_words(first, end - 1, add);
			return;
		}
		*cell += add;
	}
}

void
mmi_access_span(uintptr_t first, uintptr_t last, uint64_t add)
{
	const struct memmon_access_state *h = __link_with_lmemmon_access_v6;
	uintptr_t from, to;

	if (mmi_access_beyond(h, first << MEMMON_GRANULE_SHIFT))
		return;
	if (UNLIKELY(
		    mmi_access_fits(&h->cells[first & h->cells[-1]], &h->skip)))
		return;
	/* No thread counts: full words begin again at 0. */
	if (UNLIKELY(h->cells[-1] < MMI_STATE_DUMMIES)) {
		STORE(&h->cells[first & h->cells[-1]], 0);
		STORE(&h->cells[last & h->cells[-1]], 0);
		return;
	}
	if (LIKELY(last - first < MMI_RANGES_MIN) ||
	    !count_cards(h, first, last, add, &from, &to)) {
		count_some(h, first, last + 1, add);
		return;
	}
	count_some(h, first, from, add);
	count_some(h, to, last + 1, add);
}
