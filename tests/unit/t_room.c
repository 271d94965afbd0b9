/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much memory the live map takes: a million blocks, packed as glibc packs
 * them, may cost 16 bytes each, and 8 bytes for each page of the heap.  A
 * program with several threads keeps the buckets that it has outgrown, which
 * take at most the same again.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/live.h"

#define BLOCKS 1000000u

/* Also: the first pool, and words of pages that are only begun. */
#define ROUND (64u << 10)

/* glibc's chunk for a block of `size' bytes. */
static uint64_t
chunk(uint64_t size)
{
	uint64_t n = (size + 8 + 15) & ~15ull;

	return n < 32 ? 32 : n;
}

/* One of 100,000 cells: they fit into entries that aren't wide. */
static uint32_t
cell(uint32_t i)
{
	return i % 100000 + 1;
}

static void *
nothing(void *arg)
{
	return arg;
}

struct cost {
	uint64_t used, pages, bad;
};

/* All blocks of a size, 0: of 16 to 512 bytes, side by side. */
static struct cost
measure(uint64_t size)
{
	uintptr_t base = 0x600000000010, a = base;
	struct mmi_thread *t = calloc(1, sizeof(*t));
	struct cost c = { mmi_arena_used(), 0, 0 };
	uint64_t used, n;
	bool ok;

	srandom(1);
	for (uint32_t i = 0; i < BLOCKS; i++) {
		n = size ? size : 16 + (uint64_t)random() % 497;
		mmi_live_put(t, (void *)a, n, mmi_live_entry(cell(i), 0, 0),
			     &ok);
		c.bad += !ok;
		a += chunk(n);
	}
	used = mmi_arena_used();
	c.used = used - c.used;
	c.pages = (a - base + 4095) / 4096;
	srandom(1);
	a = base;
	for (uint32_t i = 0; i < BLOCKS; i++) {
		n = size ? size : 16 + (uint64_t)random() % 497;
		c.bad += mmi_live_cell(mmi_live_take((void *)a)) != cell(i);
		a += chunk(n);
	}
	c.bad += mmi_arena_used() != used;
	return c;
}

/* The same in a process of its own, with another thread or not. */
static struct cost
apart(uint64_t size, bool threads)
{
	struct cost c = { 0, 0, 1 };
	int fd[2], st;
	pthread_t id;

	if (pipe(fd) != 0)
		return c;
	if (fork() == 0) {
		if (threads && pthread_create(&id, NULL, nothing, NULL) == 0)
			pthread_join(id, NULL);
		c = measure(size);
		_exit(write(fd[1], &c, sizeof(c)) != sizeof(c));
	}
	close(fd[1]);
	if (read(fd[0], &c, sizeof(c)) != sizeof(c))
		c.bad++;
	close(fd[0]);
	wait(&st);
	c.bad += st != 0;
	return c;
}

static void
size(uint64_t n)
{
	char what[32] = "sizes of 16 to 512";

	if (n)
		snprintf(what, sizeof(what), "size %lu", (unsigned long)n);
	for (int threads = 0; threads < 2; threads++) {
		struct cost c = apart(n, threads != 0);
		uint64_t words = 8 * c.pages, most;

		is_int(c.bad, 0, "%s: all blocks are found, with %s", what,
		       threads ? "threads" : "one thread");
		diag("%.2f bytes a block, and 8 a page",
		     ((double)c.used - (double)words) / BLOCKS);
		most = threads ? 32 : 16;
		ok(c.used <= most * BLOCKS + words + ROUND,
		   "at most %d bytes a block", (int)most);
	}
}

int
main(void)
{
	static const uint64_t sizes[] = { 16,  24,  32,	 48,   64,   100, 128,
					  200, 256, 512, 1000, 4000, 0 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		size(sizes[i]);
	return done_testing();
}
