/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One operand from the row before, one from the column before. */
/*
 * EXPECT dependence dependences kind=flow source=S sink=U loop=O count=72
 * least=1 most=1
 */
/*
 * EXPECT dependence dependences kind=flow source=S sink=V loop=I count=72
 * least=1 most=1
 */
int a[10][10];
int
main(void)
{
	for (int i = 1; i < 10; i++) /*O*/
		for (int j = 1; j < 10; j++) { /*I*/
			int u = a[i - 1][j]; /*U*/
			int v = a[i][j - 1]; /*V*/
			a[i][j] = u + v; /*S*/
		}
	return 0;
}
