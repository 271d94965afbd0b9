/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop within itself, by recursion: what the innermost stores, the outer
 * ones load in their next iterations. */
/*
 * EXPECT dependence dependences kind=flow source=A sink=A loop=L least=1
 * most=1
 */
/* EXPECT dependence loops loop=L entered=7 iterations=14 */
int x;
static __attribute__((noinline, noipa)) void
go(int depth)
{
	for (int i = 0; i < 2; i++) { /*L*/
		x += depth; /*A*/
		if (depth)
			go(depth - 1);
	}
}
int
main(void)
{
	go(2);
	return 0;
}
