/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop that is tested at its end. */
/* EXPECT dependence loops entered=1 iterations=30 */
/*
 * EXPECT dependence dependences kind=flow source=A sink=A count=29 least=1
 * most=1
 */
int a[31];
static __attribute__((noinline, noipa)) int
more(int i)
{
	return i < 30;
}
int
main(void)
{
	int i = 0;
	do { /*L*/
		a[i + 1] = a[i] + 1; /*A*/
		i++;
	} while (more(i));
	return 0;
}
