/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recorded by calls: blocks with one flag each, written() and unused(), among
 * calls of libc.  By PART:
 *
 *	0	a program
 *	1	... that also calls a library that isn't recorded
 *	2	the same as 0, as a library, for others to open
 *	3	a program that opens its argument, a library, and closes it; its
 *		own blocks are mine()'s
 *	5	the same as 1, as such a library
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/access/handed.h"

#if PART == 3
#include <dlfcn.h>
#endif

#if PART == 3
NOINLINE void *mine(void);
NOINLINE void *
mine(void)
{
	return malloc(64);
}

int
main(int argc, char **argv)
{
	void *library = dlopen(argv[argc - 1], RTLD_NOW);
	void (*work)(void);

	*(volatile char *)mine() = 1;
	if (!library)
		return 2;
	work = (void (*)(void))dlsym(library, "work");
	work();
	return dlclose(library);
}
#else
NOINLINE void *written(void);
NOINLINE void *
written(void)
{
	return malloc(64);
}

NOINLINE void *unused(void);
NOINLINE void *
unused(void)
{
	return malloc(48);
}

void work(void);

static void *
nothing(void *arg)
{
	return arg;
}

void
work(void)
{
	volatile double x = 2;
	pthread_t t;
	char *p, *q;
	FILE *f;

	p = malloc(40);
	snprintf(p, 40, "%s", "/dev/null");
	f = fopen(p, "w");
	if (asprintf(&q, "%s %f", p, pow(x, x)) > 0 && f) {
		fputs(q, f);
		fputc(toupper('x'), f);
	}
	if (pthread_create(&t, NULL, nothing, NULL) == 0)
		pthread_join(t, NULL);
	fclose(f);
	free(p);
	free(q);
	*(volatile char *)written() = 1;
	free(unused());
#if PART % 2
	lib_keep(written());
	lib_use();
#endif
}

#if PART < 2
int
main(void)
{
	work();
	return 0;
}
#endif
#endif
