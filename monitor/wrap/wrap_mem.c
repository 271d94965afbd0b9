/* SPDX-License-Identifier: MIT */
/* Memory: copied, set, compared, searched. */
#include "monitor/wrap/wrap_row.h"

/* For more than the few bytes that can be counted at once. */
static __attribute__((noinline)) void *
move(void *to, const void *from, size_t n)
{
	if (UNREADY(memmove))
		return mmi_libc_memmove(to, from, n);
	NEXT(memmove)(to, from, n);
	mmi_wrap_read(from, n);
	mmi_wrap_write(to, n);
	return to;
}

/* The reads were already counted. */
static __attribute__((noinline)) void *
move_to(void *to, const void *from, size_t n)
{
	NEXT(memmove)(to, from, n);
	mmi_wrap_write(to, n);
	return to;
}

static __attribute__((noinline)) void *
set(void *to, int c, size_t n)
{
	if (UNREADY(memset))
		return mmi_libc_memset(to, c, n);
	NEXT(memset)(to, c, n);
	mmi_wrap_write(to, n);
	return to;
}

/* Up to 16 bytes, in one or two granules each. */
static __attribute__((noinline)) void *
move_few(void *to, const void *from, size_t n)
{
	if (UNLIKELY(!NEXT(memmove)) ||
	    !mmi_wrap_quick(from, n, MMI_ACCESS_READ))
		return move(to, from, n);
	if (!mmi_wrap_quick(to, n, MMI_ACCESS_WRITE))
		return move_to(to, from, n);
	return NEXT(memmove)(to, from, n);
}

/*
 * The most frequent case: neither area crosses the end of a granule.  Cost in
 * addition to the next function's: 38 instructions, and no use of the stack.
 */
static inline __attribute__((always_inline)) void *
move_quick(void *to, const void *from, size_t n)
{
	uintptr_t a = (uintptr_t)from, b = (uintptr_t)to;
	const struct memmon_access_state *h;
	uint64_t *ca, *cb;

	if (LIKELY(NEXT(memmove)) && mmi_wrap_beyond(from) &&
	    mmi_wrap_beyond(to))
		return NEXT(memmove)(to, from, n);
	if (UNLIKELY(!NEXT(memmove)) || n - 1 >= MMI_WRAP_QUICK ||
	    ((a ^ (a + n - 1)) | (b ^ (b + n - 1))) >> MEMMON_GRANULE_SHIFT)
		return n > MMI_WRAP_QUICK ? move(to, from, n)
					  : move_few(to, from, n);
	h = __link_with_lmemmon_access_v6;
	ca = mmi_access_cell(h, a);
	cb = mmi_access_cell(h, b);
	if (UNLIKELY(!mmi_access_fits(ca, &h->now)) ||
	    UNLIKELY(!mmi_access_fits(cb, &h->now)))
		return move_few(to, from, n);
	*ca += MMI_ACCESS_READ;
	*cb += MMI_ACCESS_WRITE;
	return NEXT(memmove)(to, from, n);
}

EXPORT void *
memmove(void *to, const void *from, size_t n)
{
	return move_quick(to, from, n);
}

/* The oldest memcpy, which programs may still request, was memmove. */
EXPORT void *memcpy(void *, const void *, size_t) SAME_AS(memmove);

EXPORT void *
mempcpy(void *to, const void *from, size_t n)
{
	return (char *)move_quick(to, from, n) + n;
}

EXPORT void *__mempcpy(void *, const void *, size_t) SAME_AS(mempcpy);

EXPORT void
bcopy(const void *from, void *to, size_t n)
{
	move_quick(to, from, n);
}

EXPORT void *
memset(void *to, int c, size_t n)
{
	if (UNLIKELY(!NEXT(memset)) || !mmi_wrap_quick(to, n, MMI_ACCESS_WRITE))
		return set(to, c, n);
	return NEXT(memset)(to, c, n);
}

EXPORT void
bzero(void *to, size_t n)
{
	set(to, 0, n);
}

static void *
plain_memccpy(void *to, const void *from, int c, size_t n)
{
	void *end = mmi_libc_memchr(from, c, n);

	if (end)
		n = (size_t)((char *)end + 1 - (const char *)from);
	mmi_libc_memmove(to, from, n);
	return end ? (char *)to + n : NULL;
}

static void
moved(const void *to, const void *from, size_t n)
{
	R(from, n);
	W(to, n);
}

/* They are the same if r is 0. */
static inline __attribute__((always_inline)) void
compared(const void *a, const void *b, size_t n, int r)
{
	if (mmi_wrap_beyond(a) && mmi_wrap_beyond(b))
		return;
	if (r)
		n = mmi_wrap_differ(a, b, n);
	R_QUICK(a, n);
	R_QUICK(b, n);
}

/* Bytes from p to `end', a byte that was found; including it. */
static size_t
through(const void *p, const void *end)
{
	return (size_t)((const char *)end - (const char *)p) + 1;
}

#include "monitor/wrap/wrap_row_memory.h"

EXPORT int bcmp(const void *, const void *, size_t) SAME_AS(memcmp);
EXPORT void *__rawmemchr(const void *, int) SAME_AS(rawmemchr);
/* Same as memcpy, which is memmove. */
EXPORT void *__memcpy_chk(void *, const void *, size_t, size_t)
	SAME_AS(__memmove_chk);
