/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of shapes.c: a file of this name and a function of this name are in ../b. */
#include <stdlib.h>

void keep(void *p);

static __attribute__((noinline)) void
same(void)
{
	keep(malloc(100));			/*= 100 1 100 100 */
}

void
same_a(void)
{
	same();					/*= 0 0 0 100 */
	keep(NULL);
}
