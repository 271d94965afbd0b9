/* SPDX-License-Identifier: GPL-3.0-or-later */
/* realloc() reads what was stored, and writes what is loaded. */
/* EXPECT dependence dependences kind=flow source=S sink=R count=100 */
/* EXPECT dependence dependences kind=flow source=R sink=U count=100 */
#include <stdlib.h>
int x;
int
main(void)
{
	int *p = malloc(400);
	for (int i = 0; i < 100; i++)
		p[i] = i; /*S*/
	p = realloc(p, 4000); /*R*/
	for (int i = 0; i < 100; i++)
		x += p[i]; /*U*/
	free(p);
	return 0;
}
