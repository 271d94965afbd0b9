/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks that die in the call that made them. */
/* EXPECT lifetime scopes site=A scope=function where=F blocks=5 bytes=50 */
#include <stdlib.h>
static __attribute__((noinline, noipa)) void
use(void *p)
{
	(void)p;
}
static __attribute__((noinline, noipa)) void
work(void) /*F*/
{
	void *p = malloc(10); /*A*/
	use(p);
	free(p);
}
int
main(void)
{
	for (int i = 0; i < 5; i++)
		work();
	return 0;
}
