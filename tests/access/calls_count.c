/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Accesses of each kind, counted in their granules.  Prints each difference,
 * and at the end how many figures were compared.  With an argument it leaves
 * out what this compiler doesn't report (clang: long double, vectors).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/access/calls_word.h"

#define NOINLINE __attribute__((noinline))

struct large {
	long v[6];
};

struct __attribute__((packed)) odd {
	char c[13];
	int v;
};

typedef long vector __attribute__((vector_size(32)));

static uint64_t before[2][4];
static int compared, wrong;

static void
start(const char *p)
{
	for (int i = 0; i < 4; i++) {
		before[0][i] = word_reads(p + 16 * i);
		before[1][i] = word_writes(p + 16 * i);
	}
}

/* Digits: the expected accesses of granules 0 to 3 since start(). */
static void
expect(const char *p, const char *name, const char *reads, const char *writes)
{
	for (int i = 0; i < 4; i++) {
		uint64_t r = word_reads(p + 16 * i) - before[0][i];
		uint64_t w = word_writes(p + 16 * i) - before[1][i];

		compared += 2;
		if (r == (uint64_t)(reads[i] - '0') &&
		    w == (uint64_t)(writes[i] - '0'))
			continue;
		wrong++;
		printf("%s: granule %d: %lu reads, %lu writes\n", name, i, r,
		       w);
	}
}

/* One write, two reads, and one of both. */
#define PLAIN(name, type)                            \
	static NOINLINE void name(volatile type *p)  \
	{                                            \
		*p = 1;                              \
		(void)*p;                            \
		(void)*p;                            \
		*p = *p + 1;                         \
	}
PLAIN(plain1, char)
PLAIN(plain2, short)
PLAIN(plain4, int)
PLAIN(plain8, long)
PLAIN(plain16, __int128)
PLAIN(plain_float, float)
PLAIN(plain_double, double)
PLAIN(plain_long_double, long double)

static NOINLINE void
copy(struct large *to, const struct large *from)
{
	*to = *from;
}

static NOINLINE void
add(volatile vector *to)
{
	*to = *to + *to;
}

static NOINLINE int
odd(volatile struct odd *p)
{
	p->v = 1;
	return p->v;
}

/* Not as the compiler expects it, but programs do it. */
static NOINLINE int
astray(volatile int *p)
{
	*p = 1;
	return *p;
}

/* A loop that compilers turn into vectors, of any width. */
static NOINLINE void
sweep(int *restrict to, const int *restrict from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = from[i] + 1;
}

/* Each granule of both must have accesses. */
static void
swept(char *p, char *q)
{
	uint64_t r[4];

	start(p);
	for (int i = 0; i < 4; i++)
		r[i] = word_reads(q + 16 * i);
	sweep((int *)(void *)p, (int *)(void *)q, 64 / sizeof(int));
	for (int i = 0; i < 4; i++) {
		compared += 2;
		if (word_writes(p + 16 * i) > before[1][i] &&
		    word_reads(q + 16 * i) > r[i])
			continue;
		wrong++;
		printf("loop: nothing in granule %d\n", i);
	}
}

static void
numbers(char *p)
{
#define BOTH(f, at, type)                            \
	start(p);                                    \
	f((volatile type *)(void *)(p + (at)));      \
	expect(p, #f, (at) < 16 ? "3000" : "0030", (at) < 16 ? "2000" : "0020")
	BOTH(plain1, 0, char);
	BOTH(plain1, 47, char);
	BOTH(plain2, 14, short);
	BOTH(plain2, 32, short);
	BOTH(plain4, 12, int);
	BOTH(plain8, 40, long);
	BOTH(plain16, 32, __int128);
	BOTH(plain_float, 36, float);
	BOTH(plain_double, 8, double);
}

static void
wide(char *p)
{
	BOTH(plain_long_double, 32, long double);
	start(p);
	add((volatile vector *)(void *)p);
	expect(p, "vector", "2200", "1100");
}

static void
several(char *p, char *q, size_t n)
{
	start(p);
	odd((volatile struct odd *)(void *)p);
	expect(p, "packed", "1100", "1100");
	start(p);
	astray((volatile int *)(void *)(p + 30));
	expect(p, "misaligned", "0110", "0110");
	start(p);
	copy((struct large *)(void *)p, (struct large *)(void *)q);
	expect(p, "struct to", "0000", "1110");
	start(p);
	copy((struct large *)(void *)q, (struct large *)(void *)(p + 16));
	expect(p, "struct from", "0111", "0000");
	start(p);
	memcpy(p, q, 32);
	expect(p, "memcpy of 32", "0000", "1100");
	start(p);
	memcpy(p + 8, q, n);
	expect(p, "memcpy of n", "0000", "1100");
	start(p);
	memset(p, 0, 64);
	expect(p, "memset", "0000", "1111");
}

int
main(int argc, char **argv)
{
	char *p = aligned_alloc(64, 64), *q = aligned_alloc(64, 64);

	(void)argv;
	memset(q, 1, 64);
	numbers(p);
	several(p, q, 24);
	swept(p, q);
	if (argc == 1)
		wide(p);
	printf("%d figures, %d wrong\n", compared, wrong);
	free(q);
	free(p);
	return wrong != 0;
}
