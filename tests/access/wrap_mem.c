/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory functions: results, bytes and counts. */
#include "tests/access/wrap_test.h"

void *__mempcpy(void *, const void *, size_t);
void *__rawmemchr(const void *, int);

#define COPY(name) \
	static void t_##name(void) \
	{ \
		size_t to = there(), from = here(), n = size(); \
\
		fill(6, 0); \
		SAME_AT(name(a + to, a + from, n), \
			LIBC(name)(b + to, b + from, n)); \
		R(from, n); \
		W(to, n); \
	}
#define COPY_CHK(name) \
	static void t_##name(void) \
	{ \
		size_t to = there(), from = here(), n = size(); \
\
		fill(6, 0); \
		SAME_AT(name(a + to, a + from, n, n + rnd(9)), \
			LIBC(name)(b + to, b + from, n, n)); \
		R(from, n); \
		W(to, n); \
	}
COPY(memcpy)
COPY(mempcpy)
COPY(__mempcpy)
COPY_CHK(__memcpy_chk)
COPY_CHK(__memmove_chk)
COPY_CHK(__mempcpy_chk)

/* The ranges may overlap; old programs do that with memcpy, too. */
#define MOVE(name, other) \
	static void t_##name##_over(void) \
	{ \
		size_t to = 100 + rnd(40), from = 100 + rnd(40), n = size(); \
\
		fill(6, 0); \
		SAME_AT(name(a + to, a + from, n), \
			LIBC(other)(b + to, b + from, n)); \
		R(from, n); \
		W(to, n); \
	}
MOVE(memmove, memmove)
MOVE(memcpy, memmove)

static void
t_bcopy(void)
{
	size_t to = 100 + rnd(40), from = 100 + rnd(40), n = size();

	fill(6, 0);
	bcopy(a + from, a + to, n);
	LIBC(memmove)(b + to, b + from, n);
	R(from, n);
	W(to, n);
}

#define SET(name, ...) \
	static void t_##name(void) \
	{ \
		size_t to = there(), n = size(); \
\
		fill(6, 0); \
		SAME_AT(name(a + to, 'x', n __VA_ARGS__), \
			LIBC(name)(b + to, 'x', n __VA_ARGS__)); \
		W(to, n); \
	}
#define ZERO(name, ...) \
	static void t_##name(void) \
	{ \
		size_t to = there(), n = size(); \
\
		fill(6, 0); \
		name(a + to, n __VA_ARGS__); \
		LIBC(name)(b + to, n __VA_ARGS__); \
		W(to, n); \
	}
SET(memset)
SET(__memset_chk, , n)
ZERO(bzero)
ZERO(explicit_bzero)
ZERO(__explicit_bzero_chk, , n)

static void
t_memccpy(void)
{
	size_t to = there(), from = here(), n = size(), i = 0;

	fill(9, 0);
	a[from + n / 2] = b[from + n / 2] = 'x';
	if (rnd(2))
		a[from + n / 2] = b[from + n / 2] = 'y';
	SAME_AT(memccpy(a + to, a + from, 'x', n),
		LIBC(memccpy)(b + to, b + from, 'x', n));
	while (i < n && a[from + i++] != 'x')
		;
	R(from, i);
	W(to, i);
}

static void
t_swab(void)
{
	size_t to = there(), from = here(), n = size();

	fill(9, 0);
	swab(a + from, a + to, (ssize_t)n - 3);
	LIBC(swab)(b + from, b + to, (ssize_t)n - 3);
	if (n > 3) {
		R(from, (n - 3) & ~(size_t)1);
		W(to, (n - 3) & ~(size_t)1);
	}
}

/* Nearly equal ranges, with a difference somewhere. */
#define COMPARE(name) \
	static void t_##name(void) \
	{ \
		size_t p = here(), q = there(), n = size(), i = 0; \
\
		fill(9, 0); \
		for (size_t k = 0; k < n; k++) \
			a[q + k] = b[q + k] = a[p + k]; \
		if (rnd(3)) \
			a[q + rnd(n + 1)] ^= 0x81; \
		for (size_t k = 0; k < n; k++) \
			b[q + k] = a[q + k]; \
		b[q + n] = a[q + n]; \
		SAME(name(a + p, a + q, n), LIBC(name)(b + p, b + q, n)); \
		while (i < n && a[p + i] == a[q + i]) \
			i++; \
		R(p, i < n ? i + 1 : n); \
		R(q, i < n ? i + 1 : n); \
	}
COMPARE(memcmp)
COMPARE(bcmp)
COMPARE(__memcmpeq)

static void
t_memchr(void)
{
	size_t p = here(), n = size(), i = 0;

	fill(9, 0);
	a[p + rnd(2 * n + 1)] = 'x';
	LIBC(memcpy)(b, a, ARENA);
	SAME_AT(memchr(a + p, 'x' + 256, n), LIBC(memchr)(b + p, 'x', n));
	while (i < n && a[p + i++] != 'x')
		;
	R(p, i);
}

static void
t_memrchr(void)
{
	size_t p = here(), n = size(), i = n;

	fill(9, 0);
	a[p + rnd(2 * n + 1)] = 'x';
	LIBC(memcpy)(b, a, ARENA);
	SAME_AT(memrchr(a + p, 'x', n), LIBC(memrchr)(b + p, 'x', n));
	while (i && a[p + --i] != 'x')
		;
	R(p + i, n - i);
}

#define RAW(name) \
	static void t_##name(void) \
	{ \
		size_t p = here(), n = size(); \
\
		fill(9, 0); \
		a[p + n] = b[p + n] = 'x'; \
		SAME_AT(name(a + p, 'x'), LIBC(name)(b + p, 'x')); \
		R(p, n + 1); \
	}
RAW(rawmemchr)
RAW(__rawmemchr)

static void
t_memmem(void)
{
	size_t p = here(), n = rnd(60), q = there(), m = rnd(7), i = 0;
	char *r;

	fill(2, 0);
	r = memmem(a + p, n, a + q, m);
	SAME_AT(r, LIBC(memmem)(b + p, n, b + q, m));
	if (!m || m > n)
		return;
	while (i + m <= n && LIBC(memcmp)(b + p + i, b + q, m))
		i++;
	R(p, i + m <= n ? i + m : n);
	R(q, m);
}

static int
by_byte(const void *x, const void *y)
{
	return *(const char *)x - *(const char *)y;
}

static int
by_byte_r(const void *x, const void *y, void *arg)
{
	++*(int *)arg;
	return by_byte(x, y);
}

static void
t_qsort(void)
{
	size_t p = here(), n = rnd(50), one = 1 + rnd(40);

	fill(9, 0);
	qsort(a + p, n, one, by_byte);
	LIBC(qsort)(b + p, n, one, by_byte);
	if (n > 1) {
		R(p, n * one);
		W(p, n * one);
	}
}

static void
t_qsort_r(void)
{
	size_t p = here(), n = rnd(50), one = 1 + rnd(40);
	int k = 0, l = 0;

	fill(9, 0);
	qsort_r(a + p, n, one, by_byte_r, &k);
	LIBC(qsort_r)(b + p, n, one, by_byte_r, &l);
	SAME(k, l);
	if (n > 1) {
		R(p, n * one);
		W(p, n * one);
	}
}

/* Sizes of 0, with invalid pointers. */
static void
t_nothing(void)
{
	char *volatile no = NULL, *volatile wild = (char *)-64;
	volatile size_t zero = 0;

	SAME(memcmp(no, no, 0), 0);
	SAME(memcpy(a, wild, zero) == a, 1);
	SAME(memmove(no, no, zero) == no, 1);
	SAME(memset(wild, 1, zero) == wild, 1);
	SAME(memchr(wild, 1, 0) == NULL, 1);
	SAME(strncmp(no, wild, 0), 0);
	SAME(strnlen(wild, 0), 0);
}

int
main(void)
{
	if (rt_open() != 0) {
		skip(1, "no address space for the shadow");
		return done_testing();
	}
	TRY(memcpy);
	TRY(memcpy_over);
	TRY(memmove_over);
	TRY(mempcpy);
	TRY(__mempcpy);
	TRY(bcopy);
	TRY(__memcpy_chk);
	TRY(__memmove_chk);
	TRY(__mempcpy_chk);
	TRY(memset);
	TRY(__memset_chk);
	TRY(bzero);
	TRY(explicit_bzero);
	TRY(__explicit_bzero_chk);
	TRY(memccpy);
	TRY(swab);
	TRY(memcmp);
	TRY(bcmp);
	TRY(__memcmpeq);
	TRY(memchr);
	TRY(memrchr);
	TRY(rawmemchr);
	TRY(__rawmemchr);
	TRY(memmem);
	TRY(qsort);
	TRY(qsort_r);
	TRY(nothing);
	ok(rt_touches() > 1000, "words that don't fit were put straight");
	return done_testing();
}
