/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program switches recording off and on while it runs.  The argument
 * selects a function.  tests/t/control.t knows the results; the comments here
 * say how many blocks there are.
 */
#define MEMMON_WEAK
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "monitor/memmon.h"

static void *volatile sink;

static __attribute__((noinline)) void *
make(size_t n)
{
	void *p = malloc(n);

	sink = p;
	return p;
}

static __attribute__((noinline)) void *
resize(void *p, size_t n)
{
	p = realloc(p, n);
	sink = p;
	return p;
}

/*
 * While on, blocks of 100 and 200 are made; while off, of 400 and 800: one of
 * each is freed while on, the other while off.  Four of 1000 are resized to
 * 2000: made on or off, resized on or off.  The one that is made and resized
 * while off is freed while off, the other three while on.
 */
static void
combos(void)
{
	void *on1 = make(100), *on2 = make(200), *off1, *off2, *r[4];

	r[0] = make(1000);
	r[1] = make(1000);
	memmon_stop();
	off1 = make(400);
	off2 = make(800);
	free(on2);
	free(off2);
	r[2] = make(1000);
	r[3] = make(1000);
	r[1] = resize(r[1], 2000);
	r[3] = resize(r[3], 2000);
	free(r[3]);
	memmon_start();
	free(on1);
	free(off1);
	r[0] = resize(r[0], 2000);
	r[2] = resize(r[2], 2000);
	free(r[0]);
	free(r[1]);
	free(r[2]);
}

/* A block of 50 bytes on either side of an off time is not a temporary one. */
static void
gap(void)
{
	void *p = make(50), *q;

	memmon_stop();
	q = make(60);
	memmon_start();
	free(p);
	free(q);
	p = make(70);
	free(p);
}

/* The peak is 5000.  3000 are freed while off; then 2500 are made. */
static void
peak(void)
{
	void *p = make(2000), *q = make(3000), *r;

	memmon_stop();
	free(q);
	memmon_start();
	r = make(2500);
	free(p);
	free(r);
}

/*
 * 7 blocks of 10 bytes, 3 of them freed; then a reset: 2 of 1000, one freed,
 * and 2 of the first ones.
 */
static void
reset(void)
{
	void *p[7], *q;

	memmon_mark("before");
	for (int i = 0; i < 7; i++)
		p[i] = make(10);
	for (int i = 0; i < 3; i++)
		free(p[i]);
	printf("%d\n", memmon_reset());
	q = make(1000);
	make(1000);
	memmon_mark("after");
	free(q);
	free(p[3]);
	p[4] = resize(p[4], 10);
	printf("%d\n", memmon_start());
}

/* Three marks; the second has a name of 70 bytes. */
static void
marks(void)
{
	char name[71];
	void *p;

	memset(name, 'n', 70);
	name[70] = '\0';
	memmon_mark("first");
	p = make(11);
	make(22);
	memmon_mark(name);
	free(p);
	errno = 77;
	memmon_mark("third one");
	printf("%d %d\n", errno, memmon_mark(NULL));
}

/* Blocks of 33 bytes: 1 in the first file, 2 in the second, 3 at the end. */
static void
dumps(void)
{
	make(33);
	printf("%d ", memmon_dump_to("one.mon"));
	make(33);
	printf("%d ", memmon_dump_to("two.%p"));
	printf("%d ", memmon_dump_to("no/such/directory"));
	printf("%d\n", memmon_dump_to(NULL));
	make(33);
}

/* Wait for signals; each makes a block of 64 bytes first. */
static void
signals(const char *name, int n)
{
	struct sigaction a;

	for (int i = 0; i < n; i++) {
		make(64);
		raise(atoi(name));
	}
	memset(&a, 1, sizeof(a));
	sigaction(atoi(name), NULL, &a);
	puts(a.sa_handler == SIG_DFL ? "default" : "another");
}

static volatile sig_atomic_t came;

static void
on_signal(int sig)
{
	(void)sig;
	came++;
}

/* The program has a handler of its own. */
static void
own(int sig)
{
	puts(signal(sig, on_signal) == SIG_DFL ? "default" : "another");
	raise(sig);
	puts(signal(sig, SIG_DFL) == on_signal ? "own" : "another");
	raise(sig);
	printf("%d\n", (int)came);
}

int
main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	static char buffer[1 << 12];

	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	if (!strcmp(way, "combos"))
		combos();
	else if (!strcmp(way, "gap"))
		gap();
	else if (!strcmp(way, "peak"))
		peak();
	else if (!strcmp(way, "reset"))
		reset();
	else if (!strcmp(way, "marks"))
		marks();
	else if (!strcmp(way, "dumps"))
		dumps();
	else if (!strcmp(way, "signals") && argc > 3)
		signals(argv[2], atoi(argv[3]));
	else if (!strcmp(way, "own") && argc > 2)
		own(atoi(argv[2]));
	else
		return 2;
	return 0;
}
