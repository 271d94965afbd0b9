/* SPDX-License-Identifier: MIT */
/* Cache lines and pages with live blocks. */
#include "monitor/costs/cache_lines.h"

#include <string.h>

#include "monitor/base/next.h"
#include "monitor/counts/cells.h"
#include "monitor/counts/live.h"
#include "monitor/counts/timed.h"
#include "monitor/costs/ever_used.h"
#ifdef MEMMON_ACCESS
#include "monitor/shadow/shadow.h"
#endif

#define LINE 64u
#define LINES (ARCH_PAGE / LINE)
/* Call paths of a line's blocks; a block has at least 16 bytes. */
#define BLOCKS 4u
#define PATHS 1024u /* call paths with shared lines; a power of two */

/*
 * Blocks come page by page, upwards.  At most one block goes on after the page
 * in which it begins, and all following pages up to its end belong to it alone.
 */
struct walk {
	struct mmi_cache_lines *l;
	uintptr_t page; /* the current page */
	/* Where the block that goes on after the page ends; 0: none. */
	uintptr_t tail;
	uint32_t tail_of; /* that block's thread */
	bool tail_passed;
	uint32_t tail_node;
	/* The lines of the page. */
	uint32_t thread[LINES]; /* 0: no block there yet */
	bool used[LINES], shared[LINES], passed[LINES];
	/* Nodes of the line's blocks; 0: no more. */
	uint32_t node[LINES][BLOCKS];
};

static struct walk walk; /* a stack may be small; one at a time */

/* The thread that allocated the block; 0: not known. */
static uint32_t
thread_of(uint64_t entry)
{
	uint32_t tail = mmi_live_tail(entry), of;

	of = entry & MMI_LIVE_TIMED ? LOAD(&mmi_timed_at(tail)->ordinal)
				    : MMI_LIVE_ORDINAL(tail);
	return of == MMI_LIVE_NOBODY ? 0 : of;
}

/* By node, at most some places from its hash; the last one sums up others. */
static struct mmi_cache_lines_of share[PATHS + 1];

static void
share_add(uint32_t node, bool passive)
{
	unsigned i = node * 2654435761u % PATHS, k = 0;

	for (; k < 32 && share[i].node && share[i].node != node; k++)
		i = (i + 1) % PATHS;
	if (k == 32 || !node)
		i = PATHS;
	else
		share[i].node = node;
	if (passive)
		share[i].passive++;
	else
		share[i].active++;
}

const struct mmi_cache_lines_of *
mmi_cache_lines_of(unsigned *n)
{
	*n = PATHS + 1;
	return share;
}

static void
line(struct walk *w, unsigned i, uint32_t of, bool passed, uint32_t node)
{
	unsigned k = 0;

	w->used[i] = true;
	while (k < BLOCKS && w->node[i][k] && w->node[i][k] != node)
		k++;
	if (k < BLOCKS)
		w->node[i][k] = node;
	if (!of)
		return;
	if (w->thread[i] && w->thread[i] != of)
		w->shared[i] = true;
	w->thread[i] = of;
	w->passed[i] |= passed;
}

/* All blocks of the page are known: count it. */
static void
page_done(struct walk *w)
{
	bool any = false;

	for (unsigned i = 0; i < LINES; i++) {
		if (!w->used[i])
			continue;
		any = true;
		w->l->lines++;
		if (w->shared[i] && w->passed[i])
			w->l->passive++;
		else if (w->shared[i])
			w->l->active++;
		for (unsigned k = 0; k < BLOCKS && w->shared[i]; k++)
			if (w->node[i][k])
				share_add(w->node[i][k], w->passed[i]);
	}
	w->l->pages += any;
	memset(w->thread, 0, sizeof(w->thread));
	memset(w->used, 0, sizeof(w->used));
	memset(w->shared, 0, sizeof(w->shared));
	memset(w->passed, 0, sizeof(w->passed));
	memset(w->node, 0, sizeof(w->node));
}

/* Go on to `page', which is above the current one. */
static void
page_next(struct walk *w, uintptr_t page)
{
	uintptr_t next = w->page + ARCH_PAGE, last;

	page_done(w);
	w->page = page;
	if (w->tail <= next)
		return;
	last = (w->tail - 1) & ~(uintptr_t)(ARCH_PAGE - 1);
	if (last > page)
		last = page;
	/* Whole pages of the block alone. */
	w->l->pages += (last - next) / ARCH_PAGE;
	w->l->lines += (last - next) / LINE;
	for (uintptr_t a = last; a < w->tail && a < last + ARCH_PAGE; a += LINE)
		line(w, (unsigned)((a - last) / LINE), w->tail_of,
		     w->tail_passed, w->tail_node);
	w->tail = 0;
	if (last < page)
		page_done(w);
}

/*
 * The size of a block whose cell counts all sizes of a class: its usable size,
 * if no other thread can free it meanwhile; else the mean size of such blocks.
 */
static uint64_t
usable_or_mean(uintptr_t a, const struct mmi_cell *c)
{
	const struct mmi_extra *x = LOAD_ACQ(&c->extra);
	uint64_t n = LOAD(&c->allocs);

	if (!mmi_costs_parallel() && mmi_next.malloc_usable_size)
		return mmi_next.malloc_usable_size((void *)a);
	return x && n ? LOAD(&x->bytes) / n : 1;
}

static void
block(uintptr_t a, uint64_t entry, void *arg)
{
	struct walk *w = arg;
	const struct mmi_cell *c = mmi_cells_at(mmi_live_cell(entry));
	uintptr_t page = a & ~(uintptr_t)(ARCH_PAGE - 1), end;
	uint64_t size = c ? mmi_cell_size(c) : 0;
	uint32_t of = thread_of(entry), node = c ? mmi_cell_node(c) : 0;
	bool passed = mmi_ever_used_passed(a);

	if (!c)
		return;
	if (size >= MMI_CELL_ANY) {
		size = usable_or_mean(a, c);
		w->l->guessed++;
	}
	size += !size;
	if (page != w->page)
		page_next(w, page);
	end = a + size;
	w->l->bytes += size;
	for (uintptr_t at = a & ~(uintptr_t)(LINE - 1);
	     at < end && at < page + ARCH_PAGE; at += LINE)
		line(w, (unsigned)((at - page) / LINE), of, passed, node);
	if (end > page + ARCH_PAGE && end > w->tail) {
		w->tail = end;
		w->tail_of = of;
		w->tail_passed = passed;
		w->tail_node = node;
	}
}

#ifdef MEMMON_ACCESS
/* The shadow drops upper bits: use those of an address that was a block's. */
static void
shadow_block(uint64_t granule, uint64_t entry, void *arg)
{
	const unsigned bits = MMI_SHADOW_BITS + MEMMON_GRANULE_SHIFT;
	uintptr_t low = granule << MEMMON_GRANULE_SHIFT, a;

	for (uintptr_t top = 0; top < 1ull << (ARCH_ADDR_BITS - bits); top++) {
		a = low | top << bits;
		if (mmi_ever_used(a)) {
			block(a, entry, arg);
			return;
		}
	}
}
#endif

void
mmi_cache_lines_look(struct mmi_cache_lines *l)
{
	memset(&walk, 0, sizeof(walk));
	memset(l, 0, sizeof(*l));
	memset(share, 0, sizeof(share));
	walk.l = l;
	mmi_live_walk(block, &walk);
	page_next(&walk, UINTPTR_MAX & ~(uintptr_t)(ARCH_PAGE - 1));
#ifdef MEMMON_ACCESS
	/*
	 * The shadow has most blocks: in ascending order, too, but without the
	 * upper bits.
	 */
	walk.page = walk.tail = 0;
	mmi_shadow_walk(shadow_block, &walk);
	page_next(&walk, UINTPTR_MAX & ~(uintptr_t)(ARCH_PAGE - 1));
#endif
}
