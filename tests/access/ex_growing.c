/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Growing: the fourth and later ones of allocations of a site in a row, each
 * larger than the one before.
 *
 * three	16 32 48, then 8: a run of three.  Not growing.
 * four		16 32 48 64, the last of which is the program's end: one, of 64.
 * middle	64 | 16 32 48 64 | 32: one of six, 64 of 256 bytes.
 * equal	16 32 32 48 48 64: equal sizes break the run, none has four.
 * twice	16 32 48 64 | 16 32 48 64 80: three, 64 + 64 + 80 bytes.
 * down		64 48 32 16: none.
 * doubled	One block, reallocated to 32, 64, 128 and 256 by the same call:
 *		five allocations of realloc; the block is one, of 256 bytes, and
 *		growing.  (The first is realloc(NULL, 16).)
 * shrunk	The same, and then to 8, which is in no run: not growing.
 * freed	16 32 48 64, each freed before the next: one.
 *
 *	expect three blocks=4 bytes=104 growing=0/0 unused=4/104
 *	expect four blocks=4 bytes=160 growing=1/64 unused=4/160
 *	expect middle blocks=6 bytes=256 growing=1/64 unused=6/256
 *	expect equal blocks=6 bytes=240 growing=0/0 unused=6/240
 *	expect twice blocks=9 bytes=400 growing=3/208 unused=9/400
 *	expect down blocks=4 bytes=160 growing=0/0 unused=4/160
 *	expect doubled blocks=1 bytes=256 growing=1/256 unused=1/256
 *	expect shrunk blocks=1 bytes=8 growing=0/0 unused=1/8
 *	expect freed blocks=4 bytes=160 growing=1/64 unused=4/160
 */
#include "tests/access/ex.h"

static void *volatile keep;

#define MAKER(name) \
	static NOINLINE void name(size_t size) \
	{ \
		keep = malloc(size); \
	}

MAKER(three)
MAKER(middle)
MAKER(equal)
MAKER(twice)
MAKER(down)
MAKER(four)

static NOINLINE void
doubled(size_t size)
{
	static void *p;

	p = realloc(p, size);
}

static NOINLINE void
shrunk(size_t size)
{
	static void *p;

	p = realloc(p, size);
}

static NOINLINE void
freed(size_t size)
{
	keep = malloc(size);
	free(keep);
}

static const struct row {
	void (*make)(size_t size);
	size_t sizes[10]; /* 0: the end */
} rows[] = {
	{ three, { 16, 32, 48, 8 } },
	{ middle, { 64, 16, 32, 48, 64, 32 } },
	{ equal, { 16, 32, 32, 48, 48, 64 } },
	{ twice, { 16, 32, 48, 64, 16, 32, 48, 64, 80 } },
	{ down, { 64, 48, 32, 16 } },
	{ doubled, { 16, 32, 64, 128, 256 } },
	{ shrunk, { 16, 32, 64, 128, 256, 8 } },
	{ freed, { 16, 32, 48, 64 } },
	{ four, { 16, 32, 48, 64 } },
};

int
main(void)
{
	const struct row *r;
	const size_t *size;

	for (r = rows; r < rows + sizeof(rows) / sizeof(*rows); r++)
		for (size = r->sizes; *size; size++)
			r->make(*size);
	return 0;
}
