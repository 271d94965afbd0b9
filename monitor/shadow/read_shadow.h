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

/* When a granule that was touched was so first; v: its word; k: its number. */
static inline uint32_t
mmi_shadow_read_first(uint64_t i, uint64_t k, uint64_t v)
{
	/* Of the first two it stands in INFO. */
	if (UNLIKELY(v & MMI_WORD_FIRST) && k > 1)
		return mmi_shadow_read_epoch(LOAD(&mmi_shadow.blocks[i + k]));
	return mmi_word_stamp(v);
}

/* Read the shadow of a block; `take': it goes. */
static inline __attribute__((always_inline)) void
mmi_shadow_read(struct mmi_found *f, uint64_t i, uint64_t size, uint64_t info,
		uint64_t *grain, bool take)
{
	uint64_t n = mmi_shadow_granules(size), lo = n, hi = 0, r, w, v;
	uint64_t touched = 0, tags = 0, one;
	uint32_t first;

	mmi_shadow_read_info(f, i, info, take);
	one = (uint64_t)f->cut_tag << MEMMON_TAG_SHIFT;
	for (uint64_t k = 0; k < n; k++) {
		v = LOAD(&mmi_shadow.cells[i + k]);
		if (!(v & MMI_WORD_TOUCHED))
			continue;
		mmi_shadow_read_count(i + k, v, take, &r, &w);
		f->reads += r;
		f->writes += w;
		if (grain) {
			grain[2 * k] += r;
			grain[2 * k + 1] += w;
		}
		touched++;
		one = one >> MEMMON_TAG_SHIFT ? one : v;
		tags |= (v ^ one) >> MEMMON_TAG_SHIFT | (v & MMI_WORD_SHARED);
		if (mmi_word_stamp(v) > f->last)
			f->last = mmi_word_stamp(v);
		first = mmi_shadow_read_first(i, k, v);
		if (first && (!f->first || first < f->first))
			f->first = first;
		lo = k < lo ? k : lo;
		hi = k + 1;
	}
	f->shared |= tags != 0;
	f->cover = touched * 16;
	f->span = hi > lo ? (hi - lo) * 16 : 0;
	if (hi == n && touched) {
		f->cover -= n * 16 - size;
		f->span -= n * 16 - size;
	}
}

#endif
