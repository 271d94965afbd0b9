/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Floating-point numbers aren't linear, but may be constant. */
/*
 * EXPECT value values instruction=A count=50 pattern=constant
 * value=0x4004000000000000 stride=8
 */
double a[50];
int
main(void)
{
	for (int i = 0; i < 50; i++)
		a[i] = 2.5; /*A*/
	return 0;
}
