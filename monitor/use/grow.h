/* SPDX-License-Identifier: MIT */
/*
 * Runs of ever larger blocks, each replacing the one before, as a growing
 * vector makes them.  A thread's newest block of a node continues a run if it
 * is larger than the block before, and if the same thread freed that block at
 * most MONOUT_NEAR of its allocations before or after the newest block was
 * made.  This is true for realloc(), for free() and malloc(), and for malloc(),
 * a copy and free(); but not for blocks that live side by side.
 */
#ifndef MEMMON_USE_GROW_H
#define MEMMON_USE_GROW_H

#include "monitor/counts/cells.h"

/*
 * Replaces the address of a block that is gone; the rest is the thread's seq.
 */
#define MMI_GROW_GONE (1ull << 63)

/* The blocks of a node that one thread allocated. */
struct mmi_grow {
	uint64_t last;	 /* newest block: its address, or its end */
	uint64_t size;	 /* its size, thread's seq before it, run */
	uint64_t seq;
	uint64_t before; /* the block before, if live and smaller */
	uint32_t run, before_run;
};

bool mmi_grow_made_slow(const struct mmi_thread *t, struct mmi_grow *g,
			uint64_t p, uint64_t size);
void mmi_grow_gone_slow(const struct mmi_thread *t, struct mmi_grow *g,
			uint64_t p);

/* Marks a live block as the RUN_MIN'th or a later one of a run. */
void mmi_grow_mark(uint64_t p);

/*
 * t has allocated a block of `size' bytes of its cell c: is the block known
 * already to be the RUN_MIN'th or a later one of a run?  ctx: hook.
 */
static inline bool
mmi_grow_made(const struct mmi_thread *t, struct mmi_cell *c, const void *p,
	      uint64_t size)
{
	if (LIKELY(!c->grow)) {
		c->last = (uintptr_t)p;
		return false;
	}
	return mmi_grow_made_slow(t, c->grow, (uintptr_t)p, size);
}

/* The block's own thread t frees or resizes it.  ctx: hook. */
static inline __attribute__((always_inline)) void
mmi_grow_gone(const struct mmi_thread *t, struct mmi_cell *c, const void *p)
{
	struct mmi_grow *g = c->grow;

	if (LIKELY(!g)) {
		if (c->last == (uintptr_t)p)
			c->last = MMI_GROW_GONE | t->pub->seq;
	} else if (g->last == (uintptr_t)p || g->before == (uintptr_t)p) {
		mmi_grow_gone_slow(t, g, (uintptr_t)p);
	}
}

#endif
