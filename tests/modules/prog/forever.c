/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop without a condition, that a return leaves; it is run three times. */
/*
 * EXPECT dependence dependences kind=flow source=A sink=A loop=A count=27
 * least=1 most=1
 */
/*
 * EXPECT dependence dependences kind=flow source=A sink=A loop=O count=2
 * least=1 most=1
 */
/* EXPECT dependence loops loop=A entered=3 iterations=30 carried=27 */
volatile int n;
static __attribute__((noinline, noipa)) int
ten(void)
{
	int i = 0;
	for (;;) {
		n++; /*A*/
		if (++i == 10)
			return i;
	}
}
int
main(void)
{
	int s = 0;
	for (int i = 0; i < 3; i++) /*O*/
		s += ten();
	return s != 30;
}
