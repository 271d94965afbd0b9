/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 100 lines in turn, ten times: 99 others are accessed before each again. */
/*
 * EXPECT locality:every=1 reuse place=A accesses=1000 cold=100
 * distances=0,0,0,0,0,0,0,900 beyond_32K=0.000000
 */
static volatile char a[6400] __attribute__((aligned(64)));
int
main(void)
{
	for (int k = 0; k < 10; k++)
		for (int i = 0; i < 100; i++)
			a[64 * i] = 1; /*A*/
	return 0;
}
