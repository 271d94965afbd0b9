/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Always the same. */
/*
 * EXPECT value values instruction=A count=100 pattern=constant value=42
 * values=1
 */
/* EXPECT value values instruction=B count=100 pattern=constant value=-3 */
int a = 42, s;
signed char b = -3;
static __attribute__((noinline, noipa)) int
get(void)
{
	return a; /*A*/
}
static __attribute__((noinline, noipa)) int
get2(void)
{
	return b; /*B*/
}
int
main(void)
{
	for (int i = 0; i < 100; i++)
		s = get() + get2();
	return 0;
}
