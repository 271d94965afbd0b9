/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Growing: four or more allocations of a site in a row, each larger than the
 * one before and in its place, count from the fourth on.  Each block is freed
 * before the next is made, unless the list says otherwise.
 *
 * three	16 32 48, then 8: a run of three.  Not growing.
 * four		16 32 48 64: one, of 64.
 * middle	64 | 16 32 48 64 | 32: one of six, 64 of 256 bytes.
 * equal	16 32 32 48 48 64: equal sizes break the run, none has four.
 * twice	16 32 48 64 | 16 32 48 64 80: three, 64 + 64 + 80 bytes.
 * down		64 48 32 16: none.
 * kept		16 32 48 64 80, which all stay: none replaces another.
 * at_end	The same, but all are freed after the last was made, the first
 *		first: none but the last of them replaces another.
 * copied	16 32 48 64 80, each freed once the next is made, as one copies
 *		a block into a larger one: two, 64 + 80 bytes.
 * one_kept	16 32 48 | 64 80 96 112, as before, but the third stays: one,
 *		112 bytes.
 * soon		Freed, then 16 other blocks are made before the next: one.
 * late		17 others: none.
 * copied_soon	Made, then 16 others, then the old one is freed: one.
 * copied_late	17 others: none.
 * doubled	One block, reallocated to 32, 64, 128 and 256 by the same call:
 *		five allocations of realloc; the block is one, of 256 bytes, and
 *		growing.  (The first is realloc(NULL, 16).)
 * shrunk	The same, and then to 8, which is in no run: not growing.
 *
 *	expect three blocks=4 bytes=104 growing=0/0 unused=4/104
 *	expect four blocks=4 bytes=160 growing=1/64 unused=4/160
 *	expect middle blocks=6 bytes=256 growing=1/64 unused=6/256
 *	expect equal blocks=6 bytes=240 growing=0/0 unused=6/240
 *	expect twice blocks=9 bytes=400 growing=3/208 unused=9/400
 *	expect down blocks=4 bytes=160 growing=0/0 unused=4/160
 *	expect kept blocks=5 bytes=240 growing=0/0 unused=5/240
 *	expect at_end blocks=5 bytes=240 growing=0/0 unused=5/240
 *	expect copied blocks=5 bytes=240 growing=2/144 unused=5/240
 *	expect one_kept blocks=7 bytes=448 growing=1/112 unused=7/448
 *	expect soon blocks=4 bytes=160 growing=1/64 unused=4/160
 *	expect late blocks=4 bytes=160 growing=0/0 unused=4/160
 *	expect copied_soon blocks=4 bytes=160 growing=1/64 unused=4/160
 *	expect copied_late blocks=4 bytes=160 growing=0/0 unused=4/160
 *	expect doubled blocks=1 bytes=256 growing=1/256 unused=1/256
 *	expect shrunk blocks=1 bytes=8 growing=0/0 unused=1/8
 */
#include "tests/access/ex.h"

static void *volatile made;

#define MAKER(name) \
	static NOINLINE void name(size_t size) \
	{ \
		made = malloc(size); \
	}

MAKER(three)
MAKER(four)
MAKER(middle)
MAKER(equal)
MAKER(twice)
MAKER(down)
MAKER(kept)
MAKER(at_end)
MAKER(copied)
MAKER(one_kept)
MAKER(soon)
MAKER(late)
MAKER(copied_soon)
MAKER(copied_late)

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

/* When the block is freed: before the next is made, or after it. */
enum when { NEVER, BEFORE, AFTER, AT_END };

static const struct row {
	void (*make)(size_t size);
	enum when when;
	int others; /* that are made between the two */
	size_t stays, sizes[10]; /* 0: none, the end */
} rows[] = {
	{ three, BEFORE, 0, 0, { 16, 32, 48, 8 } },
	{ four, BEFORE, 0, 0, { 16, 32, 48, 64 } },
	{ middle, BEFORE, 0, 0, { 64, 16, 32, 48, 64, 32 } },
	{ equal, BEFORE, 0, 0, { 16, 32, 32, 48, 48, 64 } },
	{ twice, BEFORE, 0, 0, { 16, 32, 48, 64, 16, 32, 48, 64, 80 } },
	{ down, BEFORE, 0, 0, { 64, 48, 32, 16 } },
	{ kept, NEVER, 0, 0, { 16, 32, 48, 64, 80 } },
	{ at_end, AT_END, 0, 0, { 16, 32, 48, 64, 80 } },
	{ copied, AFTER, 0, 0, { 16, 32, 48, 64, 80 } },
	{ one_kept, AFTER, 0, 48, { 16, 32, 48, 64, 80, 96, 112 } },
	{ soon, BEFORE, 16, 0, { 16, 32, 48, 64 } },
	{ late, BEFORE, 17, 0, { 16, 32, 48, 64 } },
	{ copied_soon, AFTER, 16, 0, { 16, 32, 48, 64 } },
	{ copied_late, AFTER, 17, 0, { 16, 32, 48, 64 } },
	{ doubled, NEVER, 0, 0, { 16, 32, 64, 128, 256 } },
	{ shrunk, NEVER, 0, 0, { 16, 32, 64, 128, 256, 8 } },
};

static NOINLINE void
others(int n)
{
	void *volatile p;

	while (n--) {
		p = malloc(24);
		free(p);
	}
}

static void
run(const struct row *r)
{
	void *block[10] = { 0 };
	int n;

	for (n = 0; n < 10 && r->sizes[n]; n++) {
		r->make(r->sizes[n]);
		block[n] = made;
		if (r->when == BEFORE)
			free(block[n]);
		others(r->others);
		if (r->when == AFTER && n && r->sizes[n - 1] != r->stays)
			free(block[n - 1]);
	}
	for (int i = 0; r->when == AT_END && i < n; i++)
		free(block[i]);
}

int
main(void)
{
	const struct row *r;

	for (r = rows; r < rows + sizeof(rows) / sizeof(*rows); r++)
		run(r);
	return 0;
}
