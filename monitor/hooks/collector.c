/* SPDX-License-Identifier: MIT */
/*
 * The functions of the Boehm collector.  What one calls of the others isn't an
 * event.  Compiled with frame pointers, which ARCH_ENTRY() needs.
 */
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
#include "monitor/hooks/lisp.h"
#include "monitor/record/sample.h"
#include "monitor/record/usual.h"

/* ------------------------------------------------------------ its pages -- */

/* A bit for each page; it doesn't share them with other allocators. */
#define LEAF_BITS 18u
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

static inline void
page_add(const void *p)
{
	uintptr_t page = (uintptr_t)p / ARCH_PAGE;
	uint32_t *leaf, bit = 1u << page % 32, *at;

	if (UNLIKELY(page >> LEAF_BITS >= ROOTS))
		return;
	leaf = LOAD_ACQ(&pages[page >> LEAF_BITS]);
	if (UNLIKELY(!leaf) && !(leaf = leaf_make(page >> LEAF_BITS)))
		return;
	at = &leaf[page % (1u << LEAF_BITS) / 32];
	if (UNLIKELY(!(LOAD(at) & bit)))
		__atomic_fetch_or(at, bit, __ATOMIC_RELAXED);
}

bool
mmi_collector_has(uintptr_t a)
{
	uintptr_t page = a / ARCH_PAGE;
	const uint32_t *leaf = page >> LEAF_BITS < ROOTS
				       ? LOAD_ACQ(&pages[page >> LEAF_BITS])
				       : NULL;

	return leaf && LOAD(&leaf[page % (1u << LEAF_BITS) / 32]) >> page % 32 &
			       1;
}

/* ----------------------------------------------------------- the library -- */

/* Where it is, and we are; 0: not known.  Atomic, `end' last. */
static uintptr_t its_start, its_end, our_start, our_end;

/*
 * Is the caller a function of the collector's own?  One that is called by a jump
 * out of the collector has us as its caller.
 */
static inline bool
is_own(uintptr_t pc)
{
	return pc - its_start < LOAD(&its_end) - its_start ||
	       pc - our_start < our_end - our_start;
}

static COLD void
library_find(void *function)
{
	struct dl_find_object f;

	if (LOAD(&its_end) || _dl_find_object((void *)library_find, &f) != 0)
		return;
	STORE(&our_start, (uintptr_t)f.dlfo_map_start);
	STORE(&our_end, (uintptr_t)f.dlfo_map_end);
	if (_dl_find_object(function, &f) != 0)
		return;
	STORE(&its_start, (uintptr_t)f.dlfo_map_start);
	STORE_REL(&its_end, (uintptr_t)f.dlfo_map_end);
}

/* The function of the collector itself; NULL: there is none. */
static COLD void *
next_of(const char *name, const void *ours, uintptr_t caller)
{
	int e = errno;
	void *p;

	mmi_thread_internal_begin();
	mmi_next_find();
	p = mmi_next_symbol(name);
	if (!p)
		p = mmi_lookup_from(caller - 1, name, ours);
	mmi_next_forget();
	if (p == ours)
		p = NULL;
	if (p)
		library_find(p);
	mmi_thread_internal_end();
	errno = e;
	return p;
}

/* What is asked of it: of versions that have no such function it isn't. */
enum asked { BASE, IS_MARKED, SET_EVENT, COLLECT, ON_DEMAND, NOTIFIER, ROOTS_OF, NASKED };
static void *asked[NASKED];
static int ready; /* atomic: 1, being made; 2, all are there; 3, not all */

/* ----------------------------------------------------------- collections -- */

/* gc.h's GC_EventType: all that is dead is known, and none of it given back. */
#define RECLAIM_END 4

typedef void (*on_event)(int type);
static on_event program_event; /* atomic: what the program has set */

/*
 * A page is the collector's block: of one that was given back all is free.  What
 * begins where we know it to, but for those of debugging functions, needn't be
 * asked where it begins.
 */
static bool inside; /* atomic: there were such */
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
	if (!page->known || LOAD(&inside)) {
		start = base(start);
		page->gone = !start;
		page->known = true;
	}
	if (!page->gone && is_marked(start))
		return;
	mmi_collector.blocks++;
	if (mmi_sample_on())
		mmi_sample_unmark((void *)a);
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
	on_event of_program = LOAD(&program_event);

	if (type == RECLAIM_END)
		collected();
	if (of_program)
		of_program(type);
}

/*
 * Our data, which has addresses of blocks, isn't the program's, and nothing for
 * the collector: neither to look at nor to measure by.
 */
typedef int (*has_roots)(const char *name, void *start, size_t n);
static has_roots program_roots; /* atomic: what the program has set */

static int
roots_of(const char *name, void *start, size_t n)
{
	has_roots of_program = LOAD(&program_roots);

	if ((uintptr_t)start - our_start < our_end - our_start)
		return 0;
	return of_program ? of_program(name, start, n) : 1;
}

/* Before anything else is asked of it: it tells of itself. */
static COLD void
collector_ready(void)
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

	if (!CAS(&ready, &was, 1))
		return;
	mmi_thread_internal_begin();
	for (unsigned i = 0; i < NASKED; i++) {
		asked[i] = i == SET_EVENT || i == ROOTS_OF ?
				   mmi_next_symbol(names[i])
					  : mmi_lookup_from(its_start, names[i], NULL);
		all &= asked[i] != NULL;
	}
	mmi_next_forget();
	mmi_thread_internal_end();
	if (all) {
		((void (*)(has_roots))asked[ROOTS_OF])(roots_of);
		((void (*)(on_event))asked[SET_EVENT])(event_comes);
	}
	errno = e;
	STORE_REL(&ready, all ? 2 : 3);
}

void
mmi_collector_end(void)
{
	if (LOAD_ACQ(&ready) != 2)
		return;
	mmi_lisp_settle();
	((void (*)(int))asked[ON_DEMAND])(1);
	((void (*)(void (*)(void)))asked[NOTIFIER])(NULL);
	((void (*)(void))asked[COLLECT])();
}

/* --------------------------------------------------------------- the hooks -- */

#ifdef MEMMON_ACCESS
#define EVENT_ALLOC mmi_event_alloc_other
#define CARRY_FIND(entry, old, size) \
	struct mmi_carry carry_; \
	mmi_event_realloc_carry(entry, old, size, &carry_)
#define CARRY (&carry_)
#else
#define EVENT_ALLOC(p, size, e) mmi_usual_alloc(p, size, e, true)
#define CARRY_FIND(entry, old, size)
#define CARRY NULL
#endif

/* A block that it returned, or NULL, of `size' bytes. */
static void *
made(void *p, size_t size, const struct arch_entry *e)
{
	if (LOAD(&mmi_next_ready) == MMI_NEXT_SAMPLED && mmi_sample_skips(size)) {
		if (!p)
			mmi_event_refused(size);
		return p;
	}
	if (UNLIKELY(!p)) {
		mmi_event_alloc(p, size, e);
		return p;
	}
	page_add(p);
	if (!LOAD(&mmi_lisp_on) || !mmi_lisp_made(p, size, e))
		EVENT_ALLOC(p, size, e);
	return p;
}

static void
gone(const void *p)
{
	if (!mmi_sample_on())
		mmi_event_free(p);
	else if (mmi_sample_marked(p))
		mmi_event_free_sampled(p);
}

static size_t
product(size_t n, size_t size)
{
	return __builtin_mul_overflow(n, size, &size) ? SIZE_MAX : size;
}

/* Bytes of a string of characters of so many bytes, at most n of them. */
static size_t
string_size(const void *string, size_t n, size_t wide)
{
	const char *s = string;
	size_t i = 0;

	while (i < n && (wide == 1 ? s[i] : ((const wchar_t *)string)[i]))
		i++;
	return (i + 1) * wide;
}

/* Not for linking: a program that lacks libgc must not find it here. */
#define GC_SHOWN(name) VERSIONED(name, "2.2.5, remove")

#define NEXT(name) \
	static void *next##name; \
	static COLD void *find##name(uintptr_t caller) \
	{ \
		void *p = next_of(#name, (void *)name, caller); \
\
		STORE(&next##name, p); \
		return p; \
	}

/* In a program without the collector they are malloc's. */
#define FOUND(name, type, params, none) \
	type(*next) params = (type(*) params)LOAD(&next##name); \
\
	if (UNLIKELY(!next) && \
	    !(next = (type(*) params)find##name(e.pc))) \
		return none; \
	if (UNLIKELY(!LOAD(&ready))) \
	collector_ready()

/* One that returns a block. */
#define MAKE(name, params, args, bytes) \
	extern void *name params; \
	NEXT(name) \
	EXPORT void *name params \
	{ \
		struct arch_entry e = ARCH_ENTRY(); \
		FOUND(name, void *, params, mmi_hooks_calloc(1, bytes)); \
\
		if (is_own(e.pc)) \
			return next args; \
		return made(next args, bytes, &e); \
	} \
	GC_SHOWN(name)

/* The same of one whose block doesn't begin with what it returns. */
#define MAKE_INSIDE(name, params, args, bytes) \
	MAKE(name, params, args, (STORE(&inside, true), bytes))

/* One that gives it back. */
#define FREE(name) \
	extern void name(void *p); \
	NEXT(name) \
	EXPORT void name(void *p) \
	{ \
		struct arch_entry e = ARCH_ENTRY(); \
		FOUND(name, void, (void *), mmi_hooks_free(p)); \
\
		if (p && !is_own(e.pc)) \
			gone(p); \
		next(p); \
	} \
	GC_SHOWN(name)

MAKE(GC_malloc, (size_t n), (n), n)
MAKE(GC_malloc_atomic, (size_t n), (n), n)
MAKE(GC_malloc_uncollectable, (size_t n), (n), n)
MAKE(GC_malloc_atomic_uncollectable, (size_t n), (n), n)
MAKE(GC_malloc_stubborn, (size_t n), (n), n)
MAKE(GC_malloc_ignore_off_page, (size_t n), (n), n)
MAKE(GC_malloc_atomic_ignore_off_page, (size_t n), (n), n)
MAKE(GC_valloc, (size_t n), (n), n)
MAKE(GC_pvalloc, (size_t n), (n), n)
MAKE(GC_memalign, (size_t align, size_t n), (align, n), n)
MAKE(GC_malloc_kind, (size_t n, int kind), (n, kind), n)
MAKE(GC_malloc_kind_global, (size_t n, int kind), (n, kind), n)
MAKE(GC_generic_malloc, (size_t n, int kind), (n, kind), n)
MAKE(GC_generic_malloc_ignore_off_page, (size_t n, int kind), (n, kind), n)
MAKE(GC_generic_malloc_uncollectable, (size_t n, int kind), (n, kind), n)
MAKE(GC_malloc_explicitly_typed, (size_t n, size_t type), (n, type), n)
MAKE(GC_malloc_explicitly_typed_ignore_off_page, (size_t n, size_t type),
     (n, type), n)
MAKE(GC_calloc_explicitly_typed, (size_t n, size_t size, size_t type),
     (n, size, type), product(n, size))
MAKE(GC_gcj_malloc, (size_t n, void *table), (n, table), n)
MAKE(GC_gcj_malloc_ignore_off_page, (size_t n, void *table), (n, table), n)
MAKE(GC_finalized_malloc, (size_t n, const void *c), (n, c), n)
MAKE(GC_strdup, (const char *s), (s), s ? string_size(s, SIZE_MAX, 1) : 0)
MAKE(GC_strndup, (const char *s, size_t n), (s, n), string_size(s, n, 1))
MAKE(GC_wcsdup, (const wchar_t *s), (s),
     string_size(s, SIZE_MAX, sizeof(*s)))

/* By GC_DEBUG: with the place in the source. */
#define PLACE const char *file, int line
MAKE_INSIDE(GC_debug_malloc, (size_t n, PLACE), (n, file, line), n)
MAKE_INSIDE(GC_debug_malloc_atomic, (size_t n, PLACE), (n, file, line), n)
MAKE_INSIDE(GC_debug_malloc_uncollectable, (size_t n, PLACE), (n, file, line), n)
MAKE_INSIDE(GC_debug_malloc_atomic_uncollectable, (size_t n, PLACE), (n, file, line),
     n)
MAKE_INSIDE(GC_debug_malloc_stubborn, (size_t n, PLACE), (n, file, line), n)
MAKE_INSIDE(GC_debug_malloc_ignore_off_page, (size_t n, PLACE), (n, file, line), n)
MAKE_INSIDE(GC_debug_malloc_atomic_ignore_off_page, (size_t n, PLACE),
     (n, file, line), n)
MAKE_INSIDE(GC_debug_malloc_replacement, (size_t n), (n), n)
MAKE_INSIDE(GC_debug_strdup, (const char *s, PLACE), (s, file, line),
     s ? string_size(s, SIZE_MAX, 1) : 0)
MAKE_INSIDE(GC_debug_strndup, (const char *s, size_t n, PLACE), (s, n, file, line),
     string_size(s, n, 1))

FREE(GC_free)
FREE(GC_debug_free)

/* Many blocks of a size: each begins with the address of the next. */
static void
made_many(void *list, size_t size, const struct arch_entry *e)
{
	for (; list && !is_own(e->pc); list = *(void **)list)
		made(list, size, e);
}

extern void *GC_malloc_many(size_t n);
NEXT(GC_malloc_many)
EXPORT void *
GC_malloc_many(size_t n)
{
	struct arch_entry e = ARCH_ENTRY();
	FOUND(GC_malloc_many, void *, (size_t), NULL);
	void *p = next(n);

	made_many(p, n, &e);
	return p;
}
GC_SHOWN(GC_malloc_many)

extern void GC_generic_malloc_many(size_t n, int kind, void **list);
NEXT(GC_generic_malloc_many)
EXPORT void
GC_generic_malloc_many(size_t n, int kind, void **list)
{
	struct arch_entry e = ARCH_ENTRY();
	FOUND(GC_generic_malloc_many, void, (size_t, int, void **), );

	next(n, kind, list);
	made_many(*list, n, &e);
}
GC_SHOWN(GC_generic_malloc_many)

extern int GC_posix_memalign(void **p, size_t align, size_t n);
NEXT(GC_posix_memalign)
EXPORT int
GC_posix_memalign(void **p, size_t align, size_t n)
{
	struct arch_entry e = ARCH_ENTRY();
	FOUND(GC_posix_memalign, int, (void **, size_t, size_t), ENOMEM);
	int r = next(p, align, n);

	if (!is_own(e.pc))
		made(r ? NULL : *p, n, &e);
	return r;
}
GC_SHOWN(GC_posix_memalign)

/* One that resizes a block: `call' makes another of it. */
static uint64_t
resize_begin(void *old)
{
	if (!mmi_sample_on())
		return mmi_event_realloc_begin(old);
	gone(old);
	return 0;
}

static void
resize_end(uint64_t entry, void *old, void *p, size_t n,
	   const struct arch_entry *e, struct mmi_carry *carry)
{
	if (p)
		page_add(p);
	if (!mmi_sample_on())
		mmi_event_realloc_end(entry, old, p, n, !n, true, e, carry);
	else if (p)
		made(p, n, e);
}

#define RESIZE(name, params, args, lies_inside) \
	extern void *name params; \
	NEXT(name) \
	EXPORT void *name params \
	{ \
		struct arch_entry e = ARCH_ENTRY(); \
		FOUND(name, void *, params, mmi_hooks_realloc(old, n)); \
		uint64_t entry; \
		void *p; \
\
		if (is_own(e.pc)) \
			return next args; \
		if (lies_inside) \
			STORE(&inside, true); \
		if (!old) \
			return made(next args, n, &e); \
		entry = resize_begin(old); \
		CARRY_FIND(entry, old, n); \
		p = next args; \
		resize_end(entry, old, p, n, &e, CARRY); \
		return p; \
	} \
	GC_SHOWN(name)
RESIZE(GC_realloc, (void *old, size_t n), (old, n), false)
RESIZE(GC_debug_realloc, (void *old, size_t n, PLACE), (old, n, file, line),
       true)
RESIZE(GC_debug_realloc_replacement, (void *old, size_t n), (old, n), true)

/* Before it is, nothing is. */
extern void GC_init(void);
NEXT(GC_init)
EXPORT void
GC_init(void)
{
	struct arch_entry e = ARCH_ENTRY();
	FOUND(GC_init, void, (void), );

	next();
}
GC_SHOWN(GC_init)

/* What the program asks to be told is told it by us. */
extern void GC_set_on_collection_event(on_event f);
NEXT(GC_set_on_collection_event)
EXPORT void
GC_set_on_collection_event(on_event f)
{
	struct arch_entry e = ARCH_ENTRY();
	FOUND(GC_set_on_collection_event, void, (on_event), );

	STORE(&program_event, f);
	if (LOAD_ACQ(&ready) != 2)
		next(f);
}
GC_SHOWN(GC_set_on_collection_event)

extern void GC_register_has_static_roots_callback(has_roots f);
NEXT(GC_register_has_static_roots_callback)
EXPORT void
GC_register_has_static_roots_callback(has_roots f)
{
	struct arch_entry e = ARCH_ENTRY();
	FOUND(GC_register_has_static_roots_callback, void, (has_roots), );

	STORE(&program_roots, f);
	if (LOAD_ACQ(&ready) != 2)
		next(f);
}
GC_SHOWN(GC_register_has_static_roots_callback)

extern on_event GC_get_on_collection_event(void);
EXPORT on_event
GC_get_on_collection_event(void)
{
	return LOAD(&program_event);
}
GC_SHOWN(GC_get_on_collection_event)

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
