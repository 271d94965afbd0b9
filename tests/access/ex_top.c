/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sites in the top tenth, by bytes at the peak and by blocks.  Twenty
 * sites, s1 to s20: site n makes 21 - n blocks of 16 n bytes, and frees all but
 * the last at once.  After that, at the peak, site n has 16 n bytes: s20 and
 * s19 have most.  s1 and s2 made most blocks.
 *
 *	expect s20 blocks=1 bytes=320 top-bytes=1/320 top-blocks=0/0
 *		unused=1/320
 *	expect s19 blocks=2 bytes=608 top-bytes=2/608 top-blocks=0/0
 *		unused=2/608
 *	expect s18 blocks=3 bytes=864 top-bytes=0/0 top-blocks=0/0 unused=3/864
 *	expect s10 blocks=11 bytes=1760 top-bytes=0/0 top-blocks=0/0
 *		unused=11/1760
 *	expect s3 blocks=18 bytes=864 top-bytes=0/0 top-blocks=0/0 unused=18/864
 *	expect s2 blocks=19 bytes=608 top-bytes=0/0 top-blocks=19/608
 *		unused=19/608
 *	expect s1 blocks=20 bytes=320 top-bytes=0/0 top-blocks=20/320
 *		unused=20/320
 */
#include "tests/access/ex.h"

enum { SITES = 20 };

#define S(n) \
	static NOINLINE void *s##n(size_t size) \
	{ \
		return malloc(size); \
	}
S(1)
S(2)
S(3)
S(4)
S(5)
S(6)
S(7)
S(8)
S(9)
S(10)
S(11)
S(12)
S(13)
S(14)
S(15)
S(16)
S(17)
S(18)
S(19)
S(20)

static void *(*const sites[SITES])(size_t) = {
	s1,  s2,  s3,  s4,  s5,  s6,  s7,  s8,  s9,  s10,
	s11, s12, s13, s14, s15, s16, s17, s18, s19, s20,
};

int
main(void)
{
	void *volatile p[SITES];
	size_t n, i;

	for (n = 1; n <= SITES; n++)
		for (i = 0; i < SITES + 1 - n; i++) {
			if (i)
				free(p[n - 1]);
			p[n - 1] = sites[n - 1](16 * n);
		}
	for (n = 0; n < SITES; n++)
		free(p[n]);
	return 0;
}
