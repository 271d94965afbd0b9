/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Made in one call, freed in another; and never. */
/* EXPECT lifetime scopes site=A scope=function where=M blocks=4 */
/* EXPECT lifetime scopes site=B scope=not_freed blocks=3 bytes=48 */
#include <stdlib.h>
static void *v[4];
void *volatile kept;
static __attribute__((noinline, noipa)) void
fill(void)
{
	for (int i = 0; i < 4; i++)
		v[i] = malloc(32); /*A*/
	for (int i = 0; i < 3; i++)
		kept = malloc(16); /*B*/
}
static __attribute__((noinline, noipa)) void
empty(void)
{
	for (int i = 0; i < 4; i++)
		free(v[i]);
}
int
main(void) /*M*/
{
	fill();
	empty();
	return 0;
}
