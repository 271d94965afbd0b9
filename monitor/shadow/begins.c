/* SPDX-License-Identifier: MIT */
/* The start of the block that contains an address. */
#include "monitor/shadow/shadow.h"

/* The largest distance in granules that a card can hold. */
#define FAR UINT16_MAX

COLD void
mmi_shadow_spread(uint64_t i, uint64_t n, uint64_t had)
{
	const uint64_t last = (i + n - 1) / MMI_SHADOW_CARD;
	uint64_t card = i / MMI_SHADOW_CARD + 1, end = i + FAR, r, far;

	if (had && (i + had - 1) / MMI_SHADOW_CARD >= card)
		card = (i + had - 1) / MMI_SHADOW_CARD + 1;
	far = card * MMI_SHADOW_CARD - i;

	for (; card <= last && card * MMI_SHADOW_CARD <= end;
	     card++, far += MMI_SHADOW_CARD)
		STORE(&mmi_shadow.cards[card], (uint16_t)far);
	if (card > last)
		return;
	r = card * MMI_SHADOW_CARD / MMI_SHADOW_REGION;
	for (; r <= (i + n - 1) / MMI_SHADOW_REGION; r++)
		STORE(&mmi_shadow.large[r % MMI_SHADOW_REGIONS], i);
}

/* Words that are tested at once. */
#define SOME 8u

/* Does a block begin there? */
static inline bool
is_begin(uint64_t i)
{
	return LOAD(&mmi_shadow.blocks[i]) & MMI_SHADOW_START;
}

uint64_t
mmi_shadow_begins_far(uint64_t i)
{
	const uint64_t card = i - i % MMI_SHADOW_CARD;
	uint64_t far = LOAD(&mmi_shadow.cards[i / MMI_SHADOW_CARD]);

	if (far && far <= card && is_begin(card - far))
		return card - far;
	return LOAD(
		&mmi_shadow.large[i / MMI_SHADOW_REGION % MMI_SHADOW_REGIONS]);
}

uint64_t
mmi_shadow_begins_near(uint64_t i)
{
	const uint64_t *b = &mmi_shadow.blocks[i];

	if (UNLIKELY(i < MMI_SHADOW_CARD))
		return UINT64_MAX;
	/*
	 * Blocks don't overlap: only the next block that begins before can have
	 * it.
	 */
	for (unsigned k = 0; k < MMI_SHADOW_CARD; k += SOME, b -= SOME) {
		uint64_t any = 0;

		for (unsigned j = 0; j < SOME; j++)
			any |= LOAD(b - j);
		if (!(any & MMI_SHADOW_START))
			continue;
		/* Another thread may remove it meanwhile. */
		for (unsigned j = 0; j < SOME - 1; j++, b--)
			if (LOAD(b) & MMI_SHADOW_START)
				break;
		return (uint64_t)(b - mmi_shadow.blocks);
	}
	return UINT64_MAX;
}
