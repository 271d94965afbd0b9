/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inner loop is left early; the next run loads what a run stored. */
/*
 * EXPECT dependence dependences kind=flow source=A sink=A loop=O count=4
 * least=1 most=1
 */
/*
 * EXPECT dependence dependences kind=flow source=A sink=A loop=I count=10
 * least=1 most=1
 */
/* EXPECT dependence loops loop=I entered=5 iterations=15 */
int x;
static __attribute__((noinline, noipa)) int *
at(void)
{
	return &x;
}
int
main(void)
{
	for (int i = 0; i < 5; i++) /*O*/
		for (int j = 0; j < 100; j++) { /*I*/
			*at() += j; /*A*/
			if (j == 2)
				break;
		}
	return 0;
}
