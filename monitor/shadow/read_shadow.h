/* SPDX-License-Identifier: MIT */
/* Reading the shadow of a block.  ctx: hook. */
#ifndef MEMMON_READ_SHADOW_H
#define MEMMON_READ_SHADOW_H

#include "monitor/shadow/access_state.h"
#include "monitor/shadow/overflow.h"
#include "monitor/shadow/ranges.h"
#include "monitor/shadow/shadow.h"

/* The data read from the shadow of one block. */
struct mmi_found {
	uint64_t reads, writes, span, cover;
	uint64_t low;		     /* bytes before `span' */
	/* Reads, writes to a part that was cut off. */
	uint64_t cut[2];
	uint32_t cut_tag;	     /* tag of the thread; 0: none */
	uint32_t birth, first, last; /* epochs; first and last 0: never */
	bool shared, growing, handed;
};

/* In INFO or FIRST: when it was first touched; 0: see the stamp. */
static inline uint32_t
mmi_shadow_read_epoch(uint64_t v)
{
	return v >> MMI_SHADOW_FIRST_SHIFT & MMI_SHADOW_STAMP;
}

/* Sums over touched words. */
struct mmi_words_sum {
	/* From bit 46 on: the least and the greatest stamp. */
	uint64_t first, last;
	uint64_t reads, writes; /* 0: none; sums, unless counted by granule */
};

/* Shifts for a word whose stamp is in the uppermost bits. */
#define MMI_SHADOW_BY_STAMP (64 - MEMMON_TAG_SHIFT)
#define MMI_SHADOW_OF_STAMP (64 - MEMMON_STAMP_BITS)

/* Bits of touched words: those in any of them, those in all of them. */
struct mmi_words_bits {
	uint64_t any, all;
};

/* Which of n words, at most 64, were touched, as bits; adds them to *b. */
static inline __attribute__((always_inline)) uint64_t
mmi_shadow_touched(struct mmi_words_bits *b, const uint64_t *c, uint64_t n)
{
	uint64_t mask = 0, k = 0, any = b->any, all = b->all, v;

	for (; k + 4 <= n; k += 4) {
		v = c[k] | c[k + 1] | c[k + 2] | c[k + 3];
		if (!(v & MMI_WORD_TOUCHED))
			continue;
#pragma GCC unroll 4
		for (unsigned j = 0; j < 4; j++) {
			v = c[k + j];
			if (!(v & MMI_WORD_TOUCHED))
				continue;
			mask |= 1ull << j << k;
			any |= v;
			all &= v;
		}
	}
	for (; k < n; k++) {
		v = c[k];
		if (!(v & MMI_WORD_TOUCHED))
			continue;
		mask |= 1ull << k;
		any |= v;
		all &= v;
	}
	b->any = any;
	b->all = all;
	return mask;
}

/* How many bits are set: usually all from one on, or few. */
static inline uint64_t
mmi_shadow_count(uint64_t mask)
{
	uint64_t n = 0;

	if (!(mask & (mask + 1)))
		return mask ? 64 - (unsigned)__builtin_clzll(mask) : 0;
	for (; mask; mask &= mask - 1)
		n++;
	return n;
}

/*
 * Add the words from c on that `mask' says were touched to *to.  `stamps': add
 * their stamps, too.
 */
static inline __attribute__((always_inline)) void
mmi_shadow_sum_some(struct mmi_words_sum *to, const uint64_t *c, uint64_t mask,
		    uint64_t *grain, bool stamps)
{
	struct mmi_words_sum s = *to;
	uint64_t v, r, w, k;

	for (; mask; mask &= mask - 1) {
		k = (unsigned)__builtin_ctzll(mask);
		v = LOAD(&c[k]);
		r = mmi_word_reads(v);
		w = mmi_word_writes(v);
		if (LIKELY(grain)) {
			grain[2 * k] += r;
			grain[2 * k + 1] += w;
			s.reads |= r;
			s.writes |= w;
		} else {
			s.reads += r;
			s.writes += w;
		}
		if (!stamps)
			continue;
		v <<= MMI_SHADOW_BY_STAMP;
		s.last = v > s.last ? v : s.last;
		s.first = v < s.first ? v : s.first;
	}
	*to = s;
}

/* How many granules `grain' counts: the first ones of a block. */
#define MMI_SHADOW_GRAINS (MONOUT_FIELDS_MAX / MONOUT_GRANULE)

/*
 * Read the shadow of a block whose INFO is `info' into *f.  With `grain', the
 * counts of the first MMI_SHADOW_GRAINS granules go there, and the others to
 * f->cut; f->reads and writes then say whether there are any.  `take': clear
 * the counts that are stored elsewhere.  Cost: 3 instructions for a word, 30
 * for a touched word.
 */
void mmi_shadow_read(struct mmi_found *f, uint64_t i, uint64_t size,
		     uint64_t info, uint64_t *grain, bool take);

#endif
