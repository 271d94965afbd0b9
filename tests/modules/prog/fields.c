/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of a struct, by name and by offset in blocks. */
/* EXPECT fields members member=rec.key accesses=300 loads=200 stores=100 */
/* EXPECT fields fields site=A offset=16 loads=200 stores=100 */
/* EXPECT fields fields site=A offset=0 accesses=100 loads=0 stores=100 */
#include <stdlib.h>
struct rec {
	long a, b, key, c;
};
long s;
int
main(void)
{
	struct rec *v[100];
	for (int i = 0; i < 100; i++) {
		v[i] = malloc(sizeof(struct rec)); /*A*/
		v[i]->a = i;
		v[i]->key = i;
	}
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < 100; i++)
			s += v[i]->key;
	return 0;
}
