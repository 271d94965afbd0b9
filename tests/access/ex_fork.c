/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A child of fork writes its own file, with its own blocks.
 *
 * before	Two of 64, made by the parent before the fork, and written.  The
 *		child reads and frees its copies, which counts in neither file;
 *		the parent reads one.
 * after	One of 32, made by the parent after the child has ended,
 *		written.
 * in_child	Three of 48, made and written by the child.
 *
 *	expect before blocks=2 bytes=128 reads=64 writes=128 write-only=1/64
 *	expect after blocks=1 bytes=32 reads=0 writes=32 write-only=1/32
 *	expect in_child blocks=0
 *	child before blocks=0
 *	child after blocks=0
 *	child in_child blocks=3 bytes=144 reads=0 writes=144 write-only=3/144
 */
#include "tests/access/ex.h"
#include <sys/wait.h>
#include <unistd.h>

#define MAKER(name) \
	static NOINLINE char *name(size_t size) \
	{ \
		return malloc(size); \
	}

MAKER(before)
MAKER(after)
MAKER(in_child)

static int
child(char *p[])
{
	char *q;
	int i;

	for (i = 0; i < 3; i++) {
		q = in_child(48);
		put(q, 48);
		free(q);
	}
	for (i = 0; i < 2; i++) {
		get(p[i], 64);
		free(p[i]);
	}
	return 0;
}

int
main(void)
{
	char *p[2], *q;
	int i, status;
	pid_t pid;

	for (i = 0; i < 2; i++) {
		p[i] = before(64);
		put(p[i], 64);
	}
	pid = fork();
	if (!pid)
		return child(p);
	if (waitpid(pid, &status, 0) != pid || status)
		return 1;
	q = after(32);
	put(q, 32);
	get(p[0], 64);
	free(q);
	for (i = 0; i < 2; i++)
		free(p[i]);
	return 0;
}
