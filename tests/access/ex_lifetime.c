/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lifetime scores.  The run takes 16 ticks, so allocations in different ticks
 * are in different groups (tau is 0.016 ticks), and those of one tick are in
 * one group.
 *
 * same		Three blocks of 16 bytes at tick 0, freed at tick 12: one group
 *		of span 12, 3 x 12 / (3 x 12) = 1.
 * ladder	Four at tick 0, freed at 4, 8, 12, 16: (4 + 8 + 12 + 16) / (4 x
 *		16) = 0.625.
 * two		Two groups.  At tick 0 two blocks, freed at 4 and 8: 12 / (2 x
 *		8) = 0.75.  At tick 12 two blocks, freed at 13 and 16: 5 / (2 x
 *		4) = 0.625.  The mean is 0.6875.
 * over		Two groups that overlap: at tick 0 two blocks, freed at 1 and
 *		10, 11 / (2 x 10) = 0.55; at 4 one, freed at 8: 1.  Mean 0.775.
 * none		One block, freed at once, so span and lifetime are 0: 1.  It is
 *		short-lived.
 * stays	One at tick 4, never freed: its life ends with the run.  1.
 * both		Called by one function and another, so it has two sites.  From
 *		the one, two blocks at tick 0, freed at 4 and 8: 0.75.  From
 *		the other one, at tick 0, freed at 16: 1.  Its own score is that
 *		of the three blocks, which are one group: 28 / (3 x 16) =
 *		0.5833.
 *
 * Nothing is accessed.  Mean over the sites: the eighth root of 0.625 x 0.6875
 * x 0.775 x 0.75 = 0.8408; usage and useful lifetime are 0 everywhere, counted
 * as 0.01.
 *
 *	expect same blocks=3 bytes=48 groups=1 lifetime=1.0 useful=0.0
 *		unused=3/48
 *	expect ladder blocks=4 bytes=64 groups=1 lifetime=0.625 unused=4/64
 *	expect two blocks=4 bytes=64 groups=2 lifetime=0.6875 unused=4/64
 *	expect over blocks=3 bytes=48 groups=2 lifetime=0.775 unused=3/48
 *	expect none blocks=1 bytes=16 groups=1 lifetime=1.0 unused=1/16
 *		short=1/16
 *	expect stays blocks=1 bytes=16 groups=1 lifetime=1.0 unused=1/16
 *	expect both blocks=3 bytes=48 groups=1 lifetime=0.5833 unused=3/48
 *	expect program lifetime=0.8408 usage=0.01 useful=0.01
 */
#include "tests/access/ex.h"
#include "tests/access/ticks.h"

static void *p[17];

#define MAKER(name) \
	static NOINLINE void name(int i) \
	{ \
		p[i] = malloc(16); \
	}

MAKER(same)
MAKER(ladder)
MAKER(two)
MAKER(over)
MAKER(none)
MAKER(stays)
MAKER(both)

static NOINLINE void
one(int i)
{
	both(i);
	p[i] = p[i]; /* not the function's last call */
}

static NOINLINE void
other(int i)
{
	both(i);
	p[i] = p[i];
}

/* At a tick, make the blocks p[i] to p[end - 1], or free them. */
static const struct step {
	int tick;
	void (*make)(int i);
	int i, end;
} steps[] = {
	{ 0, same, 0, 3 },   { 0, ladder, 3, 7 },  { 0, two, 7, 9 },
	{ 0, over, 9, 11 },  { 0, none, 15, 16 },  { 0, NULL, 15, 16 },
	{ 0, one, 13, 15 },   { 0, other, 16, 17 }, { 1, NULL, 9, 10 },
	{ 4, NULL, 3, 4 },    { 4, NULL, 7, 8 },    { 4, NULL, 13, 14 },
	{ 4, over, 11, 12 }, { 4, stays, 12, 13 }, { 8, NULL, 4, 5 },
	{ 8, NULL, 8, 9 },    { 8, NULL, 11, 12 },  { 8, NULL, 14, 15 },
	{ 10, NULL, 10, 11 }, { 12, NULL, 0, 3 },   { 12, NULL, 5, 6 },
	{ 12, two, 7, 9 },    { 13, NULL, 7, 8 },   { 16, NULL, 6, 7 },
	{ 16, NULL, 8, 9 },   { 16, NULL, 16, 17 },
};

int
main(void)
{
	const struct step *s;
	int i, now = 0;

	for (s = steps; s < steps + sizeof(steps) / sizeof(*s); s++) {
		for (; now < s->tick; now++)
			tick();
		for (i = s->i; i < s->end; i++)
			if (s->make)
				s->make(i);
			else
				free(p[i]);
	}
	return 0;
}
