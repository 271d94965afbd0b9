/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memcpy() of a size that only the run knows. */
/* EXPECT dependence dependences kind=flow source=S sink=C loop=- count=100 */
/* EXPECT dependence dependences kind=flow source=C sink=U loop=- count=100 */
#include <string.h>
int a[100], b[100], x;
static __attribute__((noinline, noipa)) long
size(void)
{
	return sizeof(a);
}
int
main(void)
{
	for (int i = 0; i < 100; i++)
		a[i] = i * i; /*S*/
	memcpy(b, a, size()); /*C*/
	for (int i = 0; i < 100; i++)
		x += b[i]; /*U*/
	return 0;
}
