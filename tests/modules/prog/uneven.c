/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inner loops of any length: the outer one's distance is always 3. */
/*
 * EXPECT dependence dependences kind=flow source=S sink=U loop=O count=37
 * least=3 most=3
 */
int a[40], b[100];
int
main(void)
{
	for (int i = 0; i < 40; i++) { /*O*/
		int u = i >= 3 ? a[i - 3] : 0; /*U*/
		for (int j = 0; j < (i * 7) % 11; j++)
			b[j] = u;
		a[i] = i; /*S*/
	}
	return 0;
}
