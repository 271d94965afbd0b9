/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pointer to blocks of two places. */
/* EXPECT points_to pointers pointer=P object=A kind=heap */
/* EXPECT points_to pointers pointer=P object=B kind=heap */
/* EXPECT points_to objects object=A kind=heap made=5 bytes=40 */
#include <stdlib.h>
static void *v[10];
static __attribute__((noinline, noipa)) int *
get(int i)
{
	return v[i]; /*P*/
}
int
main(void)
{
	for (int i = 0; i < 5; i++)
		v[i] = malloc(8); /*A*/
	for (int i = 5; i < 10; i++)
		v[i] = malloc(8); /*B*/
	for (int i = 0; i < 10; i++)
		*get(i) = i;
	return 0;
}
