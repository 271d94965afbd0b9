/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks of known lifetimes.  The program prints bounds that it has measured
 * itself, in ns: for memmon a block's life begins in the allocation and ends in
 * the free.
 *
 *	lives sleep	short_lived() makes 12 blocks that live for 1.5 ms each,
 *			middle() 8 for 12 ms, long_lived() 3 for 100 ms.  For
 *			each block a line: function, shortest and longest that
 *			its life can have been
 *	lives queue N	queued() makes N blocks of 32 bytes; each is freed when
 *			1,000 more have been made, the rest at the end.  A line:
 *			the sum of all lives, about.  The program's clock makes
 *			time up, up to 50 us for each block: the libc's would
 *			also count how late the machine is
 *	lives grow	vector() doubles a block from 16 bytes to 1 MiB: 16
 *			reallocs; list() resizes each of 100 blocks 3 times, to
 *			100, 50 and 3,000 bytes; same() resizes a block to its
 *			own size 10 times.  A line for each: function, blocks
 *			that came out elsewhere, bytes that were in them
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/clock_pass.h"

static __attribute__((noinline)) void *
short_lived(void)
{
	return malloc(100);
}

static __attribute__((noinline)) void *
middle(void)
{
	return malloc(100);
}

static __attribute__((noinline)) void *
long_lived(void)
{
	return malloc(100);
}

static void
hold(const char *name, void *(*make)(void), int n, long ns)
{
	struct timespec t = { 0, ns };
	uint64_t before, made, ends;
	void *p;

	while (n-- > 0) {
		before = clock_now();
		p = make();
		made = clock_now();
		nanosleep(&t, NULL);
		ends = clock_now();
		free(p);
		printf("%s %lu %lu\n", name, ends - made, clock_now() - before);
	}
}

static __attribute__((noinline)) void *
queued(void)
{
	return malloc(32);
}

#define QUEUE 1000u

static void
queue(unsigned n)
{
	static void *p[QUEUE];
	static uint64_t born[QUEUE];
	uint64_t sum = 0;

	clock_pass(0);
	for (unsigned i = 0; i < n + QUEUE; i++) {
		clock_pass(i * 2654435761u % 50000);
		if (p[i % QUEUE]) {
			free(p[i % QUEUE]);
			sum += clock_now() - born[i % QUEUE];
		}
		p[i % QUEUE] = NULL;
		if (i >= n)
			continue;
		p[i % QUEUE] = queued();
		born[i % QUEUE] = clock_now();
	}
	printf("%lu\n", sum);
}

static uint64_t moved, copied;

/* realloc, and what became of it; within the function that calls this. */
#define RESIZE(p, was, n) \
	do { \
		uintptr_t old = (uintptr_t)(p); \
		(p) = realloc(p, n); \
		if ((uintptr_t)(p) == old) \
			break; \
		moved++; \
		copied += (was) < (n) ? (was) : (n); \
	} while (0)

static void
say(const char *name)
{
	char line[100];

	/* Kept until the end, so that stdio has no block between these. */
	snprintf(line, sizeof(line), "%s %lu %lu\n", name, moved, copied);
	fputs(line, stdout);
	moved = copied = 0;
}

static __attribute__((noinline)) void
vector(void)
{
	void *p = malloc(16), *beside[17];
	size_t n;

	for (n = 16; n < 1u << 20; n *= 2) {
		beside[__builtin_ctzl(n) - 4] = malloc(24);
		RESIZE(p, n, 2 * n);
	}
	free(p);
	for (int i = 0; i < 16; i++)
		free(beside[i]);
}

static __attribute__((noinline)) void
list(void)
{
	void *p[100];

	for (int i = 0; i < 100; i++)
		p[i] = malloc(20);
	for (int i = 0; i < 100; i++) {
		RESIZE(p[i], 20, 100);
		RESIZE(p[i], 100, 50);
		RESIZE(p[i], 50, 3000);
	}
	for (int i = 0; i < 100; i++)
		free(p[i]);
}

static __attribute__((noinline)) void
same(void)
{
	void *p = malloc(500);

	for (int i = 0; i < 10; i++)
		RESIZE(p, 500, 500);
	free(p);
}

int
main(int argc, char **argv)
{
	static char buffer[65536];

	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	if (argc > 2 && !strcmp(argv[1], "queue")) {
		queue((unsigned)atoi(argv[2]));
	} else if (argc > 1 && !strcmp(argv[1], "grow")) {
		vector();
		say("vector");
		list();
		say("list");
		same();
		say("same");
	} else {
		hold("short_lived", short_lived, 12, 1500000);
		hold("middle", middle, 8, 12000000);
		hold("long_lived", long_lived, 3, 100000000);
	}
	return 0;
}
