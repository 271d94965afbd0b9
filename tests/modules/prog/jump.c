/* SPDX-License-Identifier: GPL-3.0-or-later */
/* longjmp() out of a loop: it doesn't go on then. */
/* EXPECT dependence dependences kind=flow source=S sink=U loop=- count=3 */
/* EXPECT not dependence dependences kind=flow source=S sink=U loop=I */
#include <setjmp.h>
static jmp_buf where;
static int a[10];
int x;
static __attribute__((noinline, noipa)) void
leave(int i)
{
	if (i == 5)
		longjmp(where, 1);
}
static __attribute__((noinline, noipa)) void
fill(void)
{
	for (int i = 0; i < 10; i++) { /*I*/
		a[i] = i; /*S*/
		leave(i);
	}
}
static __attribute__((noinline, noipa)) int
get(int i)
{
	return a[i]; /*U*/
}
int
main(void)
{
	if (!setjmp(where))
		fill();
	x = get(1) + get(2) + get(3);
	return 0;
}
