/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies of memory of any size have no values. */
/* EXPECT not value values instruction=A */
/* EXPECT not value values instruction=B */
/* EXPECT value values instruction=C count=20 pattern=constant value=7 */
#include <string.h>
struct pair {
	int a, b;
} v[20], w = { 1, 2 };
char to[20], from[20];
int x;
static __attribute__((noinline, noipa)) void
copy(int i)
{
	v[i] = w;		      /*A*/
	memcpy(to, from, i % 4 + 1); /*B*/
	x = 7;			      /*C*/
}
int
main(void)
{
	for (int i = 0; i < 20; i++)
		copy(i);
	return 0;
}
