/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two pointers of a function point to one object, a third doesn't. */
/* EXPECT points_to aliases one=P other=Q object=A */
/* EXPECT not points_to aliases one=P other=R */
#include <stdlib.h>
static int *x, *y, *z;
static __attribute__((noinline, noipa)) int
sum(void)
{
	int *p = x; /*P*/
	int *q = y; /*Q*/
	int *r = z; /*R*/
	return *p + *q + *r;
}
int
main(void)
{
	x = y = malloc(4); /*A*/
	z = malloc(4);
	*x = *z = 1;
	return sum() == 9;
}
