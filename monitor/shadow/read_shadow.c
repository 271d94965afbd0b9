/* SPDX-License-Identifier: MIT */
/* Reading the shadow of a block. */
#include "monitor/shadow/read_shadow.h"

/* Read a block's INFO. */
static void
read_info(struct mmi_found *f, uint64_t i, uint64_t info, bool take)
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

/*
 * When a touched granule was first touched; if only the block's time is known,
 * a later time or 0.  v: its word; k: its number.
 */
static uint32_t
first_of(uint64_t i, uint64_t k, uint64_t v)
{
	/* For the first two granules it is in INFO. */
	if (v & MMI_WORD_OWN && k > 1)
		return mmi_shadow_read_epoch(LOAD(&mmi_shadow.blocks[i + k]));
	return mmi_word_stamp(v);
}

/*
 * Data of a block that its words don't contain: counts that have outgrown them;
 * when granules were first touched, if that is stored elsewhere (first: of the
 * block); and, for words of several threads, the threads.  any: the bits of all
 * touched words; grain: see mmi_shadow_read().
 */
static COLD void
read_rest(struct mmi_found *f, uint64_t i, uint64_t n, uint64_t any,
	  uint32_t first, uint64_t *grain, bool take)
{
	struct mmi_shadow_pages p = mmi_shadow_pages(i, n);
	uint32_t tag = f->cut_tag, e;
	uint64_t v, r, w;

	first--;
	while (mmi_shadow_there(&p))
		for (uint64_t k = p.from - i; k < p.to - i; k++) {
			v = LOAD(&mmi_shadow.cells[i + k]);
			if (!(v & MMI_WORD_TOUCHED))
				continue;
			tag = tag ? tag : mmi_word_tag(v);
			f->shared |= mmi_word_tag(v) != tag;
			e = first_of(i, k, v) - 1;
			first = e < first ? e : first;
			if (!(v & MMI_WORD_OVERFLOW))
				continue;
			mmi_overflow_read(i + k, take, &r, &w);
			f->reads += r;
			f->writes += w;
			if (grain && k < MMI_SHADOW_GRAINS) {
				STORE(&grain[2 * k], grain[2 * k] + r);
				STORE(&grain[2 * k + 1], grain[2 * k + 1] + w);
			} else if (grain) {
				f->cut[0] += r;
				f->cut[1] += w;
			}
		}
	if (any & MMI_WORD_OWN)
		f->first = first + 1;
}

/* The touched part of a block. */
struct extent {
	/* Granules: first, the one after the last, number. */
	uint64_t lo, hi, n;
};

/* Add the words from `from' to n - 1 to *s, *b and *x; c: the block's words. */
static void
read_sums(struct mmi_words_sum *s, struct mmi_words_bits *b, struct extent *x,
	  const uint64_t *c, uint64_t from, uint64_t n, uint64_t *grain)
{
	uint64_t mask;

	for (uint64_t k = from; k < n; k += 64) {
		mask = mmi_shadow_touched(b, c + k, n - k < 64 ? n - k : 64);
		if (!mask)
			continue;
		if (!x->n)
			x->lo = k + (unsigned)__builtin_ctzll(mask);
		x->hi = k + 64 - (unsigned)__builtin_clzll(mask);
		mmi_shadow_sum_some(s, c + k, mask,
				    grain ? grain + 2 * k : NULL, true);
		x->n += mmi_shadow_count(mask);
	}
}

/* The same, without pages that are absent.  i: the block's first granule. */
static void
read_parts(struct mmi_words_sum *s, struct mmi_words_bits *b, struct extent *x,
	   uint64_t i, uint64_t from, uint64_t n)
{
	struct mmi_shadow_pages p = mmi_shadow_pages(i + from, n - from);

	while (mmi_shadow_there(&p))
		read_sums(s, b, x, &mmi_shadow.cells[i], p.from - i, p.to - i,
			  NULL);
}

void
mmi_shadow_read(struct mmi_found *f, uint64_t i, uint64_t size, uint64_t info,
		uint64_t *grain, bool take)
{
	struct mmi_words_bits b = { 0, ~0ull };
	struct mmi_words_sum s = { .first = ~0ull };
	uint64_t n = mmi_shadow_granules(size), grains = 0;
	const uint64_t *c = &mmi_shadow.cells[i];
	struct extent x = { 0, 0, 0 };
	uint32_t first, e;

	read_info(f, i, info, take);
	first = f->first;
	if (grain) {
		grains = n < MMI_SHADOW_GRAINS ? n : MMI_SHADOW_GRAINS;
		read_sums(&s, &b, &x, c, 0, grains, grain);
		f->reads += s.reads != 0;
		f->writes += s.writes != 0;
		s.reads = s.writes = 0;
	}
	if (grains < n) {
		if (n < MMI_SHADOW_MANY)
			read_sums(&s, &b, &x, c, grains, n, NULL);
		else
			read_parts(&s, &b, &x, i, grains, n);
		f->reads += s.reads;
		f->writes += s.writes;
	}
	if (grain) {
		f->cut[0] += s.reads;
		f->cut[1] += s.writes;
	}
	f->shared |= (b.any & MMI_WORD_SHARED) != 0;
	f->low = x.lo * 16;
	f->cover = x.n * 16;
	f->span = (x.hi - x.lo) * 16;
	if (!x.n)
		return;
	if (x.hi == n) {
		f->cover -= n * 16 - size;
		f->span -= n * 16 - size;
	}
	e = (uint32_t)(s.last >> MMI_SHADOW_OF_STAMP);
	f->last = e > f->last ? e : f->last;
	e = (uint32_t)(s.first >> MMI_SHADOW_OF_STAMP);
	/* 0 is unknown. */
	f->first = first && first < e ? first : e;
	if (UNLIKELY((b.any ^ b.all) >> MEMMON_TAG_SHIFT || f->cut_tag) ||
	    UNLIKELY(b.any & (MMI_WORD_OVERFLOW | MMI_WORD_OWN)))
		read_rest(f, i, n, b.any, first, grain, take);
}
