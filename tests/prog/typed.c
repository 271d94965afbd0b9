/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memmon_type().  Totals by site and type, in main:
 *
 *	node	32 bytes: 100 allocated, 40 freed, all at once at the peak
 *	edge	32 bytes: 20 allocated at the same place, 5 freed
 *	none	32 bytes: 3 at that place have no type
 *	grown	a block of 16 bytes typed, made 64 and 4000 by realloc: three
 *		allocations of the type, two frees, at two places
 *	twice	a block of type one that becomes one of type other
 *	theirs	10 blocks of 48 bytes, allocated by thread "maker", typed and
 *		freed (4 of them) by main
 *	item	a pool's: 6 blocks of 24 bytes, 2 freed
 *
 * With argument "reset" all counts are reset after the first type; "fork": a
 * child does it all again; "kill": killed at the end.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEMMON_WEAK
#include "monitor/memmon.h"

static void *node[100], *edge[20], *none[3], *theirs[10];
static char pool[6][24];
static int bad;

static void type(const void *p, const char *name, size_t size)
	MEMMON_ADDRESS(1);

static void
type(const void *p, const char *name, size_t size)
{
	bad += memmon_type(p, name, size) != 0;
}

static __attribute__((noinline)) void *
make(void)
{
	return malloc(32);
}

static void
nodes(void)
{
	int i;

	for (i = 0; i < 100; i++) {
		node[i] = make();
		type(node[i], "node", 32);
	}
	for (i = 0; i < 20; i++)
		edge[i] = make();
	for (i = 0; i < 3; i++)
		none[i] = make();
	for (i = 0; i < 20; i++)
		type(edge[i], "edge", 16);
	for (i = 0; i < 40; i++)
		free(node[i]);
	for (i = 0; i < 5; i++)
		free(edge[i]);
}

static void
grown(void)
{
	char *p = malloc(16);

	type(p, "grown", 1);
	p = realloc(p, 64);
	p = realloc(p, 4000);
	memset(p, 0, 4000);
}

static void
twice(void)
{
	void *p = malloc(56);

	type(p, "one", 0);
	type(p, "other", 0);
}

static void *
maker(void *arg)
{
	int i;

	prctl(PR_SET_NAME, "maker");
	for (i = 0; i < 10; i++)
		theirs[i] = malloc(48);
	return arg;
}

static void
others(void)
{
	pthread_t t;
	int i;

	pthread_create(&t, NULL, maker, NULL);
	pthread_join(t, NULL);
	for (i = 0; i < 10; i++)
		type(theirs[i], "theirs", 48);
	for (i = 0; i < 4; i++)
		free(theirs[i]);
}

static void
pools(void)
{
	int i;

	memmon_pool_create(pool);
	for (i = 0; i < 6; i++) {
		memmon_pool_alloc(pool, pool[i], 24);
		type(pool[i], "item", 8);
	}
	memmon_pool_free(pool, pool[1]);
	memmon_pool_free(pool, pool[4]);
}

int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	if (!strcmp(how, "reset")) {
		void *p = malloc(8);

		type(p, "node", 32);
		memmon_reset();
		/* Not counted any more. */
		bad += memmon_type(p, "other", 0) != -1;
	}
	if (!strcmp(how, "fork")) {
		void *p = malloc(8);

		type(p, "before", 8);
		if (fork() > 0) {
			wait(NULL);
			return bad;
		}
		bad += memmon_type(p, "node", 8) != -1;
	}
	nodes();
	grown();
	twice();
	others();
	pools();
	bad += memmon_type(NULL, "x", 1) != -1;
	bad += memmon_type(&bad, "x", 1) != -1;
	bad += memmon_type(none[0], NULL, 1) != -1;
	fprintf(stderr, "%d\n", bad);
	if (!strcmp(how, "kill"))
		kill(getpid(), SIGKILL);
	return 0;
}
