/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Useful lifetime, and the flags of times: early, late, short.  16 ticks.
 *
 * busy		Accessed at ticks 0 and 8, freed at 8: 8 / 8 = 1.
 * waiting	Allocated at 0, accessed at 6 and 8, freed at 8: 2 / 8 = 0.25.
 *		The first access comes after 6 / 8 of its life: early.
 * keeping	Accessed at 0 and 2, freed at 8: 0.25.  Late.
 * between	Accessed at 3 and 5, freed at 8: 2 / 8 = 0.25; idle for 3 / 8
 *		before and after, which is neither early nor late.
 * once		Accessed once, at 5, freed at 8: 0.  Early.
 * never	Not accessed, freed at 8: 0, and neither early nor late.
 * half		Four blocks, made at 0, freed at 8: two like busy, one like
 *		keeping, one like never: (1 + 1 + 0.25 + 0) / 4 = 0.5625.
 *		Late: a quarter.
 * brief	Three blocks.  At 2 one that is accessed and freed at once: its
 *		lifetime is 0, useful 1.  The same at 3.  At 4 one of twice the
 *		size, accessed at 4 and 7, freed at 8: 0.75.  (1 + 1 + 0.75) / 3
 *		= 0.917; half of the bytes are short-lived.  Three groups, each
 *		of score 1.
 * stays	Allocated at 4, accessed at 4 and 7, never freed: its life ends
 *		with the run, at 16: 3 / 12 = 0.25.  Late.
 *
 *	expect busy blocks=1 bytes=16 write-only=1/16 useful=1.0 early=0/0
 *		late=0/0 short=0/0
 *	expect waiting blocks=1 bytes=16 write-only=1/16 useful=0.25 early=1/16
 *		late=0/0 short=0/0
 *	expect keeping blocks=1 bytes=16 write-only=1/16 useful=0.25 early=0/0
 *		late=1/16 short=0/0
 *	expect between blocks=1 bytes=16 write-only=1/16 useful=0.25 early=0/0
 *		late=0/0 short=0/0
 *	expect once blocks=1 bytes=16 write-only=1/16 useful=0.0 early=1/16
 *		late=0/0 short=0/0
 *	expect never blocks=1 bytes=16 unused=1/16 useful=0.0 early=0/0 late=0/0
 *		short=0/0
 *	expect half blocks=4 bytes=64 write-only=3/48 unused=1/16 useful=0.5625
 *		early=0/0 late=1/16 short=0/0 lifetime=1.0 groups=1
 *	expect brief blocks=3 bytes=64 write-only=3/64 useful=0.9167 early=0/0
 *		late=0/0 short=2/32 lifetime=1.0 groups=3
 *	expect stays blocks=1 bytes=16 write-only=1/16 useful=0.25 early=0/0
 *		late=1/16 short=0/0
 */
#include "tests/access/ex.h"
#include "tests/access/ticks.h"

static char *p[16];

#define MAKER(name) \
	static NOINLINE void name(int i, size_t size) \
	{ \
		p[i] = malloc(size); \
	}

MAKER(busy)
MAKER(waiting)
MAKER(keeping)
MAKER(between)
MAKER(once)
MAKER(never)
MAKER(half)
MAKER(brief)
MAKER(stays)

static void
use(int i)
{
	put(p[i], 16);
}

static void
drop(int i)
{
	free(p[i]);
}

/* At a tick, make the blocks p[i] to p[until - 1], or use or free them. */
static const struct step {
	int tick;
	void (*make)(int i, size_t size);
	size_t size;
	void (*also)(int i);
	int i, until;
} steps[] = {
	{ 0, busy, 16, use, 0, 1 },    { 0, waiting, 16, NULL, 1, 2 },
	{ 0, keeping, 16, use, 2, 3 }, { 0, between, 16, NULL, 3, 4 },
	{ 0, once, 16, NULL, 4, 5 },   { 0, never, 16, NULL, 5, 6 },
	{ 0, half, 16, NULL, 6, 10 },  { 0, NULL, 0, use, 6, 9 },
	{ 2, NULL, 0, use, 2, 3 },     { 2, NULL, 0, use, 8, 9 },
	{ 2, brief, 16, use, 10, 11 }, { 2, NULL, 0, drop, 10, 11 },
	{ 3, brief, 16, use, 10, 11 }, { 3, NULL, 0, drop, 10, 11 },
	{ 3, NULL, 0, use, 3, 4 },     { 4, brief, 32, use, 10, 11 },
	{ 4, stays, 16, use, 11, 12 }, { 5, NULL, 0, use, 3, 5 },
	{ 6, NULL, 0, use, 1, 2 },     { 7, NULL, 0, use, 10, 11 },
	{ 7, NULL, 0, use, 11, 12 },   { 8, NULL, 0, use, 0, 2 },
	{ 8, NULL, 0, use, 6, 8 },     { 8, NULL, 0, drop, 0, 11 },
};

int
main(void)
{
	const struct step *s;
	int i, now = 0;

	for (s = steps; s < steps + sizeof(steps) / sizeof(*s); s++) {
		for (; now < s->tick; now++)
			tick();
		for (i = s->i; i < s->until; i++) {
			if (s->make)
				s->make(i, s->size);
			if (s->also)
				s->also(i);
		}
	}
	ticks(8);
	return 0;
}
