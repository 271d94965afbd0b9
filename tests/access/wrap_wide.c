/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wide characters, 4 bytes each: results, characters and counts. */
#include "tests/access/wrap_test.h"

#define AT(base, at) ((wchar_t *)((base) + 4 * (at)))
#define WR(at, n) R(4 * (at), 4 * (n))
#define WW(at, n) W(4 * (at), 4 * (n))
#define FAR (ARENA / 8)

static size_t s, t, n, m, max;

/* A string of len characters at `at'. */
static void
wide(size_t at, size_t len)
{
	for (size_t i = 0; i <= len; i++)
		*AT(a, at + i) = *AT(b, at + i) =
			i < len ? L'a' + (int)rnd(3) : 0;
}

/* Two strings, n and m long, at s and at t. */
static void
two(void)
{
	s = rnd(16);
	t = FAR + rnd(16);
	n = rnd(90);
	m = rnd(9) ? rnd(90) : n;
	max = rnd(120);
	wide(s, n);
	wide(t, m);
	if (rnd(2))
		for (size_t i = 0, k = rnd(100); i < m && i < n && i < k; i++)
			*AT(a, t + i) = *AT(b, t + i) = *AT(a, s + i);
}

static size_t
at_most(size_t len)
{
	return len < max ? len + 1 : max;
}

/* name(target, source, ...): the reads, and the writes at `to'. */
#define CALL(name, read, to, written, ...) \
	static void t_##name(void) \
	{ \
		two(); \
		SAME_AT(name(AT(a, t), AT(a, s) __VA_ARGS__), \
			LIBC(name)(AT(b, t), AT(b, s) __VA_ARGS__)); \
		WR(s, read); \
		WW(to, written); \
	}
/* The same, appended to a string, which is read to its end. */
#define CAT(name, read, written, ...) \
	static void t_##name(void) \
	{ \
		two(); \
		SAME_AT(name(AT(a, t), AT(a, s) __VA_ARGS__), \
			LIBC(name)(AT(b, t), AT(b, s) __VA_ARGS__)); \
		WR(s, read); \
		WR(t, m + 1); \
		WW(t + m, written); \
	}
CALL(wmemcpy, max, t, max, , max)
CALL(wmemmove, max, t, max, , max)
CALL(wmempcpy, max, t, max, , max)
CALL(__wmemcpy_chk, max, t, max, , max, max)
CALL(__wmemmove_chk, max, t, max, , max, 900)
CALL(__wmempcpy_chk, max, t, max, , max, max)
CALL(wcscpy, n + 1, t, n + 1)
CALL(__wcscpy_chk, n + 1, t, n + 1, , n + 1)
CALL(wcsncpy, at_most(n), t, max, , max)
CALL(__wcsncpy_chk, at_most(n), t, max, , max, max)
CAT(wcscat, n + 1, n + 1)
CAT(__wcscat_chk, n + 1, n + 1, , 900)
CAT(wcsncat, at_most(n), (n < max ? n : max) + 1, , max)
CAT(__wcsncat_chk, at_most(n), (n < max ? n : max) + 1, , max, 900)

static void
t_wmemset(void)
{
	two();
	SAME_AT(wmemset(AT(a, t), L'x', max),
		LIBC(wmemset)(AT(b, t), L'x', max));
	WW(t, max);
	SAME_AT(__wmemset_chk(AT(a, t), L'y', m, m),
		LIBC(wmemset)(AT(b, t), L'y', m));
	WW(t, m);
}

static void
t_wcslen(void)
{
	two();
	SAME(wcslen(AT(a, s)), n);
	WR(s, n + 1);
	SAME(wcsnlen(AT(a, s), max), n < max ? n : max);
	WR(s, at_most(n));
}

#define COMPARE(name, limit, ends, ...) \
	static void t_##name(void) \
	{ \
		size_t i = 0; \
\
		two(); \
		SAME(name(AT(a, s), AT(a, t) __VA_ARGS__), \
		     LIBC(name)(AT(b, s), AT(b, t) __VA_ARGS__)); \
		while (i < (limit) && *AT(a, s + i) == *AT(a, t + i) && \
		       (!(ends) || *AT(a, s + i))) \
			i++; \
		WR(s, i < (limit) ? i + 1 : (limit)); \
		WR(t, i < (limit) ? i + 1 : (limit)); \
	}
COMPARE(wcscmp, SIZE_MAX, 1)
COMPARE(wcsncmp, max, 1, , max)
COMPARE(wmemcmp, max, 0, , max)

static void
t_wcschr(void)
{
	size_t i = 0;

	two();
	if (n && rnd(2))
		*AT(a, s + n / 2) = *AT(b, s + n / 2) = L'x';
	SAME_AT(wcschr(AT(a, s), L'x'), LIBC(wcschr)(AT(b, s), L'x'));
	while (*AT(a, s + i) && *AT(a, s + i) != L'x')
		i++;
	WR(s, i + 1);
	SAME_AT(wcsrchr(AT(a, s), L'a'), LIBC(wcsrchr)(AT(b, s), L'a'));
	WR(s, n + 1);
	SAME_AT(wmemchr(AT(a, s), L'x', n), LIBC(wmemchr)(AT(b, s), L'x', n));
	WR(s, i < n ? i + 1 : n);
}

static void
t_wcsdup(void)
{
	unsigned w, all = 0;
	wchar_t *p;

	two();
	p = wcsdup(AT(a, s));
	SAME(LIBC(wcscmp)(p, AT(b, s)), 0);
	WR(s, n + 1);
	for (size_t i = 0; i <= n / 4; i++) {
		rt_take((char *)p + 16 * i, &w);
		all += w;
	}
	SAME(all, n / 4 + 1);
	free(p);
}

int
main(void)
{
	if (rt_open() != 0) {
		skip(1, "no address space for the shadow");
		return done_testing();
	}
	TRY(wmemcpy);
	TRY(wmemmove);
	TRY(wmempcpy);
	TRY(__wmemcpy_chk);
	TRY(__wmemmove_chk);
	TRY(__wmempcpy_chk);
	TRY(wmemset);
	TRY(wcscpy);
	TRY(__wcscpy_chk);
	TRY(wcsncpy);
	TRY(__wcsncpy_chk);
	TRY(wcscat);
	TRY(__wcscat_chk);
	TRY(wcsncat);
	TRY(__wcsncat_chk);
	TRY(wcslen);
	TRY(wcscmp);
	TRY(wcsncmp);
	TRY(wmemcmp);
	TRY(wcschr);
	TRY(wcsdup);
	return done_testing();
}
