/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Up by three, down by five. */
/*
 * EXPECT value values instruction=A count=100 pattern=linear value=10_+_3
 * stride=4
 */
/*
 * EXPECT value values instruction=B count=100 pattern=linear value=0_-_5
 * stride=-8
 */
int a[100];
long b[100];
int
main(void)
{
	for (int i = 0; i < 100; i++)
		a[i] = 10 + 3 * i; /*A*/
	for (int i = 0; i < 100; i++)
		b[99 - i] = -5l * i; /*B*/
	return 0;
}
