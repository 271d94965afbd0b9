/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stored and loaded in the same iteration: no loop carries it. */
/* EXPECT dependence dependences kind=flow source=S sink=U loop=- count=30 */
/* EXPECT dependence loops loop=L carried=0 */
int a[30], b[30];
static __attribute__((noinline, noipa)) int *
at(int *v, int i)
{
	return v + i;
}
int
main(void)
{
	for (int i = 0; i < 30; i++) { /*L*/
		*at(a, i) = i; /*S*/
		b[i] = *at(a, i); /*U*/
	}
	return 0;
}
