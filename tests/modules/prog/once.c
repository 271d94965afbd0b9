/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An instruction that runs once or twice has no second step. */
/*
 * EXPECT value values instruction=A count=1 value=7 steady=- stride=
 * regular=-
 */
/* EXPECT value values instruction=B count=2 steady=- stride=4 regular=- */
volatile int a, b[2];
static __attribute__((noinline, noipa)) void
set(int i)
{
	b[i] = i; /*B*/
}
int
main(void)
{
	a = 7; /*A*/
	set(0);
	set(1);
	return 0;
}
