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

/* One granule's counts; v is its word. */
static inline void
mmi_shadow_read_count(uint64_t i, uint64_t v, bool take, uint64_t *reads,
		      uint64_t *writes)
{
	*reads = mmi_word_reads(v);
	*writes = mmi_word_writes(v);
	if (UNLIKELY(v & MMI_WORD_OVERFLOW)) {
		uint64_t r, w;

		mmi_overflow_read(i, take, &r, &w);
		*reads += r;
		*writes += w;
	}
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
		f->last = info >> MMI_SHADOW_LAST_SHIFT & MMI_SHADOW_STAMP;
		mmi_overflow_read(i | MMI_OVERFLOW_CUT, take, &f->cut[0],
				  &f->cut[1]);
		f->cut_tag = (uint32_t)(f->cut[0] >> MMI_OVERFLOW_TAG_SHIFT);
		f->cut[0] &= (1ull << MMI_OVERFLOW_TAG_SHIFT) - 1;
	}
	f->reads = f->cut[0];
	f->writes = f->cut[1];
}

/*
 * When a granule that was touched was so first, or later, if it is known of the
 * block; 0 is so, too.  v: its word; k: its number.
 */
static inline uint32_t
mmi_shadow_read_first(uint64_t i, uint64_t k, uint64_t v)
{
	/* Of the first two it stands in INFO. */
	if (UNLIKELY(v & MMI_WORD_OWN) && k > 1)
		return mmi_shadow_read_epoch(LOAD(&mmi_shadow.blocks[i + k]));
	return mmi_word_stamp(v);
}

/* What the words of a block are together, those that were touched. */
struct mmi_touched {
	uint64_t lo, hi, n; /* granules: first, behind the last, number */
	/* A word; bits of any; that aren't in all. */
	uint64_t one, any, differ;
};

/* Was one of the four words touched? */
static inline bool
mmi_shadow_read_any(const uint64_t *c)
{
	const mmi_words *p = (const mmi_words *)c, all = p[0] | p[1];

	return (all[0] | all[1]) & MMI_WORD_TOUCHED;
}

/*
 * Read the n words; the counts go to *f, and to `grain' if that isn't NULL.
 * Cost: 3 instructions for a word, 25 for one that was touched.
 */
static inline __attribute__((always_inline)) void
mmi_shadow_read_words(struct mmi_found *f, struct mmi_touched *m, uint64_t i,
		      uint64_t n, uint64_t *grain, bool take)
{
	const uint64_t *c = &mmi_shadow.cells[i];
	uint64_t reads = f->reads, writes = f->writes, r, w, v;
	uint64_t one = m->one, any = 0, differ = 0, touched = 0, hi = 0;
	uint32_t first = f->first - 1, last = f->last, e;

	for (uint64_t k = 0; k < n; k++) {
		while (n - k >= 4 && !mmi_shadow_read_any(c + k))
			k += 4;
		if (UNLIKELY(k == n))
			break;
		v = LOAD(&c[k]);
		if (!(v & MMI_WORD_TOUCHED))
			continue;
		mmi_shadow_read_count(i + k, v, take, &r, &w);
		reads += r;
		writes += w;
		if (grain) {
			STORE(&grain[2 * k], grain[2 * k] + r);
			STORE(&grain[2 * k + 1], grain[2 * k + 1] + w);
		}
		if (!touched++)
			m->lo = k;
		hi = k + 1;
		one = one >> MEMMON_TAG_SHIFT ? one : v;
		any |= v;
		differ |= v ^ one;
		e = mmi_word_stamp(v);
		last = e > last ? e : last;
		/* 0, not known, becomes the greatest. */
		e = mmi_shadow_read_first(i, k, v) - 1;
		first = e < first ? e : first;
	}
	m->n = touched;
	m->hi = hi;
	m->any = any;
	m->differ = differ;
	f->reads = reads;
	f->writes = writes;
	f->first = first + 1;
	f->last = last;
}

/* Read the shadow of a block; `take': it goes. */
static inline __attribute__((always_inline)) void
mmi_shadow_read(struct mmi_found *f, uint64_t i, uint64_t size, uint64_t info,
		uint64_t *grain, bool take)
{
	uint64_t n = mmi_shadow_granules(size);
	struct mmi_touched m = { 0 };

	mmi_shadow_read_info(f, i, info, take);
	m.one = (uint64_t)f->cut_tag << MEMMON_TAG_SHIFT;
	mmi_shadow_read_words(f, &m, i, n, grain, take);
	f->shared |= m.differ >> MEMMON_TAG_SHIFT || m.any & MMI_WORD_SHARED;
	f->cover = m.n * 16;
	f->span = (m.hi - m.lo) * 16;
	if (m.hi == n && m.n) {
		f->cover -= n * 16 - size;
		f->span -= n * 16 - size;
	}
}

#endif
