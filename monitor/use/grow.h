/* SPDX-License-Identifier: MIT */
/*
 * Runs of ever larger blocks, each in the place of the one before: as a vector
 * makes them.  A thread's newest block of a node continues the run of the one
 * before it if it is larger and that one goes for it: by the same thread, at
 * most MONOUT_NEAR allocations of that thread before it was made, or as many
 * after.  So it is with realloc(), with free() and malloc(), and with malloc(),
 * a copy and free(); but not with blocks that live side by side.
 */
#ifndef MEMMON_USE_GROW_H
#define MEMMON_USE_GROW_H

#include "monitor/counts/cells.h"

/* Of a block that is gone, in place of its address; with the thread's seq. */
#define MMI_GROW_GONE (1ull << 63)

/* The blocks of a node, as one thread asks for them. */
struct mmi_grow {
	uint64_t last;	 /* the newest one: its address, or when it went */
	uint64_t size;	 /* its size, the thread's seq before it, its run */
	uint64_t seq;
	uint64_t before; /* the one before it, if that is live and smaller */
	uint32_t run, before_run;
};

bool mmi_grow_made_slow(const struct mmi_thread *t, struct mmi_grow *g,
			uint64_t p, uint64_t size);
void mmi_grow_gone_slow(const struct mmi_thread *t, struct mmi_grow *g,
			uint64_t p);

/* Say of a live block that it is the RUN_MIN'th or a later one of a run. */
void mmi_grow_mark(uint64_t p);

/*
 * A block of `size' bytes of a cell of t's: is it known already to be the
 * RUN_MIN'th or a later one of a run?  ctx: hook.
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

/* It goes, freed or resized by t, whose it is.  ctx: hook. */
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
