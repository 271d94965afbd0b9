/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distances that differ: 1 to 20. */
/*
 * EXPECT dependence dependences kind=flow source=S sink=U loop=L count=20
 * least=1 most=39
 */
int a[21];
int x;
static __attribute__((noinline, noipa)) int
from(int i)
{
	return i > 20 ? 20 - (i - 21) : 0;
}
int
main(void)
{
	for (int i = 1; i <= 20; i++)
		a[i] = 0;
	for (int i = 1; i <= 40; i++) { /*L*/
		if (i > 20)
			x = a[from(i)]; /*U*/
		else
			a[i] = i; /*S*/
	}
	return 0;
}
