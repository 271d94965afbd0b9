/* SPDX-License-Identifier: MIT */
/* Reading the shadow of a block, where its words don't say all. */
#include "monitor/shadow/read_shadow.h"

/*
 * When a granule that was touched was so first, or later, if it is known of the
 * block; 0 is so, too.  v: its word; k: its number.
 */
static uint32_t
first_of(uint64_t i, uint64_t k, uint64_t v)
{
	/* Of the first two it stands in INFO. */
	if (v & MMI_WORD_OWN && k > 1)
		return mmi_shadow_read_epoch(LOAD(&mmi_shadow.blocks[i + k]));
	return mmi_word_stamp(v);
}

COLD void
mmi_shadow_read_rest(struct mmi_found *f, uint64_t i, uint64_t n, uint64_t any,
		     uint32_t first, uint64_t *grain, bool take)
{
	uint32_t tag = f->cut_tag, e;
	uint64_t v, r, w;

	first--;
	for (uint64_t k = 0; k < n; k++) {
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
		if (grain) {
			STORE(&grain[2 * k], grain[2 * k] + r);
			STORE(&grain[2 * k + 1], grain[2 * k + 1] + w);
		}
	}
	if (any & MMI_WORD_OWN)
		f->first = first + 1;
}
