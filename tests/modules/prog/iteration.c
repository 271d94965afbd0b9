/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks that die in the iteration that made them. */
/*
 * EXPECT lifetime scopes site=A scope=iteration where=L blocks=30
 * bytes=3000
 */
/*
 * EXPECT lifetime sites site=A blocks=30
 * verdict=die_within_an_iteration:_stack
 */
#include <stdlib.h>
static __attribute__((noinline, noipa)) void
use(void *p)
{
	(void)p;
}
int
main(void)
{
	for (int i = 0; i < 30; i++) { /*L*/
		void *p = malloc(100); /*A*/
		use(p);
		free(p);
	}
	return 0;
}
