/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks of other kinds.  Only accesses by the program count: not those by
 * which calloc clears a block, realloc copies it and free changes it.
 *
 * cleared	Three of 100 from calloc, not touched: unused.
 * aligned	aligned_alloc(64, 128) written over all: 128 writes, span 128.
 * aligned_too	posix_memalign(256, 48): the same.
 * empty	malloc(0) five times: no blocks, so the site isn't in the
 *		file.
 * some_empty	malloc of 0, 16, 0, 24 bytes: two blocks.
 * alive	Two of 32, written and read, and never freed.
 * by_string	One of 64: memset over all, 4 granules; memcpy of its first half
 *		to the second: 2 reads, 2 writes; strlen of 40 characters: with
 *		the NUL 41 bytes, 3 granules.  5 reads, 6 writes.  Then one byte
 *		is written to end the string: 7 writes.
 *
 *	expect cleared blocks=3 bytes=300 reads=0 writes=0 span=0 cover=0
 *		usage=0.0 useful=0.0 unused=3/300
 *	expect aligned blocks=1 bytes=128 reads=0 writes=128 span=128 cover=128
 *		usage=0.0 write-only=1/128
 *	expect aligned_too blocks=1 bytes=48 reads=0 writes=48 span=48 cover=48
 *		usage=0.0 write-only=1/48
 *	expect empty blocks=0
 *	expect some_empty blocks=2 bytes=40 reads=0 writes=40 span=40
 *		write-only=2/40
 *	expect alive blocks=2 bytes=64 reads=64 writes=64 span=64 cover=64
 *		usage=1.0
 *	expect by_string blocks=1 bytes=64 reads=5 writes=7 span=64 cover=64
 *		usage=1.0
 */
#include "tests/access/ex.h"

static char *volatile keep;

static NOINLINE char *
cleared(void)
{
	return calloc(10, 10);
}

static NOINLINE char *
aligned(void)
{
	return aligned_alloc(64, 128);
}

static NOINLINE char *
aligned_too(void)
{
	void *p;

	return posix_memalign(&p, 256, 48) ? NULL : p;
}

static NOINLINE char *
empty(size_t size)
{
	return malloc(size);
}

static NOINLINE char *
some_empty(size_t size)
{
	return malloc(size);
}

static NOINLINE char *
alive(void)
{
	return malloc(32);
}

static NOINLINE char *
by_string(void)
{
	return malloc(64);
}

static void
strings(size_t half)
{
	char *p = by_string();

	memset(p, 'x', 2 * half);
	memcpy(p + half, p, half);
	p[40] = '\0';
	if (strlen(p) != 40)
		abort();
	free(p);
}

int
main(void)
{
	static const size_t sizes[] = { 0, 16, 0, 24 };
	char *p;
	int i;

	for (i = 0; i < 3; i++)
		free(cleared());
	p = aligned();
	put(p, 128);
	free(p);
	p = aligned_too();
	put(p, 48);
	free(p);
	for (i = 0; i < 5; i++)
		free(empty(0));
	for (i = 0; i < 4; i++) {
		p = some_empty(sizes[i]);
		put(p, sizes[i]);
		free(p);
	}
	for (i = 0; i < 2; i++) {
		keep = alive();
		put(keep, 32);
		get(keep, 32);
	}
	strings(32);
	return 0;
}
