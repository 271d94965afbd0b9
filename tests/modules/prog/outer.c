/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inner loop's iterations need the outer one's before. */
/*
 * EXPECT dependence dependences kind=flow source=A sink=A loop=O count=450
 * least=1 most=1
 */
/* EXPECT dependence loops loop=I entered=10 iterations=500 carried=0 */
/* EXPECT dependence loops loop=O entered=1 iterations=10 carried=450 */
int a[50];
int
main(void)
{
	for (int i = 0; i < 10; i++) /*O*/
		for (int j = 0; j < 50; j++) /*I*/
			a[j] += i; /*A*/
	return 0;
}
