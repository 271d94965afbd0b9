/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loops of many shapes.  The counts must be the same whether each access is
 * counted alone, together with others, or after its loop.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/access/plug_runtime.h"

#define NOINLINE __attribute__((noinline, noclone))
#define BYTES 1024

static char *block;

static void
show(const char *what, long n)
{
	char line[64];

	snprintf(line, sizeof(line), "%s(%ld)", what, n);
	plug_show(line, block, BYTES);
}

NOINLINE static unsigned
sum(const unsigned char *p, size_t n)
{
	unsigned s = 0;

	for (size_t i = 0; i < n; i++)
		s += p[i];
	return s;
}

NOINLINE static int
find(const int *p, int n, int x)
{
	for (int i = 0; i < n; i++)
		if (p[i] == x)
			return i;
	return -1;
}

NOINLINE static void
reverse(short *to, const short *from, int n)
{
	while (n-- > 0)
		*to++ = *--from;
}

NOINLINE static void
add(long *p, unsigned n, long x)
{
	for (unsigned i = 0; i != n; i++)
		p[i] += x;
}

NOINLINE static void
every(char *p, unsigned n, unsigned step)
{
	for (unsigned i = 0; i < n; i += step)
		p[i]++;
}

NOINLINE static size_t
length(const char *p)
{
	const char *q = p;

	while (*q)
		q++;
	return (size_t)(q - p);
}

struct pair {
	int a;
	short b, c;
};

NOINLINE static long
pairs(struct pair *p, int n)
{
	long s = 0;

	for (int i = 0; i < n; i++) {
		s += p[i].a;
		p[i].b = p[i].c;
		if (p[i].a & 4)
			s += p[i].c;
	}
	return s;
}

NOINLINE static int
two_ways(int *p, int n)
{
	int i = 0;

	for (;;) {
		if (i >= n)
			return 0;
		p[i]++;
		if (p[i + 1] == 77)
			return i;
		p[i + 2] = 5;
		i += 1;
	}
}

NOINLINE static void
matrix(float m[16][16], int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			m[j][i] += m[i][j] * 2;
}

NOINLINE static void
constant(long *p, int n)
{
	for (int i = 0; i < n; i++)
		*(volatile long *)p += i;
}

NOINLINE static double
doubles(double *a, const double *b, int n)
{
	double s = 0;

	for (int i = 0; i < n; i++) {
		a[i] = b[n - i] * 3;
		s += a[i];
	}
	return s;
}

NOINLINE static void
backwards(unsigned char *p, int n)
{
	for (int i = n - 1; i >= 0; i--)
		p[i] = (unsigned char)(p[i] + i);
}

NOINLINE static void
bytes(signed char first, unsigned char *p)
{
	for (signed char i = first; i < 100; i++)
		p[(unsigned char)i]++;
}

/* Writes to the same places in each round; p may point to them, too. */
NOINLINE static void
totals(long *to, const long *p, int n)
{
	for (int i = 0; i < n; i++) {
		to[0] += p[i & 7];
		to[5] -= p[i & 3];
		if (p[2] == 6)
			to[7]++;
	}
}

NOINLINE static int
until(char *p, int n, const char *limit)
{
	int i = 0;

	while (i < n) {
		p[40]++;
		if (p[i & 7] == *limit)
			return i;
		p[90] = 1;
		i += 3;
	}
	return -1;
}

struct link {
	struct link *next;
	int *sum, value;
};

NOINLINE static void
along(struct link *l, int *most)
{
	do {
		*l->sum += l->value;
		*most = *most > l->value ? *most : l->value;
		l = l->next;
	} while (l);
}

NOINLINE static void
roots(double *a, const double *b, unsigned n)
{
	while (n-- > 0) {
		a[1] += __builtin_sqrt(b[n & 7]);
		a[3] = a[1] * *b;
	}
}

static void
chain(struct link *l, long n)
{
	for (long i = 0; i < 16; i++)
		l[i] = (struct link){ i < 15 && i < n ? &l[i + 1] : NULL,
				      (int *)(block + 960), (int)i };
}

static void
run_same(long n)
{
	memset(block, 1, BYTES);
	show("memset", n);
	totals((long *)(block + 16), (long *)block, (int)n);
	show("totals", n);
	totals((long *)(block + 8), (long *)(block + 128), (int)(9 * n));
	show("totals", 9 * n);
	until(block, (int)n, block + 500);
	show("until", n);
	block[500] = 5;
	until(block, (int)n, block + 500);
	show("until", n);
	chain((struct link *)block, n);
	show("chain", n);
	along((struct link *)block, (int *)(block + 972));
	show("along", n);
	roots((double *)(block + 200), (double *)block, (unsigned)n);
	show("roots", n);
}

static void
run(long n)
{
	memset(block, 1, BYTES);
	show("memset", n);
	sum((unsigned char *)block + 3, (size_t)n);
	show("sum", n);
	((int *)block)[n / 2] = 99;
	find((int *)block, (int)n, 99);
	show("find", n);
	reverse((short *)block, (short *)(block + 512), (int)n);
	show("reverse", n);
	add((long *)(block + 8), (unsigned)n, 3);
	show("add", n);
	every(block, (unsigned)n, 3);
	show("every", n);
	block[n] = 0;
	length(block);
	show("length", n);
	pairs((struct pair *)block, (int)n);
	show("pairs", n);
	two_ways((int *)block, (int)n);
	show("two_ways", n);
	if (n <= 16)
		matrix((float(*)[16])block, (int)n);
	show("matrix", n);
	constant((long *)block, (int)n);
	show("constant", n);
	doubles((double *)block, (double *)(block + 8), (int)n);
	show("doubles", n);
	backwards((unsigned char *)block + 5, (int)n);
	show("backwards", n);
	bytes((signed char)(100 - n), (unsigned char *)block);
	show("bytes", n);
}

int
main(void)
{
	static const long sizes[] = {
		0, 1, 2, 3, 5, 7, 15, 16, 17, 33, 63, 100
	};

	block = aligned_alloc(64, BYTES + 64);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		run(sizes[i]);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		run_same(sizes[i]);
	run_same(3000);
	fprintf(stderr, "loops %lu\n", (unsigned long)plug_loops());
	return 0;
}
