/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A column of a matrix; and no stride at all. */
/* EXPECT value values instruction=A count=20 stride=80 regular=1.000000 */
/* EXPECT value values instruction=B count=20 stride= */
int a[20][20], x;
int
main(void)
{
	for (int i = 0; i < 20; i++)
		a[i][3] = i * i; /*A*/
	for (int i = 0; i < 20; i++)
		x += a[(i * i) % 20][i]; /*B*/
	return 0;
}
