/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each element needs the seventh before it. */
/*
 * EXPECT dependence dependences kind=flow source=A sink=A loop=L count=86
 * least=7 most=7 distances=0,0,0,86
 */
int a[100];
int
main(void)
{
	for (int i = 7; i < 100; i++) /*L*/
		a[i] = a[i - 7] + 3; /*A*/
	return 0;
}
