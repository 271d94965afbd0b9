/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Three loops in each other, with continue: the middle one carries. */
/*
 * EXPECT dependence dependences kind=flow source=A sink=A loop=M count=15
 * least=2 most=2
 */
/* EXPECT dependence loops loop=O entered=1 iterations=5 carried=0 */
/* EXPECT dependence loops loop=M entered=5 iterations=20 carried=15 */
/* EXPECT dependence loops loop=I entered=10 iterations=30 carried=0 */
volatile int a[5][3];
int
main(void)
{
	for (int i = 0; i < 5; i++) /*O*/
		for (int j = 0; j < 4; j++) { /*M*/
			if (j % 2)
				continue;
			for (int k = 0; k < 3; k++) /*I*/
				a[i][k] += j; /*A*/
		}
	return 0;
}
