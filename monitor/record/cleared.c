/* SPDX-License-Identifier: MIT */
/* Blocks of calloc: see cleared.h. */
#include "monitor/record/cleared.h"

#include "monitor/base/sampling.h"
#include "monitor/monimg.h"
#include "monitor/record/figures.h"
#include "monitor/record/usual.h"

/* The usual case: a block of this thread, whose call path called before. */
static inline bool
cleared_again(const void *p, uint64_t size)
{
	uint32_t *at = mmi_live_flat(p), v = LIKELY(at) ? LOAD(at) : 0;
	struct mmi_thread *t = mmi_thread_me;
	struct monimg_figure *x;
	struct mmi_fate *f;

	if (UNLIKELY(!t) || UNLIKELY((v & MMI_LIVE_MARKS) != t->mark) ||
	    UNLIKELY(mmi_sample_on()))
		return false;
	f = mmi_cells_at(v & (MMI_LIVE_FIRST_CELLS - 1))->fate;
	if (UNLIKELY(!f) || UNLIKELY(!(x = f->figures)) ||
	    UNLIKELY(!mmi_usual_enter((uintptr_t)__builtin_frame_address(0))))
		return false;
	x += MONOUT_FIGURE_CLEARED_BLOCKS;
	STORE(&x->sum, x->sum + 1);
	x += MONOUT_FIGURE_CLEARED - MONOUT_FIGURE_CLEARED_BLOCKS;
	STORE(&x->sum, x->sum + size);
	mmi_usual_leave(t);
	return true;
}

void
mmi_cleared(const void *p, uint64_t size)
{
	struct mmi_thread *t;
	struct mmi_cell *c;
	uint64_t entry;

	if (UNLIKELY(!p) || LIKELY(cleared_again(p, size)))
		return;
	entry = mmi_live_peek(p);
	t = entry ? mmi_thread_enter_on() : NULL;
	if (!t)
		return;
	c = mmi_cells_at(mmi_live_cell(entry));
	if (LIKELY(mmi_cell_owner(c) == t->owner) &&
	    LIKELY(!mmi_cells_inherited(c->number))) {
		mmi_figures_add(t, c, MONOUT_FIGURE_CLEARED_BLOCKS, 1, size);
		mmi_figures_add(t, c, MONOUT_FIGURE_CLEARED, size, size);
	}
	mmi_thread_leave(t);
}
