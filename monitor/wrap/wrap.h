/* SPDX-License-Identifier: MIT */
/*
 * Functions of libc that read or write their caller's memory.  Each calls the
 * next definition, in mmi_wrap_next, and counts the bytes that this has read
 * and written.  exports.list contains their names.
 *
 * They may be called at any time: in signal handlers, and by the loader before
 * this library is relocated.  Then neither addresses in data nor thread-local
 * storage may be used.  This may be the case as long as a function isn't in the
 * table; wrap_plain.c has versions of some functions for that time.
 *
 * They count the bytes that must have been touched for the result, and only if
 * there is one: a call that fails counts nothing.  They hold nothing while the
 * next function waits, so calls may be cancelled.
 */
#ifndef MEMMON_ACCESS_WRAP_H
#define MEMMON_ACCESS_WRAP_H

/* Its inline functions have the names of functions that are defined here. */
#undef _FORTIFY_SOURCE
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "monitor/access/inline.h"
#include "monitor/base/internal.h"
#include "monitor/base/libc.h"
#include "monitor/wrap/wrap_list.h"

#pragma GCC visibility push(hidden)

/* The next definitions.  ctx: hook. */
#define MMI_WRAP_MEMBER(name) __typeof__(name) *name;
extern struct mmi_wrap_next {
	MMI_WRAP_LIST(MMI_WRAP_MEMBER)
#define ROW(type, failed, name, ...) MMI_WRAP_MEMBER(name)
#define VOID(failed, name, ...) MMI_WRAP_MEMBER(name)
#include "monitor/wrap/wrap_row_list.h"
#undef ROW
#undef VOID
} mmi_wrap_next;

/*
 * Looks for them, if possible now.  Is *next, one of them, known?  ctx: any.
 */
bool mmi_wrap_find(const void *next);

/* The next function of that name; use it after UNREADY(). */
#define NEXT(name) LOAD(&mmi_wrap_next.name)
#define UNREADY(name) \
	(UNLIKELY(!NEXT(name)) && !mmi_wrap_find(&mmi_wrap_next.name))

/*
 * Counts `add', as for mmi_access_add(), in each granule of the n bytes at p; n
 * may be 0, with any p.  ctx: hook, after UNREADY() was false.
 */
void mmi_wrap_count(const void *p, size_t n, uint64_t add);

/*
 * The number of bytes to read in two areas of n bytes, or in two strings, to
 * know whether they are the same: all, or up to the first difference.
 */
size_t mmi_wrap_differ(const void *a, const void *b, size_t n);
size_t mmi_wrap_differ_str(const char *a, const char *b);

/* Bytes of a string with its 0, or of at most n of them.  ctx: hook. */
size_t mmi_wrap_size(const char *s);
size_t mmi_wrap_size_max(const char *s, size_t n);

#pragma GCC visibility pop

/*
 * Another name for the function `name' that needs no lookup at run time: a call
 * of an exported function may need one.
 */
#if __has_attribute(copy)
#define SAME_AS(name) __attribute__((copy(name), alias(#name)))
#else
#define SAME_AS(name) __attribute__((alias(#name)))
#endif

/* Up to this many bytes are counted before the next function is called. */
#define MMI_WRAP_QUICK 16u

/* No user address has these bits: such an address has no shadow. */
#define MMI_WRAP_NO_ADDRESS (~0ull << ARCH_ADDR_BITS)

/* Is nothing counted from p on?  Then the size isn't needed either. */
static inline __attribute__((always_inline)) bool
mmi_wrap_beyond(const void *p)
{
	return mmi_access_beyond(__link_with_lmemmon_access_v6, (uintptr_t)p);
}

/* The size n is only computed if it is needed. */
#define MMI_WRAP_COUNT(p, n, add) \
	(mmi_wrap_beyond(p) ? (void)0 : mmi_wrap_count(p, n, add))
#define mmi_wrap_read(p, n) MMI_WRAP_COUNT(p, n, MMI_ACCESS_READ)
#define mmi_wrap_write(p, n) MMI_WRAP_COUNT(p, n, MMI_ACCESS_WRITE)

/*
 * Counts 1 to 16 bytes and returns true.  Returns false and counts nothing if
 * there are more bytes, or if another step must come first.  It calls no
 * function, so its callers need no stack.  Cost: 16 instructions in one
 * granule.
 */
static inline __attribute__((always_inline)) bool
mmi_wrap_quick(const void *p, size_t n, uint64_t add)
{
	const struct memmon_access_state *h = __link_with_lmemmon_access_v6;
	uintptr_t a = (uintptr_t)p, last = a + n - 1;
	uint64_t *cell = mmi_access_cell(h, a);

	if (mmi_access_beyond(h, a))
		return true;
	if (UNLIKELY(n - 1 >= MMI_WRAP_QUICK) ||
	    UNLIKELY(!mmi_access_fits(cell, &h->now)))
		return false;
	if ((a ^ last) >> MEMMON_GRANULE_SHIFT) {
		uint64_t *other = mmi_access_cell(h, last);

		if (UNLIKELY(!mmi_access_fits(other, &h->now)))
			return false;
		*other += add;
	}
	*cell += add;
	return true;
}

static inline __attribute__((always_inline)) void
mmi_wrap_read_quick(const void *p, size_t n)
{
	if (!mmi_wrap_quick(p, n, MMI_ACCESS_READ))
		mmi_wrap_read(p, n);
}

static inline __attribute__((always_inline)) void
mmi_wrap_write_quick(const void *p, size_t n)
{
	if (!mmi_wrap_quick(p, n, MMI_ACCESS_WRITE))
		mmi_wrap_write(p, n);
}

/*
 * Calls `next', which is sigprocmask() or a similar function, so that the
 * program can't block SIGSYS.  Defined in process/signals.c.  ctx: any.
 */
int mmi_wrap_mask(int (*next)(int, const sigset_t *, sigset_t *), int how,
		  const sigset_t *set, sigset_t *old);

#endif
