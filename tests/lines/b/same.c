/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of shapes.c: a file of this name and a function of this name are in ../a. */
#include <stdlib.h>

void keep(void *p);

static __attribute__((noinline)) void
same(void)
{
	keep(malloc(200));			/*= 200 1 200 200 */
}

void
same_b(void)
{
	same();					/*= 0 0 0 200 */
	keep(NULL);
}
