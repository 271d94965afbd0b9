/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop made of a jump. */
/*
 * EXPECT dependence dependences kind=flow source=A sink=A count=19 least=1
 * most=1
 */
int x;
static __attribute__((noinline, noipa)) int *
at(void)
{
	return &x;
}
int
main(void)
{
	int i = 0;
again:
	*at() += i; /*A*/
	if (++i < 20)
		goto again;
	return 0;
}
