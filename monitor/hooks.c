/* SPDX-License-Identifier: MIT */
/*
 * The allocator's functions: each calls the next allocator's and reports the
 * event.  Compiled with frame pointers, which ARCH_ENTRY() needs.
 */
#include "monitor/hook.h"

#include <errno.h>

#ifdef MEMMON_ACCESS
#include "monitor/access/use.h"
#endif
#include "monitor/event.h"
#include "monitor/hooks.h"
#include "monitor/next.h"
#include "monitor/thread.h"

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

/* Is the next allocator known?  False in the middle of the search for it. */
static inline bool
ready(void)
{
	return LIKELY(LOAD_ACQ(&mmi_next_ready)) || mmi_next_find();
}

/*
 * Is the allocation the program's, and can it be had from the next allocator?
 * What the monitor's own calls of the loader allocate stays out of its heap.
 */
static inline bool
plain(void)
{
	return ready() && LIKELY(!mmi_thread_internal());
}

/* Where it isn't. */
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
#define PAST_FIND(entry, old, size) \
	struct mmi_past past_; \
	mmi_event_realloc_past(entry, old, size, &past_)
#define PAST (&past_)
/* A function of the next allocator whose own doing isn't the program's. */
#define NEXT(f, ...) \
	({ \
		struct memmon_here *here_ = \
			mmi_shadow.least ? mmi_here_quiet() : NULL; \
		void *p_ = mmi_next.f(__VA_ARGS__); \
		if (here_) \
			mmi_here_loud(here_); \
		p_; \
	})
#else
#define PAST_FIND(entry, old, size)
#define PAST NULL
#define NEXT(f, ...) mmi_next.f(__VA_ARGS__)
#endif

EXPORT void *
HOOK(malloc)(size_t size)
{
	struct arch_entry e = ARCH_ENTRY();
	void *p;

	if (UNLIKELY(!plain()))
		return boot(size, 16);
	p = mmi_next.malloc(size);
	mmi_event_alloc(p, size, &e);
	return p;
}

EXPORT void *
HOOK(calloc)(size_t n, size_t size)
{
	struct arch_entry e = ARCH_ENTRY();
	size_t all;
	void *p;

	if (__builtin_mul_overflow(n, size, &all))
		all = SIZE_MAX;
	if (UNLIKELY(!plain()))
		return boot(all, 16);
	p = NEXT(calloc, n, size);
	mmi_event_alloc(p, all, &e);
	return p;
}

EXPORT void
HOOK(free)(void *p)
{
	if (UNLIKELY(!p || !ready()))
		return;
	if (UNLIKELY(p != mmi_hooks_passing && !mmi_event_free(p)))
		return;
	mmi_next.free(p);
}

/* A block from the time of the search gets a real one in its place. */
static COLD void *
realloc_boot(void *old, size_t size, const struct arch_entry *e)
{
	size_t n = mmi_next_boot_size(old);
	void *p;

	bool ours = !plain();

	p = ours ? boot(size, 16) : mmi_next.malloc(size);
	if (p)
		mmi_next_boot_copy(p, old, n < size ? n : size);
	if (!ours)
		mmi_event_alloc(p, size, e);
	return p;
}

static void *
realloc_hook(void *old, size_t size, const struct arch_entry *e)
{
	uint64_t entry;
	void *p;

	if (UNLIKELY(!old)) {
		if (UNLIKELY(!plain()))
			return boot(size, 16);
		p = mmi_next.realloc(NULL, size);
		mmi_event_alloc(p, size, e);
		return p;
	}
	if (UNLIKELY(mmi_next_is_boot(old)))
		return realloc_boot(old, size, e);
	if (UNLIKELY(!ready()))
		return NULL;
	entry = mmi_event_realloc_begin(old);
	PAST_FIND(entry, old, size);
	p = NEXT(realloc, old, size);
	/* Allocators that answer a size of 0 with NULL have freed the block. */
	mmi_event_realloc_end(entry, old, p, size, !size, e, PAST);
	return p;
}

EXPORT void *
HOOK(realloc)(void *old, size_t size)
{
	struct arch_entry e = ARCH_ENTRY();

	return realloc_hook(old, size, &e);
}

/* The libc's calls realloc; another allocator's may not, so it is done here. */
EXPORT void *
HOOK(reallocarray)(void *old, size_t n, size_t size)
{
	struct arch_entry e = ARCH_ENTRY();
	size_t all;

	if (__builtin_mul_overflow(n, size, &all)) {
		mmi_event_alloc(NULL, SIZE_MAX, &e);
		errno = ENOMEM;
		return NULL;
	}
	return realloc_hook(old, all, &e);
}

EXPORT int
HOOK(posix_memalign)(void **p, size_t align, size_t size)
{
	struct arch_entry e = ARCH_ENTRY();
	int r;

	if (UNLIKELY(!plain())) {
		*p = boot(size, align);
		return *p ? 0 : ENOMEM;
	}
	r = mmi_next.posix_memalign(p, align, size);
	mmi_event_alloc(r == 0 ? *p : NULL, asked(size), &e);
	return r;
}

EXPORT void *
HOOK(aligned_alloc)(size_t align, size_t size)
{
	struct arch_entry e = ARCH_ENTRY();
	void *p;

	if (UNLIKELY(!plain()))
		return boot(size, align);
	p = mmi_next.aligned_alloc(align, size);
	mmi_event_alloc(p, asked(size), &e);
	return p;
}

EXPORT void *
HOOK(memalign)(size_t align, size_t size)
{
	struct arch_entry e = ARCH_ENTRY();
	void *p;

	if (UNLIKELY(!plain()))
		return boot(size, align);
	p = mmi_next.memalign(align, size);
	mmi_event_alloc(p, asked(size), &e);
	return p;
}

EXPORT void *
HOOK(valloc)(size_t size)
{
	struct arch_entry e = ARCH_ENTRY();
	void *p;

	if (UNLIKELY(!plain()))
		return boot(size, ARCH_PAGE);
	p = mmi_next.valloc(size);
	mmi_event_alloc(p, size, &e);
	return p;
}

EXPORT void *
HOOK(pvalloc)(size_t size)
{
	struct arch_entry e = ARCH_ENTRY();
	void *p;

	if (UNLIKELY(!plain()))
		return boot(size, ARCH_PAGE);
	p = mmi_next.pvalloc ? mmi_next.pvalloc(size) : NULL;
	mmi_event_alloc(p, size, &e);
	return p;
}

#ifndef MEMMON_STATIC
/* C23's; older libcs have none, then free() does the same. */
EXPORT void
free_sized(void *p, size_t size)
{
	if (UNLIKELY(!p || !ready() || !mmi_event_free(p)))
		return;
	if (mmi_next.free_sized)
		mmi_next.free_sized(p, size);
	else
		mmi_next.free(p);
}

EXPORT void
free_aligned_sized(void *p, size_t align, size_t size)
{
	if (UNLIKELY(!p || !ready() || !mmi_event_free(p)))
		return;
	if (mmi_next.free_aligned_sized)
		mmi_next.free_aligned_sized(p, align, size);
	else
		mmi_next.free(p);
}

/* For old binaries: glibc 2.26 took it out of its headers. */
EXPORT void
cfree(void *p)
{
	HOOK(free)(p);
}
#endif
