/* SPDX-License-Identifier: MIT */
/* Blocks that are resized: what is known of them goes along. */
#include "monitor/use/carry.h"

#include <string.h>
#include <sys/single_threaded.h>

#include "monitor/base/arena.h"
#include "monitor/shadow/read_shadow.h"

COLD void
mmi_past_drop(uint64_t i, uint64_t n)
{
	uint64_t lo, hi;

	mmi_shadow_drop(mmi_shadow.cells, i, n, &lo, &hi);
	mmi_shadow_drop(mmi_shadow.blocks, i + 2, n - 2, &lo, &hi);
}

/* What was cut off of a block: its counts, last access, and whose they were. */
struct cut {
	uint64_t reads, writes;
	uint32_t last, tag;
	bool shared;
};

/* What of it `past' knows already. */
static void
cut_past(struct cut *c, const struct mmi_past *past)
{
	uint64_t reads;

	mmi_more_read(past->from | MMI_MORE_CUT, true, &reads, &c->writes);
	c->tag = (uint32_t)(reads >> MMI_MORE_TAG_SHIFT);
	c->reads = reads & ((1ull << MMI_MORE_TAG_SHIFT) - 1);
	c->last = past->info >> MMI_SHADOW_LAST_SHIFT & MMI_SHADOW_STAMP;
	c->shared = past->shared;
}

/* One granule more, of word v and r and w besides. */
static void
cut_add(struct cut *c, uint64_t v, uint64_t r, uint64_t w)
{
	if (!(v & MMI_WORD_TOUCHED))
		return;
	c->reads += mmi_word_reads(v) + r;
	c->writes += mmi_word_writes(v) + w;
	if (mmi_word_stamp(v) > c->last)
		c->last = mmi_word_stamp(v);
	c->shared |= c->tag && c->tag != mmi_word_tag(v);
	c->tag = mmi_word_tag(v);
}

COLD uint64_t
mmi_past_carry(uint64_t i, uint64_t kept, const struct mmi_past *past)
{
	const uint64_t *from =
		past->words ? past->words : &mmi_shadow.cells[past->from];
	uint64_t *to = &mmi_shadow.cells[i], r, w, v, info = 0;
	struct cut c;

	cut_past(&c, past);
	for (uint64_t k = 0; k < past->granules; k++) {
		v = LOAD(&from[k]);
		r = w = 0;
		if (v & MMI_WORD_MORE)
			mmi_more_read(past->from + k, true, &r, &w);
		if (k >= kept) {
			cut_add(&c, v, r, w);
			continue;
		}
		STORE(&to[k], v & ~MMI_WORD_FIRST);
		if (v & MMI_WORD_MORE)
			mmi_more_add(i + k, r, w);
	}
	if (c.shared)
		info |= MMI_SHADOW_SHARED;
	if (!c.reads && !c.writes)
		return info;
	mmi_more_add(i | MMI_MORE_CUT,
		     c.reads | (uint64_t)c.tag << MMI_MORE_TAG_SHIFT, c.writes);
	return info | MMI_SHADOW_CUT |
	       (uint64_t)c.last << MMI_SHADOW_LAST_SHIFT;
}

/* A copy of its words: another thread may get the place meanwhile. */
static COLD void
past_save(struct mmi_past *past)
{
	size_t size = past->granules * sizeof(*past->words);

	past->words = past->few;
	if (size > sizeof(past->few)) {
		past->words = mmi_arena_reserve(size);
		past->mapped = size;
	}
	if (past->words)
		memcpy(past->words, &mmi_shadow.cells[past->from], size);
	else
		past->granules = 0; /* its counts are lost */
}

void
mmi_past_none(struct mmi_past *past)
{
	past->words = NULL;
	past->birth = 0;
	past->granules = past->mapped = 0;
}

void
mmi_past_find(struct mmi_past *past, const void *old, uint64_t size)
{
	uint64_t i = mmi_shadow_granule((uintptr_t)old);
	struct mmi_found f;

	if (!size || !mmi_shadow_had(old))
		return;
	past->granules = mmi_shadow_granules(size);
	past->from = i;
	past->info = LOAD(&mmi_shadow.blocks[i + 1]);
	mmi_look(&f, i, size, past->info, NULL, false);
	past->birth = f.birth;
	past->first = f.first;
	past->shared = f.shared;
	STORE(&mmi_shadow.blocks[i + 1], 0);
	if (!__libc_single_threaded)
		past_save(past);
}

void
mmi_past_restore(const struct mmi_past *past, const void *old)
{
	if (past->birth)
		STORE(&mmi_shadow
			       .blocks[mmi_shadow_granule((uintptr_t)old) + 1],
		      past->info);
}

void
mmi_past_free(const struct mmi_past *past, const void *old, const void *new)
{
	if (past->mapped && past->words)
		mmi_arena_unreserve(past->words, past->mapped);
	if (new &&new != old && !past->words &&
	    past->granules >= MMI_PAST_LARGE)
		mmi_past_drop(mmi_shadow_granule((uintptr_t)old),
			      past->granules);
}
