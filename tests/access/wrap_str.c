/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of strings: results, bytes and counts. */
#include "tests/access/wrap_test.h"

char *__stpcpy(char *, const char *);
char *__strdup(const char *);
char *__strndup(const char *, size_t);
char *__strtok_r(char *, const char *, char **);

/* Bytes read of a string if at most n are read. */
static size_t
at_most(size_t at, size_t n)
{
	size_t len = length(at, n);

	return len < n ? len + 1 : n;
}

static void
t_strlen(void)
{
	size_t s = here(), n = size();

	string(s, n, 4);
	SAME(strlen(a + s), n);
	R(s, n + 1);
}

static void
t_strnlen(void)
{
	size_t s = here(), n = size(), max = rnd(2 * n + 2);

	string(s, n, 4);
	SAME(strnlen(a + s, max), LIBC(strnlen)(b + s, max));
	R(s, at_most(s, max));
}

#define COPY(name, ...) \
	static void t_##name(void) \
	{ \
		size_t to = there(), from = here(), n = size(); \
\
		string(from, n, 4); \
		SAME_AT(name(a + to, a + from __VA_ARGS__), \
			LIBC(name)(b + to, b + from __VA_ARGS__)); \
		R(from, n + 1); \
		W(to, n + 1); \
	}
COPY(strcpy)
COPY(stpcpy)
COPY(__stpcpy)
COPY(__strcpy_chk, , n + 1)
COPY(__stpcpy_chk, , n + 1)

#define COPY_MAX(name, ...) \
	static void t_##name(void) \
	{ \
		size_t to = there(), from = here(), n = size(); \
		size_t max = rnd(2 * n + 9); \
\
		max = max > 3000 ? 3000 : max; \
		string(from, n, 4); \
		SAME_AT(name(a + to, a + from, max __VA_ARGS__), \
			LIBC(name)(b + to, b + from, max __VA_ARGS__)); \
		R(from, at_most(from, max)); \
		W(to, max); \
	}
COPY_MAX(strncpy)
COPY_MAX(stpncpy)
COPY_MAX(__strncpy_chk, , max)
COPY_MAX(__stpncpy_chk, , max)

#define CAT(name, count, max, ...) \
	static void t_##name(void) \
	{ \
		size_t to = there(), from = here(), n = rnd(500); \
		size_t m = rnd(50), some = rnd(600), k; \
\
		string(from, n, 4); \
		string(to, m, 4); \
		(void)some; \
		SAME_AT(name(a + to, a + from __VA_ARGS__), \
			LIBC(name)(b + to, b + from __VA_ARGS__)); \
		k = count; \
		R(to, m + 1); \
		R(from, max); \
		W(to + m, k + 1); \
	}
CAT(strcat, n, n + 1)
CAT(__strcat_chk, n, n + 1, , m + n + 1)
CAT(strncat, length(from, some), at_most(from, some), , some)
CAT(__strncat_chk, length(from, some), at_most(from, some), , some, 2000)

/* The libc may lack them: the expected effects are those in their manual. */
__asm__(".symver strlcpy, strlcpy@GLIBC_2.38");
__asm__(".symver strlcat, strlcat@GLIBC_2.38");
static void
t_strlcpy(void)
{
	size_t to = there(), from = here(), n = rnd(300), max = rnd(400);

	string(from, n, 4);
	SAME(strlcpy(a + to, a + from, max), n);
	if (max) {
		size_t k = n < max - 1 ? n : max - 1;

		LIBC(memcpy)(b + to, b + from, k);
		b[to + k] = '\0';
		W(to, k + 1);
	}
	R(from, n + 1);
}

static void
t_strlcat(void)
{
	size_t to = there(), from = here(), n = rnd(300), m = rnd(99), k;
	size_t max = rnd(400);

	string(from, n, 4);
	string(to, m, 4);
	SAME(strlcat(a + to, a + from, max), n + (m < max ? m : max));
	R(from, n + 1);
	R(to, m < max ? m + 1 : max);
	if (m >= max)
		return;
	k = n < max - m - 1 ? n : max - m - 1;
	LIBC(memcpy)(b + to + m, b + from, k);
	b[to + m + k] = '\0';
	W(to + m, k + 1);
}

/* strdup and the like. */
static char *volatile block;
static void
new_block(char *got, const char *from, size_t n)
{
	unsigned r, w, all = 0;

	SAME(got && !strncmp(got, from, n) && !got[n], 1);
	rt_take(got - 16, &w);
	for (size_t i = 0; i <= n / 16; i++) {
		r = rt_take(got + 16 * i, &w);
		all += w;
		(void)r;
	}
	SAME(all, n / 16 + 1);
	free(block);
	block = got;
}

static void
t_strdup(void)
{
	size_t s = here(), n = size();
	char *p;

	string(s, n, 4);
	p = rnd(2) ? strdup(a + s) : __strdup(a + s);
	R(s, n + 1);
	new_block(p, b + s, n);
}

static void
t_strndup(void)
{
	size_t s = here(), n = size(), max = rnd(2 * n + 2);
	char *p;

	string(s, n, 4);
	p = rnd(2) ? strndup(a + s, max) : __strndup(a + s, max);
	R(s, at_most(s, max));
	new_block(p, b + s, length(s, max));
}

/* Two strings, at first nearly equal. */
static void
two(size_t *s, size_t *t, size_t letters)
{
	size_t n = size();

	/* The end of a page is at 4096. */
	*s = here() + (rnd(2) ? 3800 : 0);
	*t = 6000 + rnd(64);
	if (rnd(3) == 0) {
		*s = 4096 - rnd(20);
		n = rnd(24);
	}
	string(*s, n, letters);
	string(*t, n, letters);
	for (size_t i = 0, k = rnd(n + 2); i < n && i < k; i++)
		a[*t + i] = b[*t + i] =
			a[*s + i] ^ (letters == 6 && rnd(2) ? 0x20 : 0);
	if (rnd(4) == 0)
		a[*t + n / 2] = b[*t + n / 2] = 0;
	if (rnd(4) == 0)
		a[*t + n / 2] = b[*t + n / 2] = (char)0xe4;
}

static int
letter(int c)
{
	return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

#define COMPARE(name, limit, fold, letters, ...) \
	static void t_##name(void) \
	{ \
		size_t s, t, i = 0, n = rnd(300); \
\
		(void)n; \
		two(&s, &t, letters); \
		SAME(name(a + s, a + t __VA_ARGS__), \
		     LIBC(name)(b + s, b + t __VA_ARGS__)); \
		while (i < (limit) && a[s + i] && \
		       fold(a[s + i]) == fold(a[t + i])) \
			i++; \
		R(s, i < (limit) ? i + 1 : (limit)); \
		R(t, i < (limit) ? i + 1 : (limit)); \
	}
COMPARE(strcmp, SIZE_MAX, , 4)
COMPARE(strncmp, n, , 4, , n)
COMPARE(strcasecmp, SIZE_MAX, letter, 6)
COMPARE(strncasecmp, n, letter, 6, , n)

static void
t_strcoll(void)
{
	size_t s, t;

	two(&s, &t, 6);
	SAME(strcoll(a + s, a + t), LIBC(strcoll)(b + s, b + t));
	R(s, length(s, SIZE_MAX) + 1);
	R(t, length(t, SIZE_MAX) + 1);
}

#define FIND(name, last) \
	static void t_##name(void) \
	{ \
		size_t s = here(), n = size(), i = 0; \
		int c = rnd(9) ? 'x' : 0; \
\
		string(s, n, 8); \
		if (n && rnd(3)) \
			a[s + n / 2] = b[s + n / 2] = 'x'; \
		SAME_AT(name(a + s, c), LIBC(name)(b + s, c)); \
		while (a[s + i] && (last || a[s + i] != c)) \
			i++; \
		R(s, i + 1); \
	}
FIND(strchr, 0)
FIND(index, 0)
FIND(strchrnul, 0)
FIND(strrchr, 1)
FIND(rindex, 1)

#define SEARCH(name) \
	static void t_##name(void) \
	{ \
		size_t s = here(), t = there(), n = size(), m = rnd(9); \
		char *r; \
\
		string(s, n, 2); \
		string(t, m, 2); \
		r = LIBC(name)(b + s, b + t); \
		SAME_AT(name(a + s, a + t), r); \
		R(t, m + 1); \
		R(s, r ? (size_t)(r - b) - s + m : n + 1); \
	}
SEARCH(strstr)
SEARCH(strcasestr)

static void
t_strspn(void)
{
	size_t s = here(), t = there(), n = size(), m = rnd(9), r;

	string(s, n, 4);
	string(t, m, 6);
	r = LIBC(strspn)(b + s, b + t);
	SAME(strspn(a + s, a + t), r);
	R(s, r + 1);
	R(t, m + 1);
	r = LIBC(strcspn)(b + s, b + t);
	SAME(strcspn(a + s, a + t), r);
	R(s, r + 1);
	R(t, m + 1);
	SAME_AT(strpbrk(a + s, a + t), LIBC(strpbrk)(b + s, b + t));
	R(s, r + 1);
	R(t, m + 1);
}

/* The count of reads when a word is taken from a + s, by a naive search. */
static size_t
word(size_t s, size_t set, size_t m, int skip)
{
	size_t i = s;

	R(set, m + 1);
	while (skip && b[i] && LIBC(strchr)(b + set, b[i]))
		i++;
	if (!b[i] && skip) {
		R(s, i - s + 1);
		return i;
	}
	while (b[i] && !LIBC(strchr)(b + set, b[i]))
		i++;
	R(s, i - s + 1);
	if (!b[i])
		return i;
	W(i, 1);
	return i + 1;
}

#define TOKENS(name, ...) \
	static void t_##name(void) \
	{ \
		size_t s = here(), t = there(), n = size(), m = 1 + rnd(3); \
		char *x = NULL, *y = NULL, *p, *q; \
		size_t at = s; \
\
		string(s, n, 8); \
		string(t, m, 9); \
		(void)x; \
		(void)y; \
		for (int i = 0; i < 5; i++) { \
			at = word(at, t, m, 1); \
			p = name(i ? NULL : a + s, a + t __VA_ARGS__); \
			TOKEN_SWAP(x, y); \
			q = LIBC(name)(i ? NULL : b + s, b + t __VA_ARGS__); \
			TOKEN_SWAP(x, y); \
			SAME_AT(p, q); \
		} \
	}
#define TOKEN_SWAP(x, y) \
	do { \
		char *swap = x; \
		x = y; \
		y = swap; \
	} while (0)
TOKENS(strtok)
TOKENS(strtok_r, , &x)
TOKENS(__strtok_r, , &x)

static void
t_strsep(void)
{
	size_t s = here(), t = there(), n = size(), m = 1 + rnd(3), at = s;
	char *x, *y, *p;

	string(s, n, 8);
	string(t, m, 9);
	x = a + s;
	y = b + s;
	for (int i = 0; i < 5 && y; i++) {
		at = word(at, t, m, 0);
		p = strsep(&x, a + t);
		SAME_AT(p, LIBC(strsep)(&y, b + t));
		SAME_AT(x, y);
	}
}

static void
copies(void)
{
	TRY(strlen);
	TRY(strnlen);
	TRY(strcpy);
	TRY(stpcpy);
	TRY(__stpcpy);
	TRY(__strcpy_chk);
	TRY(__stpcpy_chk);
	TRY(strncpy);
	TRY(stpncpy);
	TRY(__strncpy_chk);
	TRY(__stpncpy_chk);
	TRY(strcat);
	TRY(__strcat_chk);
	TRY(strncat);
	TRY(__strncat_chk);
	TRY(strlcpy);
	TRY(strlcat);
	TRY(strdup);
	TRY(strndup);
}

int
main(void)
{
	if (rt_open() != 0) {
		skip(1, "no address space for the shadow");
		return done_testing();
	}
	copies();
	TRY(strcmp);
	TRY(strncmp);
	TRY(strcasecmp);
	TRY(strncasecmp);
	TRY(strcoll);
	TRY(strchr);
	TRY(index);
	TRY(strchrnul);
	TRY(strrchr);
	TRY(rindex);
	TRY(strstr);
	TRY(strcasestr);
	TRY(strspn);
	TRY(strtok);
	TRY(strtok_r);
	TRY(__strtok_r);
	TRY(strsep);
	return done_testing();
}
