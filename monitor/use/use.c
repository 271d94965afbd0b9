/* SPDX-License-Identifier: MIT */
/* New blocks: their shadow is set up. */
#include "monitor/use/use.h"

#include "monitor/base/sampling.h"
#include "monitor/shadow/apart.h"

static void
clear_words(uint64_t from, uint64_t n, uint64_t word)
{
	mmi_use_clear(&mmi_shadow.cells[from], n, word);
}

/* Sets words to 0 without touching pages that have only zeros. */
static void
zero_words(uint64_t i, uint64_t n)
{
	uint64_t *c = &mmi_shadow.cells[i], *end = c + n;
	const mmi_words none = { 0, 0 };

	for (; end - c >= 4; c += 4) {
		mmi_words *p = (mmi_words *)c, any = p[0] | p[1];

		if (any[0] | any[1])
			p[0] = p[1] = none;
	}
	for (; c < end; c++)
		STORE(c, 0);
}

/* Sets the words of n granules from i on: not accessed yet. */
static void
fresh(uint64_t i, uint64_t n, uint64_t word)
{
	if (LIKELY(n < MMI_CARRY_LARGE)) {
		clear_words(i, n, word);
		return;
	}
	if (n < MMI_CARRY_HUGE) {
		zero_words(i, n);
		return;
	}
	mmi_shadow_zero(i, n);
}

/*
 * Sets the words of a sample behind the first `kept' ones, which belonged to
 * the block that it replaces.
 */
static void
sample_words(const void *p, uint64_t n, uint64_t kept, uint64_t word,
	     const struct mmi_carry *carry)
{
	uint64_t i = mmi_shadow_granule((uintptr_t)p);
	bool apart = mmi_apart_has(p), zeros;

	zeros = apart && n - kept >= MMI_CARRY_HUGE && LOAD(&mmi_apart_zeros);
	if (zeros)
		fresh(i + kept, n - kept, 0);
	else
		clear_words(i + kept, n - kept, word);
	if (!zeros && !(kept && carry->granules >= MMI_CARRY_HUGE))
		return;
	/* Another thread may have ended this meanwhile: mmi_apart_mix(). */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (!apart || n < MMI_CARRY_HUGE || !LOAD(&mmi_apart_zeros))
		mmi_shadow_set(i, n, word);
}

/* Deletes the overflow counts of granule i. */
static void
forget(uint64_t i)
{
	uint64_t reads, writes;

	mmi_overflow_read(i, true, &reads, &writes);
}

COLD void
mmi_use_sampled(const void *p, uint64_t size)
{
	uint64_t i = mmi_shadow_granule((uintptr_t)p);

	if (!mmi_shadow.cells || !mmi_shadow_takes(p, size))
		return;
	mmi_shadow_with(i, mmi_shadow_granules(size), MMI_WORD_OVERFLOW,
			forget);
}

COLD void
mmi_use_unknown(const void *p)
{
	uint64_t i = mmi_shadow_granule((uintptr_t)p) + 1;

	if (mmi_shadow_had(p))
		STORE(&mmi_shadow.blocks[i],
		      LOAD(&mmi_shadow.blocks[i]) | MMI_SHADOW_HANDED);
}

void
mmi_use_made_slow(struct mmi_thread *t, const void *p, uint64_t size,
		  bool growing, const struct mmi_carry *carry)
{
	uint64_t i = mmi_shadow_granule((uintptr_t)p), info, kept = 0;
	uint64_t n = mmi_shadow_granules(size), word = mmi_state_word(t);

	if (UNLIKELY(!n))
		return;
	if (n > MMI_SHADOW_CARD)
		mmi_shadow_spread(i, n,
				  carry && mmi_carry_stays(i, n, carry)
					  ? carry->granules
					  : 0);
	info = MMI_SHADOW_INFO | (growing ? MMI_SHADOW_GROWING : 0);
	if (UNLIKELY(carry && carry->birth)) {
		kept = carry->granules < n ? carry->granules : n;
		info |= mmi_carry_stays(i, n, carry)
				? carry->info & ~MMI_SHADOW_GROWING
				: mmi_carry_over(i, kept, carry);
	} else {
		info |= mmi_word_stamp(word);
		/* A new sample may be an older block: its earlier accesses are
		 * unknown. */
		if (carry && mmi_sample_on())
			info |= MMI_SHADOW_HANDED;
	}
	/* Not before this: the block before may have had the same granules. */
	if (!carry || !mmi_carry_stays(i, n, carry))
		mmi_ranges_clear(i, n);
	if (mmi_sample_on()) {
		/* A sample outside of its addresses. */
		if (UNLIKELY((uintptr_t)p >= mmi_state_limit()))
			mmi_apart_mix();
		STORE(&mmi_shadow.blocks[i + 1], info | MMI_SHADOW_SAMPLE);
		sample_words(p, n, kept, word, carry);
		return;
	}
	STORE(&mmi_shadow.blocks[i + 1], info);
	fresh(i + kept, n - kept, word);
}
