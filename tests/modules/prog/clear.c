/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memset() is one store. */
/* EXPECT dependence dependences kind=flow source=S sink=U loop=- count=100 */
#include <string.h>
int a[100], x;
static __attribute__((noinline, noipa)) long
size(void)
{
	return sizeof(a);
}
int
main(void)
{
	memset(a, 1, size()); /*S*/
	for (int i = 0; i < 100; i++)
		x += a[i]; /*U*/
	return 0;
}
