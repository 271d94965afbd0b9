/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One of four values; and as many values as stores. */
/* EXPECT value values instruction=A count=100 pattern=few values=4 */
/* EXPECT value values instruction=B count=100 pattern=varied values=- */
int a[100], b[100];
int
main(void)
{
	for (int i = 0; i < 100; i++)
		a[i] = i % 4; /*A*/
	for (int i = 0; i < 100; i++)
		b[i] = i * i; /*B*/
	return 0;
}
