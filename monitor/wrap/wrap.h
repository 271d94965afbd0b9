/* SPDX-License-Identifier: MIT */
/*
 * Functions of libc that read or write memory of their caller's: each calls the
 * next definition, in mmi_wrap_next, and counts what was read and written
 * there.  exports.list names them.
 *
 * They may be called at any time, from signal handlers, and by the loader when
 * this library isn't relocated yet: then neither addresses in data nor
 * thread-local storage may be used.  As long as a function isn't found in the
 * table, this is to be expected; wrap_plain.c has its own versions of some for
 * that time.
 *
 * Counted is what must have been touched for the result, and only if there is
 * one: nothing when the function failed.  Calls that wait are left to the next
 * function with nothing held, so they may be cancelled.
 */
#ifndef MEMMON_ACCESS_WRAP_H
#define MEMMON_ACCESS_WRAP_H

/* Its inline functions have the names of those that are defined here. */
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
 * Look for them, if that may be done now, and say whether *next, one of them,
 * is there.  ctx: any.
 */
bool mmi_wrap_find(const void *next);

/* The next function of that name, once UNREADY() has been asked. */
#define NEXT(name) LOAD(&mmi_wrap_next.name)
#define UNREADY(name) \
	(UNLIKELY(!NEXT(name)) && !mmi_wrap_find(&mmi_wrap_next.name))

/*
 * `add', as for mmi_access_add(), in each granule of the n bytes at p; n may be
 * 0, and p then anything.  ctx: hook, once UNREADY() was false.
 */
void mmi_wrap_count(const void *p, size_t n, uint64_t add);

/*
 * Bytes that two areas of n bytes, or two strings, must have been read for to
 * tell whether they are the same: all, or as many as the first difference.
 */
size_t mmi_wrap_differ(const void *a, const void *b, size_t n);
size_t mmi_wrap_differ_str(const char *a, const char *b);

/* Bytes of a string with its 0, of which only n are looked at.  ctx: hook. */
size_t mmi_wrap_size(const char *s);
size_t mmi_wrap_size_max(const char *s, size_t n);

#pragma GCC visibility pop

/*
 * Another name of the function `name', by which nothing needs to be looked for
 * at run time: calls of an exported function may.
 */
#if __has_attribute(copy)
#define SAME_AS(name) __attribute__((copy(name), alias(#name)))
#else
#define SAME_AS(name) __attribute__((alias(#name)))
#endif

/* Up to so many bytes are counted on the way to the next function. */
#define MMI_WRAP_QUICK 16u

/* No user address has these bits; there is no shadow for others. */
#define MMI_WRAP_NO_ADDRESS (~0ull << ARCH_ADDR_BITS)

static inline void
mmi_wrap_read(const void *p, size_t n)
{
	mmi_wrap_count(p, n, MMI_ACCESS_READ);
}

static inline void
mmi_wrap_write(const void *p, size_t n)
{
	mmi_wrap_count(p, n, MMI_ACCESS_WRITE);
}

/*
 * Count 1 to 16 bytes and say true, or leave them alone and say false, when
 * they are more or something is to be done before.  It calls nothing, so who
 * comes by here needs no stack.  Cost: 16 instructions in one granule.
 */
static inline __attribute__((always_inline)) bool
mmi_wrap_quick(const void *p, size_t n, uint64_t add)
{
	const struct memmon_access_state *h = __link_with_lmemmon_access_v5;
	uintptr_t a = (uintptr_t)p, last = a + n - 1;
	uint64_t *cell = mmi_access_cell(h, a);

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
 * `next', which is sigprocmask() or its like, called as the program may not
 * block SIGSYS.  Defined in process/signals.c.  ctx: any.
 */
int mmi_wrap_mask(int (*next)(int, const sigset_t *, sigset_t *), int how,
		  const sigset_t *set, sigset_t *old);

#endif
