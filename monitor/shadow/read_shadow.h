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
 * them; when they were first touched, where that stands elsewhere (first: of the
 * block); and of several threads' words, whose they are.  any: bits of all that
 * were touched.
 */
void mmi_shadow_read_rest(struct mmi_found *f, uint64_t i, uint64_t n,
			  uint64_t any, uint32_t first, uint64_t *grain,
			  bool take);

/*
 * Read the words of a block of `size' bytes; the counts go to *f, and to `grain'
 * if that isn't NULL.  by: a word of the thread that is likely to have touched
 * them.  Cost: 3 instructions for a word, 25 for one that was touched.
 */
static inline __attribute__((always_inline)) void
mmi_shadow_read_words(struct mmi_found *f, uint64_t i, uint64_t size,
		      uint64_t by, uint64_t *grain, bool take)
{
	const uint64_t *c = &mmi_shadow.cells[i];
	uint64_t n = mmi_shadow_granules(size), reads = 0, writes = 0, r, w, v;
	uint64_t any = 0, differ = 0, touched = 0, lo = n, hi = 0;
	uint32_t first = f->first - 1, last = f->last, e;

	for (uint64_t k = 0; k < n; k++) {
		while (n - k >= 4 && !mmi_shadow_read_any(c + k))
			k += 4;
		if (UNLIKELY(k == n))
			break;
		v = LOAD(&c[k]);
		if (!(v & MMI_WORD_TOUCHED))
			continue;
		r = mmi_word_reads(v);
		w = mmi_word_writes(v);
		reads += r;
		writes += w;
		if (grain) {
			STORE(&grain[2 * k], grain[2 * k] + r);
			STORE(&grain[2 * k + 1], grain[2 * k + 1] + w);
		}
		lo = k < lo ? k : lo;
		hi = k + 1;
		touched++;
		any |= v;
		differ |= v ^ by;
		e = mmi_word_stamp(v);
		last = e > last ? e : last;
		/* 0, not known, becomes the greatest. */
		first = e - 1 < first ? e - 1 : first;
	}
	f->reads += reads;
	f->writes += writes;
	f->shared |= (any & MMI_WORD_SHARED) != 0;
	f->cover = touched * 16;
	f->span = touched ? (hi - lo) * 16 : 0;
	if (hi == n && touched) {
		f->cover -= n * 16 - size;
		f->span -= n * 16 - size;
	}
	e = f->first;
	f->first = first + 1;
	f->last = last;
	if (UNLIKELY(differ >> MEMMON_TAG_SHIFT) ||
	    UNLIKELY(any & (MMI_WORD_OVERFLOW | MMI_WORD_OWN))) {
		struct mmi_found copy = *f; /* so *f can be in registers */

		mmi_shadow_read_rest(&copy, i, n, any, e, grain, take);
		*f = copy;
	}
}

/* Read the shadow of a block; `take': it goes; by: see above. */
static inline __attribute__((always_inline)) void
mmi_shadow_read(struct mmi_found *f, uint64_t i, uint64_t size, uint64_t info,
		uint64_t by, uint64_t *grain, bool take)
{
	mmi_shadow_read_info(f, i, info, take);
	mmi_shadow_read_words(f, i, size, f->cut_tag ? ~by : by, grain, take);
}

#endif
