/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that does the same each time and then ends as its argument says.
 *
 *	killed kill	by SIGKILL, from its own hand
 *	killed exit	by _exit(0): nothing more is done than in the first case
 *	killed wait	prints "ready" and waits for a signal
 *	killed busy	the same, but while it waits it allocates and frees, in
 *			two threads
 *	... sizes	at first, more sizes than get cells of their own
 *
 * Blocks of three functions, of two threads one after the other; some freed by
 * the other one, some resized, some kept.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 3000, SIZES = 20000 };

static void *keep[N];

static __attribute__((noinline)) void *
small(int i)
{
	return malloc((size_t)(16 + i % 9));
}

static __attribute__((noinline)) void *
resized(int i)
{
	void *p = calloc(1, 24);

	return realloc(p, (size_t)(200 + 40 * (i % 5)));
}

static __attribute__((noinline)) void *
large(int i)
{
	return malloc((size_t)3000 * (size_t)(1 + i % 3));
}

/* Each size from eight call sites: that makes more cells than there may be. */
static __attribute__((noinline)) void
sizes(void)
{
	for (size_t n = 0; n < SIZES; n++) {
		void *p[] = {
			malloc(n), malloc(n), malloc(n), malloc(n),
			malloc(n), malloc(n), malloc(n), malloc(n),
		};

		for (size_t i = 0; i < 8; i++) {
			if ((n + i) % 1000)
				free(p[i]);
		}
	}
}

/* Frees a third of the blocks, and makes some. */
static void *
other(void *arg)
{
	for (int i = 0; i < N; i += 3) {
		free(keep[i]);
		keep[i] = i % 2 ? small(i) : NULL;
	}
	return arg;
}

static void *
busy(void *arg)
{
	for (unsigned i = 0;; i++) {
		void *p = resized((int)i % N), *q = small((int)i % N),
		     *r = malloc(i % SIZES);

		free(p);
		free(q);
		free(r);
	}
	return arg;
}

static void
work(void)
{
	pthread_t t;

	for (int i = 0; i < N; i++)
		keep[i] = i % 3 == 0   ? small(i)
			  : i % 3 == 1 ? resized(i)
				       : large(i);
	/* The peak happens in one thread: with two it would be inexact. */
	free(keep[2]);
	keep[2] = NULL;
	if (pthread_create(&t, NULL, other, NULL) == 0)
		pthread_join(t, NULL);
	for (int i = 0; i < N; i += 2)
		free(keep[i]);
}

int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "exit";
	pthread_t t;

	if (argc > 2)
		sizes();
	work();
	if (strcmp(how, "kill") == 0)
		kill(getpid(), SIGKILL);
	if (strcmp(how, "wait") == 0 || strcmp(how, "busy") == 0) {
		if (write(1, "ready\n", 6) != 6)
			return 1;
		if (*how == 'b' && pthread_create(&t, NULL, busy, NULL) == 0)
			busy(NULL);
		for (;;)
			pause();
	}
	_exit(0);
}
