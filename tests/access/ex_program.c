/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A whole program's scores: the geometric mean of each over the sites, at least
 * 0.01 each, and the variance.  Four sites, one block each, 8 ticks.
 *
 *		lifetime			usage		useful
 * first	1, ticks 0 to 8			64/64 = 1	2/8 = 0.25
 * second	1, ticks 0 to 4			16/64 = 0.25	4/4 = 1
 * third	two blocks, 0 to 8 and 0 to 4:	0, unused	0
 *		12 / 16 = 0.75
 * fourth	1, ticks 4 to 8			64/64 = 1	1/4 = 0.25
 *
 * lifetime	0.75 ^ (1/4) = 0.9306; mean 0.9375, variance (3 x 0.0625^2 +
 *		0.1875^2) / 4 = 0.0117
 * usage	(1 x 0.25 x 0.01 x 1) ^ (1/4) = 0.2236; mean 0.5625, variance
 *		(2 x 0.4375^2 + 0.3125^2 + 0.5625^2) / 4 = 0.1992
 * useful	(0.25 x 1 x 0.01 x 0.25) ^ (1/4) = 0.1581; mean 0.375, variance
 *		(2 x 0.125^2 + 0.625^2 + 0.375^2) / 4 = 0.1406
 *
 * Steps, from the geometric mean of each site's three, g:
 * first	(1 x 1 x 0.25) ^ (1/3) = 0.6300	step 12 - 7 = 5
 * second	the same			step 5
 * third	(0.75 x 0.01 x 0.01) ^ (1/3) = 0.0422	step 12
 * fourth	as the first			step 5
 *
 *	expect first blocks=1 bytes=64 lifetime=1.0 usage=1.0 useful=0.25 step=5
 *	expect second blocks=1 bytes=64 lifetime=1.0 usage=0.25 useful=1.0
 *		low-cover=1/64 step=5
 *	expect third blocks=2 bytes=128 lifetime=0.75 usage=0.0 useful=0.0
 *		unused=2/128 step=12
 *	expect fourth blocks=1 bytes=64 lifetime=1.0 usage=1.0 useful=0.25
 *		step=5
 *	expect program lifetime=0.9306 usage=0.2236 useful=0.1581
 *		lifetime-variance=0.0117 usage-variance=0.1992
 *		useful-variance=0.1406
 */
#include "tests/access/ex.h"
#include "tests/access/ticks.h"

static char *p[5];

#define MAKER(name) \
	static NOINLINE void name(int i) \
	{ \
		p[i] = malloc(64); \
	}

MAKER(first)
MAKER(second)
MAKER(third)
MAKER(fourth)

static void
use(int i, size_t n)
{
	put(p[i], n);
	get(p[i], n);
}

int
main(void)
{
	int i;

	first(0);
	second(1);
	for (i = 2; i < 4; i++)
		third(i);
	use(1, 16);
	ticks(3);
	use(0, 64);
	tick();
	use(1, 16);
	free(p[1]);
	free(p[2]);
	fourth(4);
	use(4, 64);
	tick();
	use(0, 64);
	use(4, 64);
	ticks(3);
	free(p[0]);
	free(p[3]);
	free(p[4]);
	return 0;
}
