/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores and loads that aren't aligned; three bytes of them overlap. */
/* EXPECT dependence dependences kind=flow source=S sink=U loop=- count=10 */
/*
 * EXPECT dependence dependences kind=flow source=S sink=U loop=L count=9
 * least=1 most=1
 */
#include <string.h>
static char a[200];
int x;
static __attribute__((noinline, noipa)) char *
at(int i)
{
	return a + i;
}
int
main(void)
{
	for (int i = 0; i < 10; i++) { /*L*/
		memcpy(at(1 + 6 * i), &i, 4); /*S*/
		memcpy(&x, at(6 * i - (i ? 2 : 0)), 4); /*U*/
	}
	return 0;
}
