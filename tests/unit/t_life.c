/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of struct life, and the pool that holds many of them. */
#include "reduce/model/life.h"
#include "tests/tap.h"

static uint64_t state = 88172645463325252u;

static uint64_t
at_random(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 20) % below;
}

static struct life
random_life(void)
{
	struct life x = { .temps = at_random(5) };
	unsigned first = (unsigned)at_random(PROFILE_NLIFE), i;
	unsigned end = first + (unsigned)at_random(PROFILE_NLIFE - first);

	x.near = x.temps + at_random(5);
	x.by_others = at_random(5);
	x.moved = at_random(5);
	x.copied = x.moved * at_random(99);
	x.longest = at_random(9);
	if (!at_random(3))
		return x;
	for (i = first; i <= end; i++)
		x.bin[i] = i == first || i == end ? 1 + at_random(9)
						  : at_random(9);
	for (i = first; i <= end; i++)
		x.weight += x.bin[i];
	x.timed = 1 + at_random(x.weight);
	x.min = 1ull << first;
	x.max = 1ull << end;
	x.sum = x.min * x.weight;
	return x;
}

/*
 * A pool of a hundred lives, compared with an array after a few thousand
 * additions.
 */
static void
pool(void)
{
	enum { PLACES = 100 };
	static struct life want[PLACES];
	struct life_pool l = { 0 };
	size_t place[PLACES] = { 0 };
	struct life x;
	unsigned turn, i, bad = 0;

	for (turn = 0; turn < 5000; turn++) {
		i = (unsigned)at_random(PLACES);
		x = random_life();
		life_add(&want[i], &x);
		place[i] = life_put(&l, place[i], &want[i]);
		bad += !place[i];
	}
	for (i = 0; i < PLACES; i++) {
		life_get(&l, place[i], &x);
		bad += memcmp(&x, &want[i], sizeof(x)) != 0;
	}
	is_int(bad, 0, "what is put into the pool is in it");
	ok(l.n < 8 * PLACES * (13 + PROFILE_NLIFE),
	   "places that are large enough stay: %zu words", l.n);
	life_fini(&l);
}

static void
adding(void)
{
	struct life a = { .timed = 1,
			  .weight = 8,
			  .sum = 80,
			  .min = 10,
			  .max = 10,
			  .bin[3] = 8,
			  .longest = 3 };
	struct life b = { .temps = 1, .near = 1, .longest = 2 };
	struct life c = { .timed = 2,
			  .weight = 2,
			  .sum = UINT64_MAX - 50,
			  .min = 5,
			  .max = UINT64_MAX,
			  .bin[2] = 1,
			  .bin[47] = 1 };
	struct life sum = { 0 };

	life_add(&sum, &b);
	life_add(&sum, &a);
	is_int(sum.min, 10, "no zero from a life without times");
	is_int(sum.longest, 3, "the longest of both");
	ok(life_fits(&sum, &c), "fits");
	life_add(&sum, &c);
	is_int(sum.min, 5, "the least of both");
	ok(sum.max == UINT64_MAX, "the most of both");
	ok(sum.sum == UINT64_MAX, "a sum of times stops at the largest number");
	is_int(sum.weight, 10, "weights add up");
	is_int(sum.bin[2] + sum.bin[3] + sum.bin[47], 10, "so do the bins");
	c.weight = UINT64_MAX - 5;
	ok(!life_fits(&sum, &c), "weights beyond 64 bits");
	is_int(life_bin(0), 0, "bin of 0");
	is_int(life_bin(1), 0, "bin of 1");
	is_int(life_bin(2), 1, "bin of 2");
	is_int(life_bin(1023), 9, "bin of 1023");
	is_int(life_bin(1024), 10, "bin of 1024");
	is_int(life_bin((1ull << 47) - 1), 46, "the last but one");
	is_int(life_bin(1ull << 47), 47, "the last");
	is_int(life_bin(UINT64_MAX), 47, "has all that is longer");
}

int
main(void)
{
	pool();
	adding();
	return done_testing();
}
