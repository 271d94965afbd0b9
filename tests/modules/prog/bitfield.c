/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of a few bits. */
/* EXPECT value values instruction=A pattern=constant value=-3 */
/* EXPECT value values instruction=B pattern=linear value=7_-_1 */
/* EXPECT value values instruction=C pattern=constant value=29 */
volatile struct {
	int low : 3, mid : 5, high : 12;
	unsigned all : 5;
} f[20];
int
main(void)
{
	for (int i = 0; i < 20; i++)
		f[i].mid = -3; /*A*/
	for (int i = 0; i < 20; i++)
		f[i].high = 7 - i; /*B*/
	for (int i = 0; i < 20; i++)
		f[i].all = 29; /*C*/
	return 0;
}
