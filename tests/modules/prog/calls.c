/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stored in one function, loaded in another, in a loop of their caller. */
/*
 * EXPECT dependence dependences kind=flow source=S sink=U loop=L count=19
 * least=1 most=1
 */
int x;
static __attribute__((noinline, noipa)) void
put(int i)
{
	x = i; /*S*/
}
static __attribute__((noinline, noipa)) int
get(void)
{
	return x; /*U*/
}
int
main(void)
{
	int s = 0;
	for (int i = 0; i < 20; i++) { /*L*/
		s += get();
		put(i);
	}
	return s == 1;
}
