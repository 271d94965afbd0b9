/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each element is stored after it was loaded. */
/*
 * EXPECT dependence:anti dependences kind=anti source=U sink=S loop=L
 * count=98 least=1 most=1
 */
/* EXPECT not dependence:anti dependences kind=flow source=S sink=U */
int a[100];
int
main(void)
{
	for (int i = 0; i < 99; i++) { /*L*/
		int u = a[i + 1]; /*U*/
		a[i] = u; /*S*/
	}
	return 0;
}
