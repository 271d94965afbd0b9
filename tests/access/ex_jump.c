/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * longjmp leaves functions: the next call paths must be right.
 *
 * deep		Three of 16, each made and written five calls down; a longjmp
 *		leads back from there.  Freed by main.
 * shallow	Three of 24, after each of these, written and read.
 *
 *	expect deep blocks=3 bytes=48 reads=0 writes=48 write-only=3/48
 *	expect shallow blocks=3 bytes=72 reads=72 writes=72
 */
#include "tests/access/ex.h"
#include <setjmp.h>

static jmp_buf out;
static char *volatile made;

static NOINLINE void
deep(int depth)
{
	if (depth) {
		deep(depth - 1);
		return;
	}
	made = malloc(16);
	put(made, 16);
	if (made)
		longjmp(out, 1);
}

static NOINLINE char *
shallow(void)
{
	return malloc(24);
}

int
main(void)
{
	volatile int i;
	char *p;

	for (i = 0; i < 3; i++) {
		if (!setjmp(out))
			deep(5);
		free(made);
		p = shallow();
		put(p, 24);
		get(p, 24);
		free(p);
	}
	return 0;
}
