/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * overtime LOG [OPS [TURN]]: allocates and frees at three call sites, blocks of
 * many sizes.  It keeps its own log and writes it to LOG at the end: a line for
 * each of OPS (20000) operations, with the time after it (CLOCK_MONOTONIC, ns)
 * and the sums so far: allocations, bytes, frees and bytes freed.  The log has
 * all of the program's allocations.
 *
 * TURN, when half is done: reset (memmon_reset), fork (the child goes on),
 * child (the same, and at the end SIGKILL ends the child), kill (by SIGKILL),
 * mark (memmon_mark every 100 from then on).  After a reset, or in a child,
 * frees of earlier blocks don't count.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST 400000
#define BLOCKS 512

static struct op {
	uint64_t time, allocs, bytes, frees, freed;
} ops[MOST];
static struct op now;
static int nops;

static struct block {
	void *p;
	size_t size;
	int counts;
} blocks[BLOCKS];

extern int memmon_reset(void) __attribute__((weak));
extern int memmon_mark(const char *) __attribute__((weak));

static void
note(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	now.time = (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
	ops[nops++] = now;
}

static void
put(struct block *b)
{
	if (!b->p)
		return;
	free(b->p);
	b->p = NULL;
	if (b->counts) {
		now.frees++;
		now.freed += b->size;
	}
	note();
}

static void
keep(struct block *b, void *p, size_t size)
{
	b->p = p;
	b->size = size;
	b->counts = 1;
	now.allocs++;
	now.bytes += size;
	note();
}

__attribute__((noinline)) static void
small(struct block *b, unsigned r)
{
	size_t size = 16 + r % 4 * 16;

	keep(b, malloc(size), size);
}

__attribute__((noinline)) static void
middle(struct block *b, unsigned r)
{
	size_t size = 100 + r % 50;

	keep(b, malloc(size), size);
}

__attribute__((noinline)) static void
large(struct block *b, unsigned r)
{
	size_t size = 1000 + r % 5000;

	keep(b, malloc(size), size);
}

static void
write_log(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666), n, i;
	static char text[1 << 16];
	size_t used = 0;

	for (i = 0; i < nops; i++) {
		n = snprintf(text + used, sizeof(text) - used,
			     "%llu %llu %llu %llu %llu\n",
			     (unsigned long long)ops[i].time,
			     (unsigned long long)ops[i].allocs,
			     (unsigned long long)ops[i].bytes,
			     (unsigned long long)ops[i].frees,
			     (unsigned long long)ops[i].freed);
		used += (size_t)n;
		if (used > sizeof(text) - 200 || i == nops - 1) {
			if (write(fd, text, used) < 0)
				exit(1);
			used = 0;
		}
	}
	close(fd);
}

/* From here on earlier events and blocks don't count. */
static void
begin(void)
{
	int i;

	memset(&now, 0, sizeof(now));
	nops = 0;
	for (i = 0; i < BLOCKS; i++)
		blocks[i].counts = 0;
	note();
}

static void
turn(const char *what, const char *log)
{
	int status;

	if (!strcmp(what, "reset")) {
		memmon_reset();
		begin();
	} else if (!strcmp(what, "fork") || !strcmp(what, "child")) {
		if (fork()) {
			wait(&status);
			_exit(!strcmp(what, "fork") && status != 0);
		}
		begin();
	} else if (!strcmp(what, "kill")) {
		write_log(log);
		kill(getpid(), SIGKILL);
	}
}

int
main(int argc, char **argv)
{
	int most = argc > 2 ? atoi(argv[2]) : 20000, i;
	const char *what = argc > 3 ? argv[3] : "";
	struct timespec pause = { 0, 200000 };
	unsigned r = 1;
	struct block *b;

	note();
	for (i = 0; i < most && nops < MOST - 2; i++) {
		r = r * 1664525u + 1013904223u;
		b = &blocks[(r >> 8) % BLOCKS];
		put(b);
		/* The heap grows and shrinks. */
		if ((r >> 20) % 1000 < (unsigned)(i / 2000 % 2 ? 300 : 900)) {
			if (i % 7 == 0)
				large(b, r >> 10);
			else if (i % 3 == 0)
				middle(b, r >> 10);
			else
				small(b, r >> 10);
		}
		if (i % 200 == 0)
			nanosleep(&pause, NULL);
		if (i == most / 2)
			turn(what, argv[1]);
		if (!strcmp(what, "mark") && i > most / 2 && i % 100 == 0)
			memmon_mark("tick");
	}
	write_log(argv[1]);
	if (!strcmp(what, "child"))
		kill(getpid(), SIGKILL);
	return 0;
}
