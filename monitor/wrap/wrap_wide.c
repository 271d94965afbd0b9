/* SPDX-License-Identifier: MIT */
/* Wide characters, where libc's functions count in those. */
#include "monitor/wrap/wrap.h"

#define BYTES(n) ((n) * sizeof(wchar_t))

static void
wide_read(const wchar_t *p, size_t n)
{
	mmi_wrap_read(p, BYTES(n));
}

static void
wide_write(const wchar_t *p, size_t n)
{
	mmi_wrap_write(p, BYTES(n));
}

static void
wide_moved(const wchar_t *to, const wchar_t *from, size_t n)
{
	wide_read(from, n);
	wide_write(to, n);
}

static wchar_t *
wide_move(wchar_t *to, const wchar_t *from, size_t n)
{
	if (UNREADY(memmove))
		return mmi_plain_memmove(to, from, BYTES(n));
	NEXT(memmove)(to, from, BYTES(n));
	wide_moved(to, from, n);
	return to;
}

EXPORT wchar_t *
wmemcpy(wchar_t *to, const wchar_t *from, size_t n)
{
	return wide_move(to, from, n);
}

EXPORT wchar_t *
wmemmove(wchar_t *to, const wchar_t *from, size_t n)
{
	return wide_move(to, from, n);
}

EXPORT wchar_t *
wmempcpy(wchar_t *to, const wchar_t *from, size_t n)
{
	return wide_move(to, from, n) + n;
}

EXPORT wchar_t *
wmemset(wchar_t *to, wchar_t c, size_t n)
{
	if (UNREADY(wmemset))
		return to;
	NEXT(wmemset)(to, c, n);
	wide_write(to, n);
	return to;
}

#define CHK(name) \
	EXPORT wchar_t *name(wchar_t *to, const wchar_t *from, size_t n, \
			     size_t room) \
	{ \
		wchar_t *r; \
\
		if (UNREADY(name)) \
			return mmi_plain_memmove(to, from, BYTES(n)); \
		r = NEXT(name)(to, from, n, room); \
		wide_moved(to, from, n); \
		return r; \
	}

CHK(__wmemcpy_chk)
CHK(__wmemmove_chk)
CHK(__wmempcpy_chk)

EXPORT wchar_t *
__wmemset_chk(wchar_t *to, wchar_t c, size_t n, size_t room)
{
	if (UNREADY(__wmemset_chk))
		return to;
	NEXT(__wmemset_chk)(to, c, n, room);
	wide_write(to, n);
	return to;
}

EXPORT wchar_t *
wmemchr(const wchar_t *p, wchar_t c, size_t n)
{
	wchar_t *r;

	if (UNREADY(wmemchr))
		return NULL;
	r = NEXT(wmemchr)(p, c, n);
	wide_read(p, r ? (size_t)(r - p) + 1 : n);
	return r;
}

/* Of two areas or strings n were looked at, or all up to a difference. */
static void
wide_compared(const wchar_t *a, const wchar_t *b, size_t n, bool strings)
{
	size_t i = 0;

	while (i < n && a[i] == b[i] && (a[i] || !strings))
		i++;
	wide_read(a, i < n ? i + 1 : n);
	wide_read(b, i < n ? i + 1 : n);
}

EXPORT int
wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
	int r;

	if (UNREADY(wmemcmp))
		return 0;
	r = NEXT(wmemcmp)(a, b, n);
	wide_compared(a, b, n, false);
	return r;
}

EXPORT int
wcscmp(const wchar_t *a, const wchar_t *b)
{
	int r;

	if (UNREADY(wcscmp))
		return 0;
	r = NEXT(wcscmp)(a, b);
	wide_compared(a, b, SIZE_MAX, true);
	return r;
}

EXPORT int
wcsncmp(const wchar_t *a, const wchar_t *b, size_t n)
{
	int r;

	if (UNREADY(wcsncmp))
		return 0;
	r = NEXT(wcsncmp)(a, b, n);
	wide_compared(a, b, n, true);
	return r;
}

EXPORT size_t
wcslen(const wchar_t *s)
{
	size_t n;

	if (UNREADY(wcslen))
		return 0;
	n = NEXT(wcslen)(s);
	wide_read(s, n + 1);
	return n;
}

static void
wide_read_max(const wchar_t *s, size_t len, size_t n)
{
	wide_read(s, len < n ? len + 1 : n);
}

EXPORT size_t
wcsnlen(const wchar_t *s, size_t n)
{
	size_t len;

	if (UNREADY(wcsnlen))
		return 0;
	len = NEXT(wcsnlen)(s, n);
	wide_read_max(s, len, n);
	return len;
}

EXPORT wchar_t *
wcschr(const wchar_t *s, wchar_t c)
{
	wchar_t *r;

	if (UNREADY(wcschr))
		return NULL;
	r = NEXT(wcschr)(s, c);
	wide_read(s, (r ? (size_t)(r - s) : NEXT(wcslen)(s)) + 1);
	return r;
}

EXPORT wchar_t *
wcsrchr(const wchar_t *s, wchar_t c)
{
	wchar_t *r;

	if (UNREADY(wcsrchr))
		return NULL;
	r = NEXT(wcsrchr)(s, c);
	wide_read(s, NEXT(wcslen)(s) + 1);
	return r;
}

static void
wide_copied(const wchar_t *to, const wchar_t *from)
{
	wide_moved(to, from, NEXT(wcslen)(from) + 1);
}

EXPORT wchar_t *
wcscpy(wchar_t *to, const wchar_t *from)
{
	if (UNREADY(wcscpy))
		return to;
	NEXT(wcscpy)(to, from);
	wide_copied(to, from);
	return to;
}

EXPORT wchar_t *
__wcscpy_chk(wchar_t *to, const wchar_t *from, size_t room)
{
	if (UNREADY(__wcscpy_chk))
		return to;
	NEXT(__wcscpy_chk)(to, from, room);
	wide_copied(to, from);
	return to;
}

EXPORT wchar_t *
wcsdup(const wchar_t *s)
{
	wchar_t *r = UNREADY(wcsdup) ? NULL : NEXT(wcsdup)(s);

	if (r)
		wide_copied(r, s);
	return r;
}

static void
wide_filled(const wchar_t *to, const wchar_t *from, size_t n)
{
	wide_read_max(from, NEXT(wcsnlen)(from, n), n);
	wide_write(to, n);
}

EXPORT wchar_t *
wcsncpy(wchar_t *to, const wchar_t *from, size_t n)
{
	if (UNREADY(wcsncpy))
		return to;
	NEXT(wcsncpy)(to, from, n);
	wide_filled(to, from, n);
	return to;
}

EXPORT wchar_t *
__wcsncpy_chk(wchar_t *to, const wchar_t *from, size_t n, size_t room)
{
	if (UNREADY(__wcsncpy_chk))
		return to;
	NEXT(__wcsncpy_chk)(to, from, n, room);
	wide_filled(to, from, n);
	return to;
}

/* Of a string of `len' the end was looked for, and written to. */
static void
wide_appended(const wchar_t *to, size_t len, const wchar_t *from, size_t n)
{
	size_t more = NEXT(wcsnlen)(from, n);

	wide_read(to, len + 1);
	wide_read_max(from, more, n);
	wide_write(to + len, more + 1);
}

EXPORT wchar_t *
wcscat(wchar_t *to, const wchar_t *from)
{
	size_t len;

	if (UNREADY(wcscat))
		return to;
	len = NEXT(wcslen)(to);
	NEXT(wcscat)(to, from);
	wide_appended(to, len, from, SIZE_MAX);
	return to;
}

EXPORT wchar_t *
__wcscat_chk(wchar_t *to, const wchar_t *from, size_t room)
{
	size_t len;

	if (UNREADY(__wcscat_chk))
		return to;
	len = NEXT(wcsnlen)(to, room);
	NEXT(__wcscat_chk)(to, from, room);
	wide_appended(to, len, from, SIZE_MAX);
	return to;
}

EXPORT wchar_t *
wcsncat(wchar_t *to, const wchar_t *from, size_t n)
{
	size_t len;

	if (UNREADY(wcsncat))
		return to;
	len = NEXT(wcslen)(to);
	NEXT(wcsncat)(to, from, n);
	wide_appended(to, len, from, n);
	return to;
}

EXPORT wchar_t *
__wcsncat_chk(wchar_t *to, const wchar_t *from, size_t n, size_t room)
{
	size_t len;

	if (UNREADY(__wcsncat_chk))
		return to;
	len = NEXT(wcsnlen)(to, room);
	NEXT(__wcsncat_chk)(to, from, n, room);
	wide_appended(to, len, from, n);
	return to;
}
