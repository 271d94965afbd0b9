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
#include "monitor/record/sample.h"
#include "monitor/record/usual.h"

#ifdef MEMMON_ACCESS
#define EVENT_FREE(p) false
#else
#define EVENT_FREE mmi_usual_free
#endif

/* ------------------------------------------------------------ its pages -- */

/* A bit for each page; it doesn't share them with other allocators. */
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

TLS uintptr_t mmi_collector_page_last;

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
	struct dl_find_object f;

	if (LOAD(&mmi_collector_code.end) ||
	    _dl_find_object((void *)library_find, &f) != 0)
		return;
	STORE(&mmi_collector_code.ours, (uintptr_t)f.dlfo_map_start);
	STORE(&mmi_collector_code.ours_end, (uintptr_t)f.dlfo_map_end);
	if (_dl_find_object(function, &f) != 0)
		return;
	STORE(&mmi_collector_code.start, (uintptr_t)f.dlfo_map_start);
	STORE_REL(&mmi_collector_code.end, (uintptr_t)f.dlfo_map_end);
}

/* The function of the collector itself; NULL: there is none. */
COLD void *
mmi_collector_next(const char *name, const void *ours, uintptr_t caller)
{
	void *p = mmi_next_of(name, ours, caller);

	if (p)
		library_find(p);
	return p;
}

/* What is asked of it: of versions that have no such function it isn't. */
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

/* gc.h's GC_EventType: all that is dead is known, and none of it given back. */
#define RECLAIM_END 4

mmi_collector_on_event mmi_collector_event;

/*
 * A page is the collector's block: of one that was given back all is free. What
 * begins where we know it to, but for those of debugging functions, needn't be
 * asked where it begins.
 */
bool mmi_collector_inside;
struct page {
	bool known, gone;
};

static void
block_look(uintptr_t a, uint64_t entry, void *arg)
{
	void *(*base)(void *) = asked[BASE];
	int (*is_marked)(const void *) = asked[IS_MARKED];
	struct page *page = arg;
	void *start = (void *)a;

	(void)entry;
	if (!page->known || LOAD(&mmi_collector_inside)) {
		start = base(start);
		page->gone = !start;
		page->known = true;
	}
	if (!page->gone && is_marked(start))
		return;
	mmi_collector.blocks++;
	if (mmi_sample_on())
		mmi_sample_unmark((void *)a);
	else if (EVENT_FREE((void *)a))
		return;
	mmi_event_free((void *)a);
}

/* In the pages of a leaf, or NULL. */
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
			mmi_live_walk_page(number * ARCH_PAGE, block_look,
					   &page);
		}
}

/* The collector's lock is held: nobody else has blocks of it now. */
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
 * Our data, which has addresses of blocks, isn't the program's, and nothing for
 * the collector: neither to look at nor to measure by.
 */
mmi_collector_has_roots mmi_collector_roots;

static int
roots_of(const char *name, void *start, size_t n)
{
	mmi_collector_has_roots of_program = LOAD(&mmi_collector_roots);

	if ((uintptr_t)start - mmi_collector_code.ours <
	    mmi_collector_code.ours_end - mmi_collector_code.ours)
		return 0;
	return of_program ? of_program(name, start, n) : 1;
}

/* Before anything else is asked of it: it tells of itself. */
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
