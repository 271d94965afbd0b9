/* SPDX-License-Identifier: MIT */
/*
 * Functions that map memory, called by the program.  Calls of the libc itself
 * and of the loader don't come here, and those of an allocator are left out.
 * Compiled with frame pointers, which ARCH_ENTRY() needs.
 */
#include "monitor/base/hook.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "monitor/base/mask.h"
#include "monitor/base/next.h"
#include "monitor/hooks/hooks.h"
#include "monitor/record/mapped.h"
#include "monitor/thread/within.h"
#ifdef MEMMON_ACCESS
#include "monitor/access/space.h"
#endif

/* The next functions: X(result, name, parameters). */
#define NEXT(X) \
	X(void *, mmap, (void *, size_t, int, int, int, off_t)) \
	X(int, munmap, (void *, size_t)) \
	X(void *, mremap, (void *, size_t, size_t, int, ...)) \
	X(void *, sbrk, (intptr_t)) \
	X(int, brk, (void *)) \
	X(void *, shmat, (int, const void *, int)) \
	X(int, shmdt, (const void *))

#ifdef MEMMON_STATIC
#define X(result, name, parameters) extern result __real_##name parameters;
NEXT(X)
#undef X
#define CALL(name) __real_##name
#else
#define X(result, name, parameters) result(*name) parameters;
static struct {
	NEXT(X)
} next;
#undef X

#define X(result, name, parameters) \
	static COLD __typeof__(next.name) find_##name(void) \
	{ \
		next.name = mmi_next_symbol(#name); \
		return next.name; \
	}
NEXT(X)
#undef X
#define CALL(name) (LIKELY(next.name) ? next.name : find_##name())
#endif

void
mmi_map_hooks_init(void)
{
#ifndef MEMMON_STATIC
#define X(result, name, parameters) find_##name();
	NEXT(X)
#undef X
	mmi_next_forget();
#endif
}

/* Is the call at *e the program's? */
static bool
is_program(const struct arch_entry *e)
{
	return (LOAD_ACQ(&mmi_next_ready) || mmi_next_find()) &&
	       !mmi_within_any(e) && !mmi_thread_stopped() &&
	       !mmi_within_code(e->pc);
}

/*
 * Call it before a call that unmaps or moves memory; false: don't call
 * mmi_mapped_after().
 */
static bool
before(struct mmi_mask *mask)
{
	return !mmi_thread_internal() && mmi_mapped_before(mask);
}

static void
gone(const void *p, size_t n)
{
	struct mmi_mask mask;

	if (!before(&mask))
		return;
	mmi_mapped_gone((uintptr_t)p, n);
	mmi_mapped_after(&mask);
}

/* A mapping by other code may replace one of the program. */
static void
made(const void *p, size_t n, unsigned kind, const struct arch_entry *e)
{
	int saved = errno;

	if (p != MAP_FAILED && is_program(e))
		mmi_mapped_made((uintptr_t)p, n, kind, e);
	else if (p != MAP_FAILED)
		gone(p, n);
	errno = saved;
}

/* Rounds up to whole pages, as the kernel does. */
static size_t
pages(size_t n)
{
	return (n + ARCH_PAGE_NOW - 1) & -(size_t)ARCH_PAGE_NOW;
}

EXPORT void *
HOOK(mmap)(void *at, size_t n, int prot, int flags, int fd, off_t from)
{
	struct arch_entry e = ARCH_ENTRY();
	void *p = CALL(mmap)(at, n, prot, flags, fd, from);
	unsigned kind = MMI_MAPPED_FILE;

	if (flags & MAP_ANONYMOUS)
		kind = (flags & MAP_TYPE) == MAP_PRIVATE ? MMI_MAPPED_PRIVATE
							 : MMI_MAPPED_SHARED;
	made(p, pages(n), kind, &e);
	return p;
}

/*
 * The same because off_t has 64 bits.  musl's headers have a macro of this
 * name.
 */
#undef mmap64
#define TEXT(name) TEXT_(name)
#define TEXT_(name) #name
EXPORT __typeof__(HOOK(mmap)) HOOK(mmap64)
	__attribute__((alias(TEXT(HOOK(mmap)))));

EXPORT int
HOOK(munmap)(void *p, size_t n)
{
	struct mmi_mask mask;
	bool known = before(&mask);
	int r, saved;

#ifdef MEMMON_ACCESS
	mmi_space_unmaps(p, n);
#endif
	r = CALL(munmap)(p, n);
	if (!known)
		return r;
	saved = errno;
	if (r == 0)
		mmi_mapped_gone((uintptr_t)p, pages(n));
	mmi_mapped_after(&mask);
	errno = saved;
	return r;
}

EXPORT void *
HOOK(mremap)(void *old, size_t was, size_t n, int flags, ...)
{
	struct arch_entry e = ARCH_ENTRY();
	struct mmi_mask mask;
	void *p, *to;
	bool known;
	int saved;
	va_list ap;

	/* Reads `to' even if it wasn't passed, as the libc does. */
	va_start(ap, flags);
	to = va_arg(ap, void *);
	va_end(ap);
	/* A second mapping of the same memory; the old mapping stays. */
	if (!was || flags & MREMAP_DONTUNMAP) {
		p = CALL(mremap)(old, was, n, flags, to);
		made(p, pages(n), was ? MMI_MAPPED_PRIVATE : MMI_MAPPED_SHARED,
		     &e);
		return p;
	}
	known = before(&mask);
	p = CALL(mremap)(old, was, n, flags, to);
	if (!known)
		return p;
	saved = errno;
	if (p != MAP_FAILED)
		mmi_mapped_moved((uintptr_t)old, pages(was), (uintptr_t)p,
				 pages(n));
	mmi_mapped_after(&mask);
	errno = saved;
	return p;
}

EXPORT void *
HOOK(sbrk)(intptr_t n)
{
	struct arch_entry e = ARCH_ENTRY();
	char *p = CALL(sbrk)(n);

	if (p != (char *)-1 && n > 0)
		made(p, (size_t)n, MMI_MAPPED_BREAK, &e);
	else if (p != (char *)-1 && n < 0)
		gone(p + n, -(size_t)n);
	return p;
}

EXPORT int
HOOK(brk)(void *end)
{
	struct arch_entry e = ARCH_ENTRY();
	char *was = CALL(sbrk)(0), *now = end;
	int r = CALL(brk)(end);

	if (r == 0 && was != (char *)-1 && now > was)
		made(was, (size_t)(now - was), MMI_MAPPED_BREAK, &e);
	else if (r == 0 && was != (char *)-1 && now < was)
		gone(now, (size_t)(was - now));
	return r;
}

EXPORT void *
HOOK(shmat)(int id, const void *at, int flags)
{
	struct arch_entry e = ARCH_ENTRY();
	struct shmid_ds d = { .shm_segsz = 0 };
	void *p = CALL(shmat)(id, at, flags);

	if (p != (void *)-1 &&
	    ARCH_SYS(SYS_shmctl, id, IPC_STAT, &d, 0, 0, 0) == 0)
		made(p, pages(d.shm_segsz), MMI_MAPPED_SHARED, &e);
	return p;
}

EXPORT int
HOOK(shmdt)(const void *p)
{
	struct mmi_mask mask;
	bool known = before(&mask);
	int r = CALL(shmdt)(p), saved = errno;

	if (known && r == 0)
		mmi_mapped_detached((uintptr_t)p);
	if (known)
		mmi_mapped_after(&mask);
	errno = saved;
	return r;
}
