/* SPDX-License-Identifier: MIT */
/*
 * The functions of the Boehm collector.  Calls between them aren't events.
 * Compiled with frame pointers, which ARCH_ENTRY() needs.
 */
#ifndef MEMMON_STATIC

#include "monitor/base/internal.h"

#include <errno.h>
#include <wchar.h>

#include "monitor/base/hook.h"
#include "monitor/base/next.h"
#include "monitor/hooks/collector.h"
#include "monitor/hooks/hooks.h"
#include "monitor/hooks/lisp.h"
#include "monitor/record/sample.h"
#include "monitor/record/usual.h"

#ifdef MEMMON_ACCESS
#define EVENT_ALLOC mmi_event_alloc_other
#define CARRY_FIND(entry, old, size) \
	struct mmi_carry carry_; \
	mmi_event_realloc_carry(entry, old, size, &carry_)
#define CARRY (&carry_)
#define UNKNOWN(p) mmi_use_unknown(p)
#else
#define UNKNOWN(p)
#define EVENT_ALLOC(p, size, e) mmi_usual_alloc(p, size, e, true)
#define CARRY_FIND(entry, old, size)
#define CARRY NULL
#endif

/* Reports a block of the collector. */
static __attribute__((noinline)) void *
counted(void *p, size_t size, const struct arch_entry *e)
{
	EVENT_ALLOC(p, size, e);
	return p;
}

/* A block that isn't in the page of the last one, or is sampled or refused. */
static COLD void *
made_slow(void *p, size_t size, const struct arch_entry *e)
{
	if (LOAD(&mmi_next_ready) == MMI_NEXT_SAMPLED &&
	    mmi_sample_skips(size)) {
		if (!p)
			mmi_event_refused(size);
		return p;
	}
	if (!p) {
		mmi_event_alloc(p, size, e);
		return p;
	}
	mmi_collector_page(p);
	return LOAD(&mmi_lisp_on) ? mmi_lisp_made(p, size, e)
				  : counted(p, size, e);
}

/* Reports a block of `size' bytes that the collector returned, or NULL. */
static inline void *
made(void *p, size_t size, const struct arch_entry *e)
{
	if (UNLIKELY((uintptr_t)p / ARCH_PAGE != mmi_collector_page_last) ||
	    UNLIKELY(LOAD(&mmi_next_ready) == MMI_NEXT_SAMPLED))
		return made_slow(p, size, e);
	return LOAD(&mmi_lisp_on) ? mmi_lisp_made(p, size, e)
				  : counted(p, size, e);
}

static void
gone(const void *p, const struct arch_entry *e)
{
	if (!mmi_sample_on())
		mmi_event_free(p, e);
	else if (mmi_sample_marked(p))
		mmi_event_free_sampled(p, e);
}

static size_t
product(size_t n, size_t size)
{
	return __builtin_mul_overflow(n, size, &size) ? SIZE_MAX : size;
}

/*
 * The size of a string with at most n characters of `wide' bytes each, in
 * bytes.
 */
static size_t
string_size(const void *string, size_t n, size_t wide)
{
	const char *s = string;
	size_t i = 0;

	while (i < n && (wide == 1 ? s[i] : ((const wchar_t *)string)[i]))
		i++;
	return (i + 1) * wide;
}

/* The collector reports events before it does anything else. */
#define NEXT(name) \
	static void *next##name; \
	static COLD void *find##name(uintptr_t caller) \
	{ \
		void *p = mmi_collector_next(#name, (void *)name, caller); \
\
		STORE(&next##name, p); \
		if (p && !LOAD(&mmi_collector_ready)) \
			mmi_collector_begin(); \
		return p; \
	}

/* In a program without the collector these functions call malloc's. */
#define FOUND(name, type, params, none) \
	type(*next) params = (type(*) params)LOAD(&next##name); \
\
	if (UNLIKELY(!next) && !(next = (type(*) params)find##name(e.pc))) \
	return none

/*
 * A function that returns a block.  If another function of the collector calls
 * it, the block isn't the program's: this is checked before anything else.
 */
#define MAKE(name, params, args, bytes) \
	extern void *name params; \
	NEXT(name) \
	static COLD COLLECTOR_HOOKS void *first_##name( \
		const struct arch_entry *e, HOOK_PLAIN params) \
	{ \
		void *(*next)params = (void *(*)params)find##name(e->pc); \
\
		if (!next) \
			return mmi_hooks_calloc(1, bytes); \
		if (mmi_collector_own(e->pc)) \
			return next args; \
		return made(next args, bytes, e); \
	} \
	EXPORT COLLECTOR_HOOKS void *name params \
	{ \
		void *(*next)params = (void *(*)params)LOAD(&next##name); \
		uintptr_t pc = (uintptr_t)__builtin_return_address(0); \
		struct arch_entry e; \
\
		if (LIKELY(next) && mmi_collector_own(pc)) \
			return next args; \
		e = ARCH_ENTRY(); \
		if (UNLIKELY(!next)) \
			return first_##name(&e, HOOK_PLAIN args); \
		return made(next args, bytes, &e); \
	} \
	HOOK_UNLINKED(name)

/* A MAKE whose block begins before the address that it returns. */
#define MAKE_INSIDE(name, params, args, bytes) \
	MAKE(name, params, args, (STORE(&mmi_collector_inside, true), bytes))

/* A function that frees a block. */
#define FREE(name) \
	extern void name(void *p); \
	NEXT(name) \
	EXPORT COLLECTOR_HOOKS void name(void *p) \
	{ \
		struct arch_entry e = ARCH_ENTRY(); \
		FOUND(name, void, (void *), mmi_hooks_free(p)); \
\
		if (p && !mmi_collector_own(e.pc)) \
			gone(p, &e); \
		next(p); \
	} \
	HOOK_UNLINKED(name)

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
MAKE(GC_wcsdup, (const wchar_t *s), (s), string_size(s, SIZE_MAX, sizeof(*s)))

/* By GC_DEBUG: with the place in the source code. */
#define PLACE const char *file, int line
MAKE_INSIDE(GC_debug_malloc, (size_t n, PLACE), (n, file, line), n)
MAKE_INSIDE(GC_debug_malloc_atomic, (size_t n, PLACE), (n, file, line), n)
MAKE_INSIDE(GC_debug_malloc_uncollectable, (size_t n, PLACE), (n, file, line),
	    n)
MAKE_INSIDE(GC_debug_malloc_atomic_uncollectable, (size_t n, PLACE),
	    (n, file, line), n)
MAKE_INSIDE(GC_debug_malloc_stubborn, (size_t n, PLACE), (n, file, line), n)
MAKE_INSIDE(GC_debug_malloc_ignore_off_page, (size_t n, PLACE), (n, file, line),
	    n)
MAKE_INSIDE(GC_debug_malloc_atomic_ignore_off_page, (size_t n, PLACE),
	    (n, file, line), n)
MAKE_INSIDE(GC_debug_malloc_replacement, (size_t n), (n), n)
MAKE_INSIDE(GC_debug_strdup, (const char *s, PLACE), (s, file, line),
	    s ? string_size(s, SIZE_MAX, 1) : 0)
MAKE_INSIDE(GC_debug_strndup, (const char *s, size_t n, PLACE),
	    (s, n, file, line), string_size(s, n, 1))

FREE(GC_free)
FREE(GC_debug_free)

/* Many blocks of a size: each begins with the address of the next. */
static void
made_many(void *list, size_t size, const struct arch_entry *e)
{
	for (; list && !mmi_collector_own(e->pc); list = *(void **)list)
		made(list, size, e);
}

extern void *GC_malloc_many(size_t n);
NEXT(GC_malloc_many)
EXPORT COLLECTOR_HOOKS void *
GC_malloc_many(size_t n)
{
	struct arch_entry e = ARCH_ENTRY();
	FOUND(GC_malloc_many, void *, (size_t), NULL);
	void *p = next(n);

	made_many(p, n, &e);
	return p;
}
HOOK_UNLINKED(GC_malloc_many)

extern void GC_generic_malloc_many(size_t n, int kind, void **list);
NEXT(GC_generic_malloc_many)
EXPORT COLLECTOR_HOOKS void
GC_generic_malloc_many(size_t n, int kind, void **list)
{
	struct arch_entry e = ARCH_ENTRY();
	FOUND(GC_generic_malloc_many, void, (size_t, int, void **), );

	next(n, kind, list);
	made_many(*list, n, &e);
}
HOOK_UNLINKED(GC_generic_malloc_many)

extern int GC_posix_memalign(void **p, size_t align, size_t n);
NEXT(GC_posix_memalign)
EXPORT COLLECTOR_HOOKS int
GC_posix_memalign(void **p, size_t align, size_t n)
{
	struct arch_entry e = ARCH_ENTRY();
	FOUND(GC_posix_memalign, int, (void **, size_t, size_t), ENOMEM);
	int r = next(p, align, n);

	if (!mmi_collector_own(e.pc))
		made(r ? NULL : *p, n, &e);
	return r;
}
HOOK_UNLINKED(GC_posix_memalign)

/* A function that resizes a block. */
static uint64_t
resize_begin(void *old)
{
	if (!mmi_sample_on())
		return mmi_event_realloc_begin(old);
	UNKNOWN(old);
	gone(old, NULL);
	return 0;
}

static void
resize_end(uint64_t entry, void *old, void *p, size_t n,
	   const struct arch_entry *e, struct mmi_carry *carry)
{
	if (p)
		mmi_collector_page(p);
	if (!mmi_sample_on()) {
		mmi_event_realloc_end(entry, old, p, n, !n, true, e, carry);
	} else if (p) {
		made(p, n, e);
		/* It may be an older block: its earlier accesses are
		 * unknown. */
		UNKNOWN(p);
	}
}

#define RESIZE(name, params, args, lies_inside) \
	extern void *name params; \
	NEXT(name) \
	EXPORT COLLECTOR_HOOKS void *name params \
	{ \
		struct arch_entry e = ARCH_ENTRY(); \
		FOUND(name, void *, params, mmi_hooks_realloc(old, n)); \
		uint64_t entry; \
		void *p; \
\
		if (mmi_collector_own(e.pc)) \
			return next args; \
		if (lies_inside) \
			STORE(&mmi_collector_inside, true); \
		if (!old) \
			return made(next args, n, &e); \
		entry = resize_begin(old); \
		CARRY_FIND(entry, old, n); \
		p = next args; \
		resize_end(entry, old, p, n, &e, CARRY); \
		return p; \
	} \
	HOOK_UNLINKED(name)
RESIZE(GC_realloc, (void *old, size_t n), (old, n), false)
RESIZE(GC_debug_realloc, (void *old, size_t n, PLACE), (old, n, file, line),
       true)
RESIZE(GC_debug_realloc_replacement, (void *old, size_t n), (old, n), true)

/* It comes before any block. */
extern void GC_init(void);
NEXT(GC_init)
EXPORT COLLECTOR_HOOKS void
GC_init(void)
{
	struct arch_entry e = ARCH_ENTRY();
	FOUND(GC_init, void, (void), );

	next();
}
HOOK_UNLINKED(GC_init)

/* We call the function that the program sets. */
extern void GC_set_on_collection_event(mmi_collector_on_event f);
NEXT(GC_set_on_collection_event)
EXPORT COLLECTOR_HOOKS void
GC_set_on_collection_event(mmi_collector_on_event f)
{
	struct arch_entry e = ARCH_ENTRY();
	FOUND(GC_set_on_collection_event, void, (mmi_collector_on_event), );

	STORE(&mmi_collector_event, f);
	if (LOAD_ACQ(&mmi_collector_ready) != 2)
		next(f);
}
HOOK_UNLINKED(GC_set_on_collection_event)

extern void GC_register_has_static_roots_callback(mmi_collector_has_roots f);
NEXT(GC_register_has_static_roots_callback)
EXPORT COLLECTOR_HOOKS void
GC_register_has_static_roots_callback(mmi_collector_has_roots f)
{
	struct arch_entry e = ARCH_ENTRY();
	FOUND(GC_register_has_static_roots_callback, void,
	      (mmi_collector_has_roots), );

	STORE(&mmi_collector_roots, f);
	if (LOAD_ACQ(&mmi_collector_ready) != 2)
		next(f);
}
HOOK_UNLINKED(GC_register_has_static_roots_callback)

extern mmi_collector_on_event GC_get_on_collection_event(void);
EXPORT mmi_collector_on_event
GC_get_on_collection_event(void)
{
	return LOAD(&mmi_collector_event);
}
HOOK_UNLINKED(GC_get_on_collection_event)

#endif
