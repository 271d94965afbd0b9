/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pointer into the midst of a block, one to its end, and one that is gone. */
/* EXPECT points_to pointers pointer=P object=A kind=heap count=2 */
/* EXPECT points_to pointers pointer=P kind=unknown count=2 */
#include <stdlib.h>
static char *volatile v[4];
static __attribute__((noinline, noipa)) int
get(int i)
{
	char *p = v[i]; /*P*/
	return p != NULL;
}
int
main(void)
{
	char *a = malloc(40); /*A*/
	char *volatile gone = malloc(4000);
	v[0] = a + 39;
	v[1] = a;
	v[2] = a + 40;
	v[3] = gone;
	free(gone);
	return get(0) + get(1) + get(2) + get(3) != 4;
}
