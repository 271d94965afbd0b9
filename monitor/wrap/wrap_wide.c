/* SPDX-License-Identifier: MIT */
/* Wide characters: functions of libc that count in these. */
#include "monitor/wrap/wrap_row.h"

#define BYTES(n) ((size_t)(n) * sizeof(wchar_t))
#define STRING_BYTES(s) BYTES(NEXT(wcslen)(s) + 1)

static void
moved(const wchar_t *to, const wchar_t *from, size_t n)
{
	R(from, BYTES(n));
	W(to, BYTES(n));
}

static void
copied(const wchar_t *to, const wchar_t *from)
{
	moved(to, from, NEXT(wcslen)(from) + 1);
}

/* n characters of two areas or strings were compared, or up to a difference. */
static void
compared(const wchar_t *a, const wchar_t *b, size_t n, bool strings)
{
	size_t i = 0;

	while (i < n && a[i] == b[i] && (a[i] || !strings))
		i++;
	i += i < n;
	R(a, BYTES(i));
	R(b, BYTES(i));
}

static void
filled(const wchar_t *to, const wchar_t *from, size_t n)
{
	size_t len = NEXT(wcsnlen)(from, n);

	R(from, BYTES(len + (len < n)));
	W(to, BYTES(n));
}

/* The end of a string was found, and up to n characters were written there. */
static void
appended(const wchar_t *to, const wchar_t *from, size_t n)
{
	size_t added = NEXT(wcsnlen)(from, n), len = NEXT(wcslen)(to) - added;

	R(to, BYTES(len + 1));
	R(from, BYTES(added + (added < n)));
	W(to + len, BYTES(added + 1));
}

#include "monitor/wrap/wrap_row_wide.h"
