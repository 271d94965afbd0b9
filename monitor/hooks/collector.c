/* SPDX-License-Identifier: MIT */
/* The Boehm collector: its pages, and its collections. */
#include "monitor/hooks/collector.h"

struct mmi_collector mmi_collector;

#ifndef MEMMON_STATIC

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <wchar.h>

#include "monitor/base/arena.h"
#include "monitor/base/lookup.h"
#include "monitor/base/next.h"
#include "monitor/counts/live.h"
#include "monitor/hooks/hooks.h"
#include "monitor/record/event.h"
#include "monitor/record/record.h"
#include "monitor/record/sample.h"
#include "monitor/thread/enter.h"

/* ------------------------------------------------------------ its pages -- */

/* A bit for each page; the collector shares no page with other allocators. */
#define LEAF_BITS 21u
#define ROOTS (1u << (ARCH_ADDR_BITS - 12 - LEAF_BITS))
static uint32_t *pages[ROOTS]; /* atomic; set once */
static size_t first_root = ROOTS, last_root; /* atomic: in use */

static COLD uint32_t *
leaf_make(size_t root)
{
	uint32_t *leaf = mmi_arena_map((1u << LEAF_BITS) / 8), *none = NULL;

	if (leaf && !CAS(&pages[root], &none, leaf)) {
		mmi_arena_unmap(leaf, (1u << LEAF_BITS) / 8);
		leaf = none;
	}
	if (root < LOAD(&first_root))
		STORE(&first_root, root);
	if (root > LOAD(&last_root))
		STORE(&last_root, root);
	return leaf;
}

TLS uintptr_t mmi_collector_page_last = UINTPTR_MAX;

void
mmi_collector_page_new(uintptr_t page)
{
	uint32_t *leaf, bit = 1u << page % 32, *at;

	if (UNLIKELY(page >> LEAF_BITS >= ROOTS))
		return;
	leaf = LOAD_ACQ(&pages[page >> LEAF_BITS]);
	if (UNLIKELY(!leaf) && !(leaf = leaf_make(page >> LEAF_BITS)))
		return;
	at = &leaf[page % (1u << LEAF_BITS) / 32];
	if (UNLIKELY(!(LOAD(at) & bit)))
		__atomic_fetch_or(at, bit, __ATOMIC_RELAXED);
	mmi_collector_page_last = page;
}

bool
mmi_collector_has(uintptr_t a)
{
	uintptr_t page = a / ARCH_PAGE;
	const uint32_t *leaf = page >> LEAF_BITS < ROOTS
				       ? LOAD_ACQ(&pages[page >> LEAF_BITS])
				       : NULL;

	return leaf &&
	       LOAD(&leaf[page % (1u << LEAF_BITS) / 32]) >> page % 32 & 1;
}

/* ----------------------------------------------------------- the library -- */

struct mmi_collector_code mmi_collector_code;

static COLD void
library_find(void *function)
{
	struct mmi_collector_code *c = &mmi_collector_code;
	struct dl_find_object f;

	if (LOAD(&c->size) || _dl_find_object((void *)library_find, &f) != 0)
		return;
	STORE(&c->ours, (uintptr_t)f.dlfo_map_start);
	STORE(&c->ours_size, (uintptr_t)f.dlfo_map_end - c->ours);
	STORE(&c->hooks, (uintptr_t)__start_collector_hooks);
	STORE(&c->hooks_size, (uintptr_t)__stop_collector_hooks - c->hooks);
	if (_dl_find_object(function, &f) != 0)
		return;
	STORE(&c->start, (uintptr_t)f.dlfo_map_start);
	STORE_REL(&c->size, (uintptr_t)f.dlfo_map_end - c->start);
}

/* The function of the collector itself, or NULL. */
COLD void *
mmi_collector_next(const char *name, const void *ours, uintptr_t caller)
{
	void *p = mmi_next_of(name, ours, caller);

	if (p)
		library_find(p);
	return p;
}

/* The collector's functions that we call; older versions lack some. */
enum asked {
	BASE,
	IS_MARKED,
	SET_EVENT,
	COLLECT,
	ON_DEMAND,
	NOTIFIER,
	ROOTS_OF,
	NASKED
};
static void *asked[NASKED];
int mmi_collector_ready;

/* ----------------------------------------------------------- collections -- */

/*
 * gc.h's GC_EventType: all dead blocks are known, and none is given back yet.
 */
#define RECLAIM_END 4

mmi_collector_on_event mmi_collector_event;

/*
 * The collector divides a page into blocks; if the page was given back, all its
 * blocks are free.  If no block begins before the address that the program has
 * (as blocks of debugging functions do), base() needn't be called for each
 * block.
 */
bool mmi_collector_inside;
struct page {
	bool known, gone;
};

static inline bool
is_gone(struct page *page, uintptr_t a)
{
	void *(*base)(void *) = asked[BASE];
	int (*is_marked)(const void *) = asked[IS_MARKED];
	void *start = (void *)a;

	if (UNLIKELY(!page->known) || UNLIKELY(LOAD(&mmi_collector_inside))) {
		start = base(start);
		page->gone = !start;
		page->known = true;
	}
	return page->gone || !is_marked(start);
}

static void
block_look(uintptr_t a, uint64_t entry, void *arg)
{
	(void)entry;
	if (!is_gone(arg, a))
		return;
	mmi_collector.blocks++;
	if (mmi_sample_on())
		mmi_sample_unmark((void *)a);
	mmi_event_free((void *)a, NULL);
}

#ifndef MEMMON_ACCESS
/* Blocks of one cell that are freed together. */
struct going {
	struct mmi_cell *c;
	uint32_t cell, n;
};

static void
going_end(struct mmi_thread *t, struct going *g)
{
	if (g->n)
		mmi_record_free_some(t, g->c, g->n, g->n * mmi_cell_size(g->c));
	mmi_collector.blocks += g->n;
	g->n = 0;
}

/* Adds a block of this thread; v is its word in the map. */
static inline void
going_add(struct mmi_thread *t, struct going *g, uint32_t v, uintptr_t a)
{
	uint32_t cell = v & (MMI_LIVE_FIRST_CELLS - 1);

	if (UNLIKELY(cell != g->cell)) {
		going_end(t, g);
		g->cell = cell;
		g->c = mmi_cells_at(cell);
	}
	g->n++;
	mmi_record_near(t, g->c, (void *)a, v >> MMI_LIVE_CELL_LOW & 15);
}

/*
 * Frees the dead blocks of a flat page: first this thread's own blocks
 * together, then the other ones.  False: the page isn't flat, or this way isn't
 * possible.
 */
static bool
own_look(uintptr_t a, struct page *page)
{
	uint32_t *at = mmi_live_flat((void *)a), v;
	int (*is_marked)(const void *) = asked[IS_MARKED];
	struct going g = { NULL, UINT32_MAX, 0 };
	unsigned char other[MMI_LIVE_PLACES];
	bool alone = __libc_single_threaded;
	unsigned n = 0, i = 0;
	struct mmi_thread *t;

	if (!at || mmi_sample_on() || LOAD(&mmi_collector_inside))
		return false;
	while (i < MMI_LIVE_PLACES && !LOAD(&at[i]))
		i++;
	if (i == MMI_LIVE_PLACES)
		return true;
	/* The first block tells whether the page was given back. */
	is_gone(page, a + 16 * i);
	t = mmi_thread_enter_on();
	if (!t)
		return false;
	for (; i < MMI_LIVE_PLACES; i++) {
		v = LOAD(&at[i]);
		if (!v)
			continue;
		if (UNLIKELY((v & MMI_LIVE_MARKS) != t->mark))
			other[n++] = (unsigned char)i;
		else if ((page->gone || !is_marked((void *)(a + 16 * i))) &&
			 LIKELY(mmi_live_take_flat(&at[i], v, alone)))
			going_add(t, &g, v, a + 16 * i);
	}
	going_end(t, &g);
	mmi_thread_leave(t);
	while (n-- > 0)
		block_look(a + 16 * other[n], 0, page);
	return true;
}
#else
#define own_look(a, page) false
#endif

/* Checks the blocks in the pages of a leaf; leaf may be NULL. */
static void
leaf_look(size_t root, const uint32_t *leaf)
{
	struct page page;
	size_t number;

	for (size_t i = 0; leaf && i < (1u << LEAF_BITS) / 32; i++)
		for (uint32_t w = LOAD(&leaf[i]); w; w &= w - 1) {
			number = (root << LEAF_BITS) + 32 * i +
				 (unsigned)__builtin_ctz(w);
			page.known = false;
			if (!own_look(number * ARCH_PAGE, &page))
				mmi_live_walk_page(number * ARCH_PAGE,
						   block_look, &page);
		}
}

/* The collector's lock is held: no other thread gets blocks of it now. */
static void
collected(void)
{
	size_t last = LOAD(&last_root);

	mmi_collector.collections++;
	for (size_t root = LOAD(&first_root); root <= last; root++)
		leaf_look(root, LOAD_ACQ(&pages[root]));
}

static void
event_comes(int type)
{
	mmi_collector_on_event of_program = LOAD(&mmi_collector_event);

	if (type == RECLAIM_END)
		collected();
	if (of_program)
		of_program(type);
}

/*
 * Our data contain addresses of blocks, but aren't the program's: the collector
 * must neither search nor count them.
 */
mmi_collector_has_roots mmi_collector_roots;

static int
roots_of(const char *name, void *start, size_t n)
{
	mmi_collector_has_roots of_program = LOAD(&mmi_collector_roots);

	if ((uintptr_t)start - mmi_collector_code.ours <
	    mmi_collector_code.ours_size)
		return 0;
	return of_program ? of_program(name, start, n) : 1;
}

/*
 * Called before any other function of the collector, so that it reports events.
 */
COLD void
mmi_collector_begin(void)
{
	static const char *const names[NASKED] = {
		[BASE] = "GC_base",
		[IS_MARKED] = "GC_is_marked",
		[SET_EVENT] = "GC_set_on_collection_event",
		[COLLECT] = "GC_gcollect",
		[ON_DEMAND] = "GC_set_finalize_on_demand",
		[NOTIFIER] = "GC_set_finalizer_notifier",
		[ROOTS_OF] = "GC_register_has_static_roots_callback",
	};
	int was = 0, e = errno;
	bool all = true;

	if (!CAS(&mmi_collector_ready, &was, 1))
		return;
	mmi_thread_internal_begin();
	for (unsigned i = 0; i < NASKED; i++) {
		asked[i] = i == SET_EVENT || i == ROOTS_OF
				   ? mmi_next_symbol(names[i])
				   : mmi_lookup_from(mmi_collector_code.start,
						     names[i], NULL);
		all &= asked[i] != NULL;
	}
	mmi_next_forget();
	mmi_thread_internal_end();
	if (all) {
		((void (*)(mmi_collector_has_roots))asked[ROOTS_OF])(roots_of);
		((void (*)(mmi_collector_on_event))asked[SET_EVENT])(
			event_comes);
	}
	errno = e;
	STORE_REL(&mmi_collector_ready, all ? 2 : 3);
}

void
mmi_collector_end(void)
{
	if (LOAD_ACQ(&mmi_collector_ready) != 2)
		return;
	((void (*)(int))asked[ON_DEMAND])(1);
	((void (*)(void (*)(void)))asked[NOTIFIER])(NULL);
	((void (*)(void))asked[COLLECT])();
}

#else

bool
mmi_collector_has(uintptr_t a)
{
	(void)a;
	return false;
}

void
mmi_collector_end(void)
{
}

#endif
