/* SPDX-License-Identifier: MIT */
/* Keeps what is known of blocks when they are resized. */
#include "monitor/use/carry.h"

#include <string.h>
#include <sys/single_threaded.h>

#include "monitor/base/arena.h"
#include "monitor/shadow/read_shadow.h"

#define ENDS_WORDS (MMI_RANGES_BYTES / sizeof(uint64_t))

COLD void
mmi_carry_drop(uint64_t i, uint64_t n)
{
	uint64_t lo, hi;

	mmi_shadow_zero(i, n);
	mmi_shadow_drop(mmi_shadow.blocks, i + 2, n - 2, &lo, &hi);
	/* The records of its cards are empty by now. */
	mmi_shadow_drop(mmi_shadow.ends,
			(i + MMI_RANGES_CARD) / MMI_RANGES_CARD * ENDS_WORDS,
			(n / MMI_RANGES_CARD - 1) * ENDS_WORDS, &lo, &hi);
}

/* The part that was cut off a block: its counts, last access and tag. */
struct cut {
	uint64_t reads, writes;
	uint32_t last, tag;
	bool shared;
};

/* Reads the counts of parts that were cut off before. */
static void
cut_carried(struct cut *c, const struct mmi_carry *carry, bool shared)
{
	uint64_t reads;

	mmi_overflow_read(carry->from | MMI_OVERFLOW_CUT, true, &reads,
			  &c->writes);
	c->tag = (uint32_t)(reads >> MMI_OVERFLOW_TAG_SHIFT);
	c->reads = reads & ((1ull << MMI_OVERFLOW_TAG_SHIFT) - 1);
	c->last = carry->info >> MMI_SHADOW_LAST_SHIFT & MMI_SHADOW_STAMP;
	c->shared = shared;
}

/* Adds a granule with word v; r and w are its overflow counts. */
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

/*
 * INFO of the block that was resized, after its range counts are in its words.
 */
static uint64_t
settled(const struct mmi_carry *carry)
{
	uint64_t *info = &mmi_shadow.blocks[carry->from + 1], was;

	if (carry->granules < MMI_RANGES_MIN)
		return carry->info;
	STORE(info, carry->info);
	mmi_ranges_settle(carry->from, carry->granules);
	was = LOAD(info);
	STORE(info, 0);
	return was;
}

COLD uint64_t
mmi_carry_over(uint64_t i, uint64_t kept, const struct mmi_carry *carry)
{
	const uint64_t *from =
		carry->words ? carry->words : &mmi_shadow.cells[carry->from];
	uint64_t *to = &mmi_shadow.cells[i], r, w, v, info, was = carry->info;
	struct mmi_found f = { .first = carry->first, .shared = carry->shared };
	struct cut c;

	if (!carry->read) {
		was = settled(carry);
		mmi_shadow_read(&f, carry->from, carry->size, was, NULL, false);
	}
	info = carry->birth | (uint64_t)f.first << MMI_SHADOW_FIRST_SHIFT |
	       (was & MMI_SHADOW_HANDED);
	cut_carried(&c, carry, f.shared);
	for (uint64_t k = 0; k < carry->granules; k++) {
		v = LOAD(&from[k]);
		r = w = 0;
		if (v & MMI_WORD_OVERFLOW)
			mmi_overflow_read(carry->from + k, true, &r, &w);
		if (k >= kept) {
			cut_add(&c, v, r, w);
			continue;
		}
		STORE(&to[k], v & ~(MMI_WORD_FIRST | MMI_WORD_OWN));
		if (v & MMI_WORD_OVERFLOW)
			mmi_overflow_add(i + k, r, w);
	}
	if (c.shared)
		info |= MMI_SHADOW_SHARED;
	if (!c.reads && !c.writes)
		return info;
	mmi_overflow_add(i | MMI_OVERFLOW_CUT,
			 c.reads | (uint64_t)c.tag << MMI_OVERFLOW_TAG_SHIFT,
			 c.writes);
	return info | MMI_SHADOW_CUT |
	       (uint64_t)c.last << MMI_SHADOW_LAST_SHIFT;
}

/* Copies the block's words: another thread may get the memory meanwhile. */
static COLD void
carry_save(struct mmi_carry *carry)
{
	size_t size = carry->granules * sizeof(*carry->words);

	carry->words = carry->few;
	if (size > sizeof(carry->few)) {
		carry->words = mmi_arena_reserve(size);
		carry->mapped = carry->words ? size : 0;
	}
	if (carry->words)
		memcpy(carry->words, &mmi_shadow.cells[carry->from], size);
	else
		carry->granules = 0; /* its counts are lost */
}

void
mmi_carry_none(struct mmi_carry *carry)
{
	carry->words = NULL;
	carry->birth = 0;
	carry->granules = carry->mapped = 0;
	carry->read = carry->shared = false;
	carry->first = 0;
}

void
mmi_carry_find(struct mmi_carry *carry, const void *old, uint64_t size)
{
	uint64_t i = mmi_shadow_granule((uintptr_t)old);
	struct mmi_found f;

	if (!size || !mmi_shadow_had(old))
		return;
	carry->size = size;
	carry->granules = mmi_shadow_granules(size);
	carry->from = i;
	/* A single thread settles them later, and only if necessary: see
	 * settled(). */
	if (!__libc_single_threaded)
		mmi_ranges_settle(i, carry->granules);
	carry->info = LOAD(&mmi_shadow.blocks[i + 1]);
	carry->birth = carry->info & MMI_SHADOW_STAMP;
	STORE(&mmi_shadow.blocks[i + 1], 0);
	if (__libc_single_threaded)
		return;
	mmi_shadow_read(&f, i, size, carry->info, NULL, false);
	carry->first = f.first;
	carry->shared = f.shared;
	carry->read = true;
	carry_save(carry);
}

void
mmi_carry_restore(const struct mmi_carry *carry, const void *old)
{
	if (carry->birth)
		STORE(&mmi_shadow
			       .blocks[mmi_shadow_granule((uintptr_t)old) + 1],
		      carry->info);
}

void
mmi_carry_free(const struct mmi_carry *carry, const void *old, const void *new)
{
	if (carry->mapped && carry->words)
		mmi_arena_unreserve(carry->words, carry->mapped);
	if (new &&new != old && !carry->words &&
	    carry->granules >= MMI_CARRY_HUGE)
		mmi_carry_drop(mmi_shadow_granule((uintptr_t)old),
			       carry->granules);
}
