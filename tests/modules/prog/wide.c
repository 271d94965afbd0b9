/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of pointers into a large block: pages of it are one object's. */
/* EXPECT points_to pointers pointer=P object=A kind=heap count=64 */
#include <stdlib.h>
static char *v[64];
int s;
static __attribute__((noinline, noipa)) char *
get(int i)
{
	return v[i]; /*P*/
}
int
main(void)
{
	char *all = malloc(1 << 20); /*A*/
	for (int i = 0; i < 64; i++)
		v[i] = all + i * 16384;
	for (int i = 0; i < 64; i++)
		s += get(i) != 0;
	return 0;
}
