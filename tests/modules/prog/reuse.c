/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A block begins as if nothing had been stored there. */
/* EXPECT not dependence dependences kind=flow source=S sink=U */
#include <stdlib.h>
int x;
int
main(void)
{
	int *p = malloc(400);
	for (int i = 0; i < 100; i++)
		p[i] = i; /*S*/
	free(p);
	p = calloc(100, 4);
	for (int i = 0; i < 100; i++)
		x += p[i]; /*U*/
	free(p);
	return 0;
}
