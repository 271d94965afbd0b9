/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each element needs the one before it. */
/*
 * EXPECT dependence dependences kind=flow source=A sink=A loop=L count=98
 * least=1 most=1
 */
/* EXPECT dependence loops loop=L entered=1 iterations=99 carried=98 */
int a[100];
int
main(void)
{
	for (int i = 1; i < 100; i++) /*L*/
		a[i] = a[i - 1] + 3; /*A*/
	return 0;
}
