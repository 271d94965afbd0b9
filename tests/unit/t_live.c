/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The monitor's live map, bins and arrays. */
#include <stdlib.h>
#include <string.h>

#include "monitor/arena.c"
#include "monitor/live.c"
#include "tests/tap.h"

#undef LEAF_SIZE

/* A block's address: any number that a heap could have. */
static const void *
at(uintptr_t a)
{
	return (const void *)a;
}

static void
put_take(void)
{
	const void *p = at(0x7f0012345670), *odd = at(0x7f0012345678);
	struct mmi_block b;
	bool ok;

	is_int(mmi_live_take(p).site, 0, "an empty map has no block");
	b = mmi_live_put(p, 7, 100, &ok);
	ok(ok && !b.site, "a block is put");
	b = mmi_live_put(odd, 8, 0, &ok);
	ok(ok && !b.site, "its neighbour at 8 mod 16 has a place of its own");
	b = mmi_live_take(p);
	ok(b.site == 7 && b.size == 100 && !b.inherited, "and taken");
	is_int(mmi_live_take(p).site, 0, "once");
	b = mmi_live_take(odd);
	ok(b.site == 8 && b.size == 0, "the neighbour too");

	mmi_live_put(p, MMI_LIVE_SITES - 1, 0xfffffffe, &ok);
	b = mmi_live_take(p);
	ok(b.site == MMI_LIVE_SITES - 1 && b.size == 0xfffffffe,
	   "the largest site, the largest size in one slot");
	mmi_live_put(p, 1, 10, &ok);
	b = mmi_live_put(p, 2, 20, &ok);
	ok(ok && b.site == 1 && b.size == 10,
	   "a block that is put twice gives the first one back");
	mmi_live_take(p);
}

static void
big(void)
{
	static const uint64_t sizes[] = { 0xffffffff, 0x100000000,
					  0x7fffffffffff };
	struct mmi_block b;
	bool ok;

	/* The last slot of a leaf: the size stands in the next leaf. */
	for (size_t i = 0; i < 3; i++) {
		mmi_live_put(at(0x7e00000ffff0), 9, sizes[i], &ok);
		b = mmi_live_take(at(0x7e00000ffff0));
		ok(ok && b.site == 9 && b.size == sizes[i], "a size of %#lx",
		   (unsigned long)sizes[i]);
		is_int(mmi_live_take(at(0x7e0000100000)).site, 0,
		       "and nothing is left of it");
	}
}

/* A block whose free wasn't seen, small or big, and another in its place. */
static void
replaced(void)
{
	static const uint64_t sizes[] = { 10, 0x500000000, 0x4000000000 };
	const void *p = at(0x7d0000001000);
	struct mmi_block b;
	bool ok;

	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++) {
			mmi_live_put(p, 1, sizes[i], &ok);
			b = mmi_live_put(p, 2, sizes[k], &ok);
			ok(ok && b.site == 1 && b.size == sizes[i],
			   "%#lx gives way to %#lx", (unsigned long)sizes[i],
			   (unsigned long)sizes[k]);
			b = mmi_live_take(p);
			ok(b.site == 2 && b.size == sizes[k], "which is taken");
			is_int(mmi_live_take(at(0x7d0000001010)).site, 0,
			       "and nothing is left beside it");
		}
}

static void
odd_addresses(void)
{
	bool ok;

	mmi_live_put(at(0x7f0000000004), 1, 1, &ok);
	ok(!ok, "an address that isn't aligned to 8 is refused");
	mmi_live_put(at((uintptr_t)1 << 50), 1, 1, &ok);
	ok(!ok, "and one beyond 47 bits");
	is_int(mmi_live_take(at((uintptr_t)1 << 50)).site, 0,
	       "which isn't found either");
	mmi_live_put(at(0x10), 3, 1, &ok);
	ok(ok && mmi_live_take(at(0x10)).site == 3, "the lowest");
	mmi_live_put(at(0x7ffffffffff0), 4, 1, &ok);
	ok(ok && mmi_live_take(at(0x7ffffffffff0)).site == 4, "the highest");
}

static void
forks(void)
{
	const void *p = at(0x555500001000), *q = at(0x555500001040);
	struct mmi_block b;
	bool ok;

	mmi_live_put(p, 5, 50, &ok);
	mmi_live_put(q, 6, 60, &ok);
	mmi_live_fork();
	b = mmi_live_take(p);
	ok(b.site == 5 && b.size == 50 && b.inherited,
	   "after a fork a block is inherited");
	mmi_live_restore(p, b);
	b = mmi_live_take(p);
	ok(b.site == 5 && b.inherited, "and still is when it was put back");
	mmi_live_put(p, 7, 70, &ok);
	ok(!mmi_live_take(p).inherited, "a new one isn't");
	for (unsigned i = 1; i < 63; i++)
		mmi_live_fork();
	ok(mmi_live_take(q).inherited, "62 forks later too");
	mmi_live_put(q, 6, 60, &ok);
	mmi_live_fork();
	is_int(mmi_live_take(q).site, 0,
	       "when generations start over, older blocks are forgotten");
	mmi_live_put(q, 6, 60, &ok);
	ok(!mmi_live_take(q).inherited, "and new ones are right");
}

/* Random puts and takes against a plain table. */
static void
random_blocks(void)
{
	enum { N = 4096, ROUNDS = 200000 };
	static struct {
		uint32_t site;
		uint64_t size;
	} want[N];
	unsigned wrong = 0;
	bool ok;

	srandom(1);
	for (int i = 0; i < ROUNDS; i++) {
		unsigned k = (unsigned)random() % N;
		const void *p = at(0x600000000000 + 0x3fff8ull * k);
		struct mmi_block b;

		if (random() & 1) {
			b = mmi_live_take(p);
			wrong += b.site != want[k].site ||
				 (b.site && b.size != want[k].size);
			want[k].site = 0;
		} else if (!want[k].site) {
			want[k].site = 1 + (uint32_t)random() % 1000;
			want[k].size = (uint64_t)random() << (random() % 14);
			mmi_live_put(p, want[k].site, want[k].size, &ok);
			wrong += !ok;
		}
	}
	is_int(wrong, 0, "%d random operations", ROUNDS);
}

static void
arrays(void)
{
	static void *directory[4];
	struct mmi_array a = { .chunk = directory,
			       .chunks = 4,
			       .shift = 3,
			       .size = 24,
			       .used = 1 };
	uint32_t i = 0, last = 0;
	unsigned char *p, *first = NULL;
	int n = 0, zero = 1;

	while ((p = mmi_array_add(&a, &i))) {
		if (!first)
			first = p;
		for (int k = 0; k < 24; k++)
			zero &= p[k] == 0;
		memset(p, 0xff, 24);
		last = i;
		n++;
	}
	is_int(n, 31, "an array hands out what its directory holds");
	is_int(last, 31, "up to the last index");
	ok(zero, "zeroed");
	ok(mmi_array_at(&a, 1) == first, "an item stays where it was");
	ok(mmi_arena_mapped() > 0, "the memory is counted");
}

int
main(void)
{
	put_take();
	big();
	replaced();
	odd_addresses();
	forks();
	random_blocks();
	arrays();
	done_testing();
}
