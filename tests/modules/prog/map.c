/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nothing is carried from one iteration to the next. */
/* EXPECT dependence loops loop=M iterations=100 carried=0 pairs=0 */
/* EXPECT dependence dependences kind=flow source=A sink=B loop=- count=100 */
int a[100], b[100];
int
main(void)
{
	for (int i = 0; i < 100; i++)
		a[i] = i; /*A*/
	for (int i = 0; i < 100; i++) /*M*/
		b[i] = a[i] * 2; /*B*/
	return 0;
}
