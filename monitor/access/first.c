/* SPDX-License-Identifier: MIT */
/* When a block was first accessed, as known from one of its granules. */
#include "monitor/access/first.h"

#include <sys/single_threaded.h>

#include "monitor/shadow/read_shadow.h"
#include "monitor/use/use.h"

/*
 * The block that was found last: its granules, and its INFO.  As long as the
 * INFO is the same the block is still there: another block in its place would
 * be newer.  Only the thread of `here' uses it; 0: no block.
 */
struct found {
	uint64_t at, end, info;
};
static TLS struct found here;

static bool
is_in(const struct found *b, uint64_t i)
{
	return i - b->at < b->end - b->at && b->info &&
	       LOAD(&mmi_shadow.blocks[b->at + 1]) == b->info;
}

/* Finds the block that contains granule i; false: no block does. */
static bool
find(struct found *b, uint64_t i)
{
	uint64_t size;

	b->at = mmi_use_block(i, &size);
	if (b->at > i)
		return false;
	b->end = b->at + mmi_shadow_granules(size);
	return true;
}

/*
 * Remembers the block, to look there first.  With one thread, only a large
 * block: it would look for others only once.  A signal handler may read this at
 * any point.
 */
static void
remember(const struct found *b)
{
	if (__libc_single_threaded && b->end - b->at <= MMI_SHADOW_CARD)
		return;
	here.info = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	here.at = b->at;
	here.end = b->end;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	here.info = LOAD(&mmi_shadow.blocks[b->at + 1]);
}

uint64_t
mmi_access_first(uint64_t i, uint64_t *v)
{
	uint32_t epoch = mmi_word_stamp(*v);
	struct found b = here;
	uint64_t w;

	if (is_in(&b, i) && mmi_shadow_read_epoch(b.info) &&
	    mmi_shadow_read_epoch(b.info) <= epoch) {
		*v |= MMI_WORD_FIRST;
		return b.end;
	}
	/*
	 * The state of the first two granules is the state of the block, whose
	 * cell may be far away.
	 */
	w = LOAD(&mmi_shadow.blocks[i]);
	if (w & (MMI_SHADOW_START | MMI_SHADOW_INFO)) {
		mmi_shadow_first(i, epoch);
		*v |= MMI_WORD_FIRST;
		return i + 1;
	}
	if (!find(&b, i)) {
		*v |= MMI_WORD_FIRST;
		mmi_shadow_first(i, epoch);
		*v |= MMI_WORD_OWN;
		return i;
	}
	mmi_shadow_first(b.at, epoch);
	*v |= MMI_WORD_FIRST;
	remember(&b);
	return b.end;
}
