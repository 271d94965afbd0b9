/* SPDX-License-Identifier: MIT */
/* When a block was first accessed, told by one of its granules. */
#include "monitor/access/first.h"

#include "monitor/shadow/access_state.h"
#include "monitor/shadow/shadow.h"
#include "monitor/use/use.h"

/* Granules back from one that are looked at for where its block begins. */
#define BACK 32u

/* Granules of the block that begins at granule b; 0: none does. */
static uint64_t
granules_at(uint64_t b)
{
	uint64_t v = LOAD(&mmi_shadow.blocks[b]);

	if (!(v & MMI_SHADOW_START))
		return 0;
	return mmi_shadow_granules(mmi_use_size(v & MMI_SHADOW_ENTRY));
}

/*
 * The granule at which the block begins that granule i is in, and the one
 * behind it, if that is known or near; else i, and *end is i, too.
 */
static uint64_t
block_of(uint64_t i, uint64_t *end)
{
	static TLS uint64_t hint; /* where one began */
	uint64_t at = hint, n;

	*end = at <= i ? at + granules_at(at) : 0;
	if (*end > i)
		return at;
	for (at = i; at && i - at < BACK; at--) {
		n = granules_at(at);
		*end = at + n;
		if (*end > i)
			return hint = at;
		if (n)
			break;
	}
	return *end = i;
}

uint64_t
mmi_access_first(uint64_t i, uint64_t *v)
{
	uint64_t end;

	mmi_shadow_first(block_of(i, &end), mmi_word_stamp(*v));
	*v |= MMI_WORD_FIRST | (end > i ? 0 : MMI_WORD_OWN);
	return end;
}
