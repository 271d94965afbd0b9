/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arguments of all kinds, passed to functions that aren't recorded (PART 1) and
 * print them.  The program (PART 0) allocates each block in a function that is
 * named after it.  Nothing depends on the blocks' addresses.
 */
#include <complex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/access/handed.h"

struct pair {
	char *p;
	long n;
};

struct large {
	long n[5];
};

typedef int four __attribute__((vector_size(16)));

void lib_mixed(double a, char *p, float b, int c, char *q, long double d,
	       signed char e, double f);
void lib_vector(four v, char *p, double complex z);
void lib_seventh(int a, int b, int c, int d, int e, int f, char *p, int g);
struct large lib_result(char *p, double a);
long lib_pair(struct pair s, char *q, unsigned short n);
double lib_various(char *p, int n, ...);
int lib_wide(__int128 a, char *p);

#if PART == 1
void
lib_mixed(double a, char *p, float b, int c, char *q, long double d,
	  signed char e, double f)
{
	printf("%g %s %g %d %s %Lg %d %g\n", a, p, (double)b, c, q, d, e, f);
}

void
lib_vector(four v, char *p, double complex z)
{
	printf("%d %d %s %g %g\n", v[0], v[3], p, creal(z), cimag(z));
}

void
lib_seventh(int a, int b, int c, int d, int e, int f, char *p, int g)
{
	printf("%d%d%d%d%d%d %s %d\n", a, b, c, d, e, f, p, g);
}

struct large
lib_result(char *p, double a)
{
	return (struct large){ { p[0], p[1], (long)a, 4, 5 } };
}

long
lib_pair(struct pair s, char *q, unsigned short n)
{
	return s.p[0] * 1000000 + s.n * 10000 + q[0] * 10 + n;
}

double
lib_various(char *p, int n, ...)
{
	double sum = p[0];
	va_list ap;

	va_start(ap, n);
	for (int i = 0; i < n; i++)
		sum = 2 * sum + va_arg(ap, double);
	va_end(ap);
	return sum;
}

int
lib_wide(__int128 a, char *p)
{
	return (int)(a >> 64) + p[0];
}
#else
#define BLOCK(name) \
	static NOINLINE char *name(void) \
	{ \
		char *volatile p = malloc(40); \
		strcpy(p, #name); \
		return p; \
	}
BLOCK(mixed)
BLOCK(mixed_too)
BLOCK(vector)
BLOCK(seventh)
BLOCK(result)
BLOCK(pair)
BLOCK(beside)
BLOCK(various)
BLOCK(wide)

static NOINLINE double
last(char *p, int n)
{
	return lib_various(p, 9, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0,
			   (double)n);
}

int
main(void)
{
	char *p[] = { mixed(),	mixed_too(), vector(), seventh(), result(),
		      pair(),	beside(),    various(), wide() };
	struct large l;

	/* At the first call their kinds aren't known yet. */
	for (int i = 0; i < 2; i++) {
		lib_mixed(1.5, p[0], 2.5f, -3, p[1], 4.5L, -5, 6.5);
		lib_vector((four){ 1, 2, 3, 4 }, p[2], 7 + 8 * I);
		lib_seventh(1, 2, 3, 4, 5, 6, p[3], 8);
		l = lib_result(p[4], 3.5);
		printf("%ld %ld %ld %ld\n", l.n[0], l.n[1], l.n[2], l.n[4]);
		printf("%ld\n", lib_pair((struct pair){ p[5], 7 }, p[6], 9));
		printf("%g\n", last(p[7], i));
		printf("%d\n", lib_wide((__int128)5 << 64, p[8]));
	}
	for (unsigned i = 0; i < sizeof(p) / sizeof(*p); i++)
		free(p[i]);
	return 0;
}
#endif
