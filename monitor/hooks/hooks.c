/* SPDX-License-Identifier: MIT */
/*
 * The allocator's functions: each calls the next allocator's function and
 * reports the event.  Compiled with frame pointers, which ARCH_ENTRY() needs.
 */
#include "monitor/base/hook.h"

#include <errno.h>

#include "monitor/hooks/hooks.h"
#include "monitor/base/next.h"
#include "monitor/chain/modules.h"
#include "monitor/record/backing.h"
#include "monitor/record/event.h"
#include "monitor/record/sample.h"
#include "monitor/record/usual.h"
#include "monitor/thread/enter.h"
#include "monitor/thread/within.h"
#ifdef MEMMON_ACCESS
#include "monitor/shadow/apart.h"
#include "monitor/events/events.h"
#include "monitor/use/use.h"
/* Profiling modules get the event, too, before the block is freed. */
#define TELL_GONE(p) \
	do { \
		if (mmi_events_want(MEMMON_EVENT_FREE) && (p) && \
		    (p) != mmi_hooks_passing && !mmi_thread_internal()) \
			mmi_events_free(p, \
					(uintptr_t)__builtin_return_address( \
						0)); \
	} while (0)
#else
#define TELL_GONE(p) ((void)0)
#endif

TLS const void *mmi_hooks_passing;
TLS struct mmi_asked mmi_hooks_asked;

/* The size to record of an aligned block of `size' bytes. */
static inline size_t
asked(size_t size)
{
	if (UNLIKELY(mmi_hooks_asked.set)) {
		mmi_hooks_asked.set = false;
		if (size == mmi_hooks_asked.rounded)
			return mmi_hooks_asked.size;
	}
	return size;
}

/*
 * How to handle an allocation.  BOOT: not from the program's heap, for calls
 * that the monitor itself makes to the loader, and while the next allocator
 * isn't known.  PASS: allocations of the next allocator itself, which aren't
 * the program's.
 */
enum way { RECORD, SKIP, BOOT, PASS };

/*
 * The usual case: every block is recorded.  In the other cases the hook begins
 * with a jump to a function without a frame (sample_hooks.c); if that can't
 * handle the call, it jumps back here, so ARCH_ENTRY() has the same result.
 */
static inline __attribute__((always_inline)) bool
plain(void)
{
	return LIKELY(LOAD_ACQ(&mmi_next_ready) == MMI_NEXT_PLAIN);
}

/* If mmi_thread_apart() is true. */
static COLD enum way
way_apart(const struct arch_entry *e)
{
	if (mmi_thread_internal())
		return BOOT;
	return mmi_within(e) ? PASS : RECORD;
}

/* way() while blocks are sampled, or before the allocators were looked up. */
static inline __attribute__((always_inline)) enum way
way_other(uint64_t size, const struct arch_entry *e)
{
	enum way w;

	if (UNLIKELY(LOAD_ACQ(&mmi_next_ready) != MMI_NEXT_SAMPLED)) {
		if (!mmi_next_find() || mmi_thread_internal())
			return BOOT;
		if (LOAD_ACQ(&mmi_next_ready) != MMI_NEXT_SAMPLED)
			return RECORD;
	}
	if (UNLIKELY(mmi_thread_apart())) {
		w = way_apart(e);
		if (w != RECORD)
			return w;
	}
	return LIKELY(mmi_sample_skips(size)) ? SKIP : RECORD;
}

static inline __attribute__((always_inline)) enum way
way(uint64_t size, const struct arch_entry *e)
{
	if (plain())
		return LIKELY(!mmi_thread_apart()) ? RECORD : way_apart(e);
	return way_other(size, e);
}

/* The result of the next allocator for a block that isn't recorded. */
static inline void *
skipped(void *p, uint64_t size)
{
	if (UNLIKELY(!p))
		mmi_event_refused(size);
	return p;
}

/* Reports that p is freed.  False: don't pass it to the next allocator. */
static inline __attribute__((always_inline)) bool
going(const void *p, const struct arch_entry *e)
{
	TELL_GONE(p);
	if (plain())
		return LIKELY(p == mmi_hooks_passing || mmi_event_free(p, e));
	if (UNLIKELY(LOAD_ACQ(&mmi_next_ready) != MMI_NEXT_SAMPLED))
		return mmi_next_find() && mmi_event_free(p, e);
	if (LIKELY(!mmi_sample_marked(p)))
		return true;
	return p == mmi_hooks_passing || mmi_event_free_sampled(p, e);
}

/* Allocates for BOOT. */
static COLD void *
boot(size_t size, size_t align)
{
	void *p = mmi_next_boot(size, align);

	if (!p && LOAD(&mmi_next_ready))
		p = align > 16 ? mmi_next.memalign(align, size)
			       : mmi_next.calloc(1, size);
	return p;
}

#ifdef MEMMON_ACCESS
#define CARRY_FIND(entry, old, size) \
	struct mmi_carry carry_; \
	mmi_event_realloc_carry(entry, old, size, &carry_)
#define CARRY (&carry_)
#define EVENT_ALLOC mmi_event_alloc
#define EVENT_FREE(p) false
/* A sample's memory: apart from other blocks, or else by `call'. */
#define SAMPLE(size, align, zeroed, call) \
	({ \
		void *apart_ = NULL; \
\
		if (UNLIKELY(LOAD(&mmi_apart_open))) \
			apart_ = mmi_apart_alloc(size, align, zeroed); \
		apart_ ? apart_ : (call); \
	})
#else
#define CARRY_FIND(entry, old, size)
#define CARRY NULL
#define EVENT_ALLOC(p, size, e) mmi_usual_alloc(p, size, e, false)
#define EVENT_FREE mmi_usual_free
#define SAMPLE(size, align, zeroed, call) (call)
#endif

/* In a hook: makes the call `call' and reports its block of `size' bytes. */
#define ALLOCATE_AT(size, align, zeroed, call, entry) \
	do { \
		void *p_; \
\
		switch (way(size, entry)) { \
		case BOOT: \
			return boot(size, align); \
		case PASS: \
			return call; \
		case SKIP: \
			return skipped(call, size); \
		case RECORD: \
			break; \
		} \
		p_ = SAMPLE(size, align, zeroed, call); \
		mmi_event_alloc(p_, size, entry); \
		return p_; \
	} while (0)
#define ALLOCATE(size, align, call) ALLOCATE_AT(size, align, false, call, &e)
/* The same; if mmi_thread_apart() is true, calls `apart' instead. */
#define ALLOCATE_PLAIN(size, apart, call) \
	do { \
		struct arch_entry e = ARCH_ENTRY(); \
		void *p_; \
\
		if (mmi_thread_apart()) \
			return apart; \
		p_ = call; \
		EVENT_ALLOC(p_, size, &e); \
		return p_; \
	} while (0)

static COLD void *
malloc_apart(size_t size, const struct arch_entry *e)
{
	ALLOCATE_AT(size, 16, false, mmi_next.malloc(size), e);
}

void *
mmi_hooks_malloc(size_t size)
{
	struct arch_entry e = ARCH_ENTRY();

	ALLOCATE(size, 16, mmi_next.malloc(size));
}

/* A function of its own: unrecorded blocks then need no frame. */
static __attribute__((noinline)) ARCH_REALIGN void *
malloc_plain(size_t size)
{
	ALLOCATE_PLAIN(size, malloc_apart(size, &e), mmi_next.malloc(size));
}

EXPORT void *
HOOK(malloc)(size_t size)
{
	return plain() ? malloc_plain(size) : mmi_sample_malloc(size);
}

static inline size_t
product(size_t n, size_t size)
{
	return __builtin_mul_overflow(n, size, &size) ? SIZE_MAX : size;
}

void *
mmi_hooks_calloc(size_t n, size_t size)
{
	struct arch_entry e = ARCH_ENTRY();
	size_t all = product(n, size);

	ALLOCATE_AT(all, 16, true, QUIETLY(calloc, n, size), &e);
}

static COLD void *
calloc_apart(size_t n, size_t size, const struct arch_entry *e)
{
	size_t all = product(n, size);

	ALLOCATE_AT(all, 16, true, QUIETLY(calloc, n, size), e);
}

static __attribute__((noinline)) ARCH_REALIGN void *
calloc_plain(size_t n, size_t size)
{
	size_t all = product(n, size);

	ALLOCATE_PLAIN(all, calloc_apart(n, size, &e),
		       QUIETLY(calloc, n, size));
}

EXPORT void *
HOOK(calloc)(size_t n, size_t size)
{
	return plain() ? calloc_plain(n, size) : mmi_sample_calloc(n, size);
}

void
mmi_hooks_free(void *p)
{
	struct arch_entry e = ARCH_ENTRY();

	if (p && going(p, &e))
		mmi_next.free(p);
}

static __attribute__((noinline)) void
free_plain(void *p)
{
	struct arch_entry e = ARCH_ENTRY();

	TELL_GONE(p);
	if (LIKELY(p) &&
	    LIKELY(p == mmi_hooks_passing || mmi_event_free(p, &e)))
		mmi_next.free(p);
}

EXPORT void
HOOK(free)(void *p)
{
	mmi_modules_free((uintptr_t)__builtin_return_address(0), p);
	if (!plain())
		mmi_sample_pass(p);
	else if (LIKELY(EVENT_FREE(p)))
		mmi_next.free(p);
	else
		free_plain(p);
}

/* A block from the time of the search is replaced by one of the allocator. */
static COLD void *
realloc_boot(void *old, size_t size, const struct arch_entry *e)
{
	size_t n = mmi_next_boot_size(old);
	enum way w = way(size, e);
	void *p;

	p = w == BOOT ? boot(size, 16) : mmi_next.malloc(size);
	if (p)
		mmi_next_boot_copy(p, old, n < size ? n : size);
	if (w == RECORD)
		mmi_event_alloc(p, size, e);
	return w == SKIP ? skipped(p, size) : p;
}

#ifdef MEMMON_ACCESS
/* realloc() while blocks are sampled; `sample': the result is one. */
static void *
realloc_quietly(void *old, size_t size, bool sample)
{
	struct memmon_access_state *here = mmi_state_quiet();
	void *p = LOAD(&mmi_apart_open) ? mmi_apart_realloc(old, size, sample)
					: mmi_next.realloc(old, size);

	mmi_state_loud(here);
	return p;
}
#define REALLOC realloc_quietly
#else
#define REALLOC(old, size, sample) mmi_next.realloc(old, size)
#endif

/*
 * The old or the new block may be unrecorded: then record only the other one's
 * free or allocation.
 */
static void *
realloc_sampled(void *old, size_t size, const struct arch_entry *e)
{
	bool skip = mmi_sample_skips(size), known = mmi_sample_marked(old);
	uint64_t entry;
	void *p;

	if (LIKELY(skip && !known)) {
		p = QUIETLY(realloc, old, size);
		if (UNLIKELY(!p && size))
			mmi_event_refused(size);
		else if (UNLIKELY(!p))
			mmi_sample_refund(size);
		return p;
	}
	entry = known ? mmi_event_realloc_begin(old) : 0;
	if (entry)
		mmi_sample_unmark(old);
	mmi_event_was = !skip && !entry && mmi_next.malloc_usable_size
				? mmi_next.malloc_usable_size(old)
				: 0;
	CARRY_FIND(entry, old, size);
	p = REALLOC(old, size, !skip);
	if (UNLIKELY(!p))
		mmi_sample_refund(size);
	if (entry || !skip || (!p && size))
		mmi_event_realloc_end(entry, old, skip ? NULL : p, size,
				      !size || (skip && p), false, e, CARRY);
	else
		mmi_backing_gone(old);
	return p;
}

static void *
realloc_hook(void *old, size_t size, const struct arch_entry *e)
{
	uint64_t entry;
	void *p;

	if (UNLIKELY(!old))
		ALLOCATE_AT(size, 16, false, mmi_next.realloc(NULL, size), e);
	if (UNLIKELY(mmi_next_is_boot(old)))
		return realloc_boot(old, size, e);
	if (UNLIKELY(LOAD_ACQ(&mmi_next_ready) != MMI_NEXT_PLAIN)) {
		if (!mmi_next_find())
			return NULL;
		if (mmi_thread_apart() && !mmi_sample_marked(old) &&
		    way_apart(e) == PASS)
			return QUIETLY(realloc, old, size);
		if (mmi_sample_on() && !mmi_thread_internal())
			return realloc_sampled(old, size, e);
	}
	entry = mmi_event_realloc_begin(old);
	CARRY_FIND(entry, old, size);
	p = QUIETLY(realloc, old, size);
	/* Allocators that return NULL for size 0 have freed the block. */
	mmi_event_realloc_end(entry, old, p, size, !size, false, e, CARRY);
	return p;
}

void *
mmi_hooks_realloc(void *old, size_t size)
{
	struct arch_entry e = ARCH_ENTRY();

	return realloc_hook(old, size, &e);
}

EXPORT void *
HOOK(realloc)(void *old, size_t size)
{
	return plain() ? mmi_hooks_realloc(old, size)
		       : mmi_sample_realloc(old, size);
}

/* The libc's version calls realloc; another allocator's may not: do it here. */
EXPORT void *
HOOK(reallocarray)(void *old, size_t n, size_t size)
{
	struct arch_entry e = ARCH_ENTRY();
	size_t all;

	if (__builtin_mul_overflow(n, size, &all)) {
		enum way w = way(SIZE_MAX, &e);

		if (w == SKIP)
			mmi_event_refused(SIZE_MAX);
		else if (w != PASS)
			mmi_event_alloc(NULL, SIZE_MAX, &e);
		errno = ENOMEM;
		return NULL;
	}
	return realloc_hook(old, all, &e);
}

static inline int
aligned_sample(void **p, size_t align, size_t size)
{
#ifdef MEMMON_ACCESS
	void *apart = NULL;

	if (UNLIKELY(LOAD(&mmi_apart_open)) && !(align & (align - 1)) &&
	    align >= sizeof(void *))
		apart = mmi_apart_alloc(size, align, false);
	if (apart) {
		*p = apart;
		return 0;
	}
#endif
	return mmi_next.posix_memalign(p, align, size);
}

EXPORT int
HOOK(posix_memalign)(void **p, size_t align, size_t size)
{
	struct arch_entry e = ARCH_ENTRY();
	size_t n = asked(size);
	enum way w = way(n, &e);
	int r;

	if (UNLIKELY(w == BOOT)) {
		*p = boot(size, align);
		return *p ? 0 : ENOMEM;
	}
	r = w == RECORD ? aligned_sample(p, align, size)
			: mmi_next.posix_memalign(p, align, size);
	if (LIKELY(w == RECORD))
		mmi_event_alloc(r == 0 ? *p : NULL, n, &e);
	else if (UNLIKELY(r != 0) && w == SKIP)
		mmi_event_refused(n);
	return r;
}

EXPORT void *
HOOK(aligned_alloc)(size_t align, size_t size)
{
	struct arch_entry e = ARCH_ENTRY();
	size_t n = asked(size);

	ALLOCATE(n, align, mmi_next.aligned_alloc(align, size));
}

EXPORT void *
HOOK(memalign)(size_t align, size_t size)
{
	struct arch_entry e = ARCH_ENTRY();
	size_t n = asked(size);

	ALLOCATE(n, align, mmi_next.memalign(align, size));
}

EXPORT void *
HOOK(valloc)(size_t size)
{
	struct arch_entry e = ARCH_ENTRY();

	ALLOCATE(size, ARCH_PAGE_NOW, mmi_next.valloc(size));
}

EXPORT void *
HOOK(pvalloc)(size_t size)
{
	struct arch_entry e = ARCH_ENTRY();

	ALLOCATE(size, ARCH_PAGE_NOW,
		 mmi_next.pvalloc ? mmi_next.pvalloc(size) : NULL);
}

#ifndef MEMMON_STATIC
/* Of C23.  Older libcs lack them; then free() does the same. */
EXPORT void
free_sized(void *p, size_t size)
{
	struct arch_entry e = ARCH_ENTRY();

	if (UNLIKELY(!p) || UNLIKELY(!going(p, &e)))
		return;
	if (mmi_next.free_sized)
		mmi_next.free_sized(p, size);
	else
		mmi_next.free(p);
}
VERSIONED(free_sized, ARCH_GLIBC)
VERSIONED(free_sized, "2.43, remove")

EXPORT void
free_aligned_sized(void *p, size_t align, size_t size)
{
	struct arch_entry e = ARCH_ENTRY();

	if (UNLIKELY(!p) || UNLIKELY(!going(p, &e)))
		return;
	if (mmi_next.free_aligned_sized)
		mmi_next.free_aligned_sized(p, align, size);
	else
		mmi_next.free(p);
}
VERSIONED(free_aligned_sized, ARCH_GLIBC)
VERSIONED(free_aligned_sized, "2.43, remove")

/* For old binaries: glibc 2.26 removed it from its headers. */
EXPORT void
cfree(void *p)
{
	HOOK(free)(p);
}
VERSIONED(cfree, ARCH_GLIBC ", remove")
#endif
