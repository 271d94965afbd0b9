/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two functions that call each other; one loads what the other stores. */
/* EXPECT dependence dependences kind=flow source=S sink=U loop=- count=6 */
/* EXPECT lifetime scopes site=A scope=function where=F blocks=6 bytes=48 */
#include <stdlib.h>
volatile int given;
static void odd(int n);
static __attribute__((noinline, noipa)) void
even(int n)
{
	int x = given; /*U*/
	if (n && x == n)
		odd(n - 1);
}
static __attribute__((noinline, noipa)) void
odd(int n) /*F*/
{
	void *volatile p = malloc(8); /*A*/
	given = n - 1; /*S*/
	even(n - 1);
	free(p);
}
int
main(void)
{
	odd(11);
	return 0;
}
