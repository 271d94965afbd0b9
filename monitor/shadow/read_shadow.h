/* SPDX-License-Identifier: MIT */
/* Reading the shadow of a block.  ctx: hook. */
#ifndef MEMMON_READ_SHADOW_H
#define MEMMON_READ_SHADOW_H

#include "monitor/shadow/access_state.h"
#include "monitor/shadow/overflow.h"
#include "monitor/shadow/ranges.h"
#include "monitor/shadow/shadow.h"

/* What was found in the shadow of one block. */
struct mmi_found {
	uint64_t reads, writes, span, cover;
	uint64_t cut[2];	     /* reads, writes in no granule any more */
	uint32_t cut_tag;	     /* whose; 0 if there are none */
	uint32_t birth, first, last; /* epochs; first and last 0: never */
	bool shared, growing, handed;
};

/* Of INFO or FIRST: when it was first touched; 0: see the stamp. */
static inline uint32_t
mmi_shadow_read_epoch(uint64_t v)
{
	return v >> MMI_SHADOW_FIRST_SHIFT & MMI_SHADOW_STAMP;
}

/* What INFO tells of a block. */
static inline void
mmi_shadow_read_info(struct mmi_found *f, uint64_t i, uint64_t info, bool take)
{
	f->birth = info & MMI_SHADOW_STAMP;
	f->first = mmi_shadow_read_epoch(info);
	f->last = 0;
	f->growing = (info & MMI_SHADOW_GROWING) != 0;
	f->shared = (info & MMI_SHADOW_SHARED) != 0;
	f->handed = (info & MMI_SHADOW_HANDED) != 0;
	f->cut[0] = f->cut[1] = 0;
	f->cut_tag = 0;
	if (UNLIKELY(info & MMI_SHADOW_CUT)) {
		uint64_t reads, writes;

		f->last = info >> MMI_SHADOW_LAST_SHIFT & MMI_SHADOW_STAMP;
		mmi_overflow_read(i | MMI_OVERFLOW_CUT, take, &reads, &writes);
		f->cut_tag = (uint32_t)(reads >> MMI_OVERFLOW_TAG_SHIFT);
		f->cut[0] = reads & ((1ull << MMI_OVERFLOW_TAG_SHIFT) - 1);
		f->cut[1] = writes;
	}
	f->reads = f->cut[0];
	f->writes = f->cut[1];
}

/* Of four words one was touched. */
static inline bool
mmi_shadow_read_any(const uint64_t *c)
{
	const mmi_words *p = (const mmi_words *)c, all = p[0] | p[1];

	return (all[0] | all[1]) & MMI_WORD_TOUCHED;
}

/*
 * What the words of a block don't say themselves: counts that have outgrown
 * them; when they were first touched, where that stands elsewhere (first: of
 * the block); and of several threads' words, whose they are.  any: bits of all
 * that were touched.
 */
void mmi_shadow_read_rest(struct mmi_found *f, uint64_t i, uint64_t n,
			  uint64_t any, uint32_t first, uint64_t *grain,
			  bool take);

/* What words that were touched have together. */
struct mmi_words_sum {
	uint64_t any, all; /* bits of any of them, of all of them */
	uint64_t first, last; /* above bit 46: the least stamp, and the most */
	uint64_t reads, writes; /* 0: none; sums, unless counted by granule */
	uint64_t lo, hi, n; /* granules: first, behind the last, number */
};

/* Of a word, with its stamp uppermost. */
#define MMI_SHADOW_BY_STAMP (64 - MEMMON_TAG_SHIFT)
#define MMI_SHADOW_OF_STAMP (64 - MEMMON_STAMP_BITS)

/* One word, of granule k: returns `bit' if it was touched. */
static inline __attribute__((always_inline)) uint64_t
mmi_shadow_sum_one(struct mmi_words_sum *s, uint64_t v, uint64_t k,
		   uint64_t bit, uint64_t *grain)
{
	uint64_t r, w;

	if (!(v & MMI_WORD_TOUCHED))
		return 0;
	s->any |= v;
	s->all &= v;
	r = mmi_word_reads(v);
	w = mmi_word_writes(v);
	if (LIKELY(grain)) {
		STORE(&grain[2 * k], grain[2 * k] + r);
		STORE(&grain[2 * k + 1], grain[2 * k + 1] + w);
		s->reads |= r;
		s->writes |= w;
	} else {
		s->reads += r;
		s->writes += w;
	}
	v <<= MMI_SHADOW_BY_STAMP;
	s->last = v > s->last ? v : s->last;
	s->first = v < s->first ? v : s->first;
	return bit;
}

/* Words at granules k to n, 64 at most: which of them were touched, as bits. */
static inline __attribute__((always_inline)) uint64_t
mmi_shadow_sum_some(struct mmi_words_sum *to, const uint64_t *c, uint64_t k,
		    uint64_t n, uint64_t *grain)
{
	struct mmi_words_sum s = *to;
	uint64_t mask = 0, bit = 1;

	for (; n - k >= 4; k += 4, bit <<= 4) {
		if (!mmi_shadow_read_any(c + k))
			continue;
#pragma GCC unroll 4
		for (unsigned j = 0; j < 4; j++)
			mask |= mmi_shadow_sum_one(&s, LOAD(&c[k + j]), k + j,
						   bit << j, grain);
	}
	for (; k < n; k++, bit <<= 1)
		mask |= mmi_shadow_sum_one(&s, LOAD(&c[k]), k, bit, grain);
	*to = s;
	return mask;
}

static inline __attribute__((always_inline)) void
mmi_shadow_sum(struct mmi_words_sum *s, const uint64_t *c, uint64_t n,
	       uint64_t *grain)
{
	uint64_t mask;

	for (uint64_t k = 0; k < n; k += 64) {
		mask = mmi_shadow_sum_some(s, c, k, n - k < 64 ? n : k + 64,
					   grain);
		if (!mask)
			continue;
		if (!s->n)
			s->lo = k + (unsigned)__builtin_ctzll(mask);
		s->hi = k + 64 - (unsigned)__builtin_clzll(mask);
		/* Mostly all of them were, or few. */
		if (!(mask & (mask + 1)))
			s->n += s->hi - k;
		else
			for (; mask; mask &= mask - 1)
				s->n++;
	}
}

/*
 * Read the words of a block of `size' bytes; the counts go to *f, or to
 * `grain', and then f's only say whether there are any.  Cost: 3 instructions
 * for a word, 20 for one that was touched.
 */
static inline __attribute__((always_inline)) void
mmi_shadow_read_words(struct mmi_found *f, uint64_t i, uint64_t size,
		      uint64_t *grain, bool take)
{
	struct mmi_words_sum s = { .all = ~0ull, .first = ~0ull };
	uint64_t n = mmi_shadow_granules(size);
	uint32_t first = f->first, e;

	mmi_shadow_sum(&s, &mmi_shadow.cells[i], n, grain);
	f->reads += grain ? s.reads != 0 : s.reads;
	f->writes += grain ? s.writes != 0 : s.writes;
	f->shared |= (s.any & MMI_WORD_SHARED) != 0;
	f->cover = s.n * 16;
	f->span = (s.hi - s.lo) * 16;
	if (!s.n)
		return;
	if (s.hi == n) {
		f->cover -= n * 16 - size;
		f->span -= n * 16 - size;
	}
	e = (uint32_t)(s.last >> MMI_SHADOW_OF_STAMP);
	f->last = e > f->last ? e : f->last;
	e = (uint32_t)(s.first >> MMI_SHADOW_OF_STAMP);
	/* 0 isn't known. */
	f->first = first && first < e ? first : e;
	if (UNLIKELY((s.any ^ s.all) >> MEMMON_TAG_SHIFT || f->cut_tag) ||
	    UNLIKELY(s.any & (MMI_WORD_OVERFLOW | MMI_WORD_OWN))) {
		struct mmi_found copy = *f; /* so *f can be in registers */

		mmi_shadow_read_rest(&copy, i, n, s.any, first, grain, take);
		*f = copy;
	}
}

/* Read the shadow of a block; `take': it goes; grain: see above. */
static inline __attribute__((always_inline)) void
mmi_shadow_read(struct mmi_found *f, uint64_t i, uint64_t size, uint64_t info,
		uint64_t *grain, bool take)
{
	mmi_shadow_read_info(f, i, info, take);
	mmi_shadow_read_words(f, i, size, grain, take);
}

#endif
