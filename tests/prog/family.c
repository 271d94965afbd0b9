/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Processes that fork, each with figures of its own.
 *
 *	family		the parent makes 50 blocks of 1,000 bytes and frees 30
 *			of them: a peak of 50,000.  Its child frees 10 of the
 *			parent's, makes 30 blocks of 200 in kid() and frees
 *			them, which is its peak, 6,000; makes 2 of 300; resizes
 *			one of the parent's to 400, and frees it; and has a
 *			thread, "nephew", which makes and frees 7 blocks of 8.
 *			The grandchild frees one of the child's 300, one of the
 *			parent's, and makes 5 blocks of 40.
 *	family thread	the same from a thread of the parent's, "aunt"
 *
 * Then, of the blocks named here:
 *	parent	50 allocations, 50,000 bytes, 30 frees; peak 50,000
 *	child	40 allocations, 7,056 bytes, 38 frees, 6,456 freed; 11 frees
 *		inherited (the realloc is one); peak 6,000 in 30 blocks
 *	grandchild	5 allocations, 200 bytes, 0 frees; 2 inherited
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void *parents[50], *kids[30], *kept[2];

static __attribute__((noinline)) void *
parent(size_t n)
{
	return malloc(n);
}

static __attribute__((noinline)) void *
kid(size_t n)
{
	return malloc(n);
}

static __attribute__((noinline)) void *
resized(void *p, size_t n)
{
	return realloc(p, n);
}

static void *
nephew(void *arg)
{
	pthread_setname_np(pthread_self(), "nephew");
	for (int i = 0; i < 7; i++)
		free(kid(8));
	return arg;
}

static void
grandchild(void)
{
	free(kept[0]);
	free(parents[48]);
	for (int i = 0; i < 5; i++)
		if (!kid(40))
			_exit(1);
	_exit(0);
}

static void
child(void)
{
	pthread_t id;

	for (int i = 30; i < 40; i++)
		free(parents[i]);
	for (int i = 0; i < 30; i++)
		kids[i] = kid(200);
	for (int i = 0; i < 30; i++)
		free(kids[i]);
	kept[0] = kid(300);
	kept[1] = kid(300);
	free(resized(parents[49], 400));
	pthread_create(&id, NULL, nephew, NULL);
	pthread_join(id, NULL);
	if (fork() == 0)
		grandchild();
	wait(NULL);
	_exit(0);
}

static void *
family(void *arg)
{
	if (arg)
		pthread_setname_np(pthread_self(), "aunt");
	for (int i = 0; i < 50; i++)
		parents[i] = parent(1000);
	for (int i = 0; i < 30; i++)
		free(parents[i]);
	if (fork() == 0)
		child();
	wait(NULL);
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t id;

	if (argc < 2) {
		family(NULL);
	} else {
		pthread_create(&id, NULL, family, argv);
		pthread_join(id, NULL);
	}
	return 0;
}
