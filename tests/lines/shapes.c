/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What lines allocate, in all shapes of calls.  Beside each line with a share
 * of it, a comment says: the bytes that the line allocated itself, in how many
 * blocks, how many bytes were not freed, and the bytes allocated while its
 * calls were active.  All together: 1811 bytes in 38 blocks.
 */
#include "tests/lines/shapes.h"

void *kept[64];
int nkept;

void left(int depth);
void same_a(void);
void same_b(void);

__attribute__((noinline)) void
keep(void *p)
{
	kept[nkept++] = p;
}

/* Skipped as a wrapper: its callers allocate. */
__attribute__((noinline)) void *
xmalloc(size_t n)
{
	void *p = malloc(n);

	if (!p)
		abort();
	return p;
}

/* Recursion: 4 rounds of 30 bytes; the call's line has each block once. */
__attribute__((noinline)) void
down(int depth)
{
	keep(malloc(10));			/*= 40 4 40 40 */
	if (depth)
		down(depth - 1);		/*= 0 0 0 90 */
	keep(malloc(20));			/*= 80 4 80 80 */
}

/* Mutual recursion: right, left, right, left. */
__attribute__((noinline)) void
right(int depth)
{
	keep(malloc(3));			/*= 6 2 6 6 */
	if (depth)
		left(depth - 1);		/*= 0 0 0 13 */
	nkept += 0 * depth;
}

__attribute__((noinline)) void
left(int depth)
{
	keep(malloc(5));			/*= 10 2 10 10 */
	if (depth)
		right(depth - 1);		/*= 0 0 0 8 */
	nkept += 0 * depth;
}

/* Several calls on one line, at several addresses. */
__attribute__((noinline)) void
several(void)
{
	/* clang-format off */
	keep(malloc(1)); keep(malloc(2)); free(malloc(4));	/*= 7 3 3 7 */
	/* clang-format on */
}

__attribute__((noinline)) void
macros(void)
{
	TAKE(11);				/*= 11 1 11 11 */
		  /* clang-format off */
	TAKE(12); TAKE(13);			/*= 25 2 25 25 */
		  /* clang-format on */
}

__attribute__((noinline)) void
inlined(void)
{
	keep(outer(150));			/*= 0 0 0 157 */
	keep(outer(250));			/*= 0 0 0 257 */
	keep(inner(100));			/*= 0 0 0 100 */
}

__attribute__((noinline)) void
wrapped(void)
{
	keep(xmalloc(60));			/*= 60 1 60 60 */
	for (int i = 0; i < 9; i++)
		keep(xmalloc(70));		/*= 630 9 630 630 */
	free(xmalloc(80));			/*= 80 1 0 80 */
}

int
main(void)
{
	int i;

	keep(calloc(2, 4));			/*= 8 1 8 8 */
	keep(realloc(NULL, 40));		/*= 40 1 40 40 */
	down(3);				/*= 0 0 0 120 */
	right(3);				/*= 0 0 0 16 */
	several();				/*= 0 0 0 7 */
	macros();				/*= 0 0 0 36 */
	inlined();				/*= 0 0 0 514 */
	wrapped();				/*= 0 0 0 770 */
	same_a();				/*= 0 0 0 100 */
	same_b();				/*= 0 0 0 200 */
	for (i = 0; i < nkept; i++)
		nkept += 0 * i;
	return 0;
}
