/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pointers of pointers: what each level points to. */
/* EXPECT points_to pointers pointer=P object=A kind=heap count=4 */
/* EXPECT points_to pointers pointer=Q object=B kind=heap count=4 */
/* EXPECT not points_to pointers pointer=P object=B */
/* EXPECT points_to objects object=B kind=heap made=4 bytes=64 */
#include <stdlib.h>
static int **table[4];
static __attribute__((noinline, noipa)) int
get(int i)
{
	int **row = table[i]; /*P*/
	int *cell = row[1]; /*Q*/
	return *cell;
}
int
main(void)
{
	int s = 0;
	for (int i = 0; i < 4; i++) {
		table[i] = malloc(3 * sizeof(*table[i])); /*A*/
		table[i][1] = calloc(2, 8); /*B*/
	}
	for (int i = 0; i < 4; i++)
		s += get(i);
	return s;
}
