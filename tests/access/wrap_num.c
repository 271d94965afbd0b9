/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers read from strings: results, errno and counts. */
#include "tests/access/wrap_test.h"

#include <inttypes.h>

static void
put(size_t at, const char *text)
{
	for (size_t i = 0; i == 0 || text[i - 1]; i++)
		a[at + i] = b[at + i] = text[i];
}

/* How many characters each function must read. */
static const struct number {
	const char *text;
	unsigned read10, read16, read; /* base 10, base 16, fraction */
} numbers[] = {
	{ "", 1, 1, 1 },
	{ "x", 1, 1, 1 },
	{ "  +", 4, 4, 4 },
	{ "   -z", 5, 5, 5 },
	{ "12", 3, 3, 3 },
	{ "-12abc", 4, 7, 4 },
	{ " \t\n42 ", 6, 6, 6 },
	{ "0x1f;", 2, 5, 5 },
	{ "99999999999999999999999999", 27, 27, 27 },
	{ "-99999999999999999999999999,", 28, 28, 28 },
	{ "3.25e2|", 2, 2, 7 },
	{ "7e1,", 2, 4, 4 },
	{ "2147483648 ", 11, 11, 11 },
};

#define INTEGER(name) \
	static void t_##name(void) \
	{ \
		const struct number *k = \
			&numbers[rnd(sizeof(numbers) / sizeof(*numbers))]; \
		size_t s = here(), q = 2048 + 8 * rnd(9); \
		char *end = NULL; \
		int e; \
		intmax_t r; \
\
		put(s, k->text); \
		errno = 0; \
		r = (intmax_t)LIBC(name)(b + s, &end, 10); \
		e = errno; \
		errno = 0; \
		SAME(name(a + s, (char **)(a + q), 10), r); \
		SAME(errno, e); \
		SAME_AT(*(char **)(a + q), end); \
		*(char **)(b + q) = *(char **)(a + q); \
		R(s, k->read10); \
		W(q, sizeof(char *)); \
		SAME(name(a + s, NULL, 16), LIBC(name)(b + s, NULL, 16)); \
		R(s, k->read16); \
		errno = 0; \
		end = (char *)5; \
		SAME(name(a + s, &end, 99), 0); \
		SAME(errno, EINVAL); \
		SAME(end == (char *)5, 1); \
	}
#undef strtol
#undef strtoul
#undef strtoll
#undef strtoull
INTEGER(strtol)
INTEGER(strtoul)
INTEGER(strtoll)
INTEGER(strtoull)
INTEGER(strtoimax)
INTEGER(strtoumax)

#define FRACTION(name, type) \
	static void t_##name(void) \
	{ \
		const struct number *k = \
			&numbers[rnd(sizeof(numbers) / sizeof(*numbers))]; \
		size_t s = here(); \
		char *end, *last; \
		type r, want; \
\
		put(s, k->text); \
		r = name(a + s, &end); \
		want = LIBC(name)(b + s, &last); \
		SAME(r == want, 1); \
		SAME_AT(end, last); \
		/* They read 0x1f as a number. */ \
		R(s, k->read); \
	}
FRACTION(strtof, float)
FRACTION(strtod, double)
FRACTION(strtold, long double)

static void
t_atoi(void)
{
	const struct number *k =
		&numbers[rnd(sizeof(numbers) / sizeof(*numbers))];
	size_t s = here();

	put(s, k->text);
	SAME(atoi(a + s), LIBC(atoi)(b + s));
	R(s, k->read10);
	SAME(atol(a + s), LIBC(atol)(b + s));
	R(s, k->read10);
	SAME(atoll(a + s), LIBC(atoll)(b + s));
	R(s, k->read10);
	SAME(atof(a + s) == LIBC(atof)(b + s), 1);
	R(s, k->read);
}

int
main(void)
{
	if (rt_open() != 0) {
		skip(1, "no address space for the shadow");
		return done_testing();
	}
	TRY(strtol);
	TRY(strtoul);
	TRY(strtoll);
	TRY(strtoull);
	TRY(strtoimax);
	TRY(strtoumax);
	TRY(strtof);
	TRY(strtod);
	TRY(strtold);
	TRY(atoi);
	return done_testing();
}
