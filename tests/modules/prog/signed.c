/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of less than 8 bytes that cross 0, or have their top bit set. */
/*
 * EXPECT value values instruction=A pattern=linear value=5_-_1
 * steady=1.000000
 */
/*
 * EXPECT value values instruction=B pattern=linear value=4_-_2
 * steady=1.000000
 */
/* EXPECT value values instruction=C pattern=linear value=-20_+_1 */
/* EXPECT value values instruction=D pattern=constant value=-5 */
/* EXPECT value values instruction=E pattern=constant value=-5 */
/* EXPECT value values instruction=F pattern=linear value=-9_-_3 */
volatile int a[20], e[40];
volatile short d[20];
volatile signed char c[20];
volatile unsigned char u[20];
volatile long l[20];
int
main(void)
{
	for (int i = 0; i < 20; i++)
		a[i] = 5 - i; /*A*/
	for (int i = 0; i < 20; i++)
		d[i] = (short)(4 - 2 * i); /*B*/
	for (int i = 0; i < 40; i++)
		e[i] = i - 20; /*C*/
	for (int i = 0; i < 20; i++)
		c[i] = -5; /*D*/
	for (int i = 0; i < 20; i++)
		u[i] = 251; /*E*/
	for (int i = 0; i < 20; i++)
		l[i] = -9 - 3 * i; /*F*/
	return 0;
}
