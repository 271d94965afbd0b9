/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared: blocks that two or more threads have accessed.  The second thread
 * runs while the first waits for it.
 *
 * both		Two of 64, written by main, read by the other: shared.
 * apart	One of 64, the first half is written by main, the second by the
 *		other thread: shared, though no byte is.
 * handed	Two of 64, made by main, accessed by the other only: not shared.
 * back		One of 64, made and accessed by the other thread, freed by main:
 *		not shared.
 * half		Two of 32, accessed by main; the second by the other too: half.
 *
 *	expect both blocks=2 bytes=128 reads=128 writes=128 shared=2/128
 *	expect apart blocks=1 bytes=64 reads=0 writes=64 write-only=1/64
 *		shared=1/64
 *	expect handed blocks=2 bytes=128 reads=128 writes=128 shared=0/0
 *	expect back blocks=1 bytes=64 reads=0 writes=64 write-only=1/64
 *		shared=0/0
 *	expect half blocks=2 bytes=64 reads=32 writes=64 write-only=1/32
 *		shared=1/32
 */
#include "tests/access/ex.h"
#include <pthread.h>

static char *p[8];

#define MAKER(name) \
	static NOINLINE void name(int i, size_t size) \
	{ \
		p[i] = malloc(size); \
	}

MAKER(both)
MAKER(apart)
MAKER(handed)
MAKER(back)
MAKER(half)

static void *
other(void *unused)
{
	int i;

	for (i = 0; i < 2; i++)
		get(p[i], 64);
	put(p[2] + 32, 32);
	for (i = 3; i < 5; i++) {
		put(p[i], 64);
		get(p[i], 64);
	}
	back(5, 64);
	put(p[5], 64);
	get(p[7], 32);
	return unused;
}

int
main(void)
{
	pthread_t thread;
	int i;

	for (i = 0; i < 2; i++) {
		both(i, 64);
		put(p[i], 64);
	}
	apart(2, 64);
	put(p[2], 32);
	for (i = 3; i < 5; i++)
		handed(i, 64);
	for (i = 6; i < 8; i++) {
		half(i, 32);
		put(p[i], 32);
	}
	if (pthread_create(&thread, NULL, other, NULL))
		return 1;
	pthread_join(thread, NULL);
	for (i = 0; i < 8; i++)
		free(p[i]);
	return 0;
}
