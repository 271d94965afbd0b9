/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inlined functions and macros of shapes.c: see there. */
#include <stdlib.h>

static inline __attribute__((always_inline)) void *
inner(size_t n)
{
	return malloc(n);			/*= 500 3 500 500 */
}

static inline __attribute__((always_inline)) void *
outer(size_t n)
{
	void *p = inner(n);			/*= 0 0 0 400 */

	free(malloc(7));			/*= 14 2 0 14 */
	return p;
}

#define TAKE(n) keep(malloc(n))
