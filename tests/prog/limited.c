/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that limits its own memory, and prints how many megabytes it could
 * allocate, and the limits that getrlimit() returns.
 *
 *	limited as|data MEGABYTES [exec|fork|vfork|later]
 *
 * later: it removes the limit again.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCK 1000
#define MOST (64u << 20)

static int which;

/* Small blocks from many places of the heap, until there are no more. */
static void
fill(const char *when)
{
	static void *all[MOST / BLOCK];
	size_t n = 0;

	while (n < MOST / BLOCK && (all[n] = malloc(BLOCK)))
		n++;
	for (size_t i = n; i-- > 0;)
		free(all[i]);
	printf("%s: %zu MB\n", when, (n * BLOCK + (1 << 19)) >> 20);
}

static void
show(const char *when)
{
	struct rlimit a, b;

	if (getrlimit(which, &a) || prlimit(0, which, NULL, &b) ||
	    memcmp(&a, &b, sizeof a))
		_exit(99);
	printf("%s: %lld %lld\n", when, (long long)a.rlim_cur,
	       (long long)a.rlim_max);
	fflush(stdout);
}

/* A vfork child has limits of its own; its memory is the parent's. */
static void
children(char **again, const struct rlimit *r)
{
	struct rlimit less = { r->rlim_cur / 2, r->rlim_max };

	for (volatile int own = 1; own >= 0; own--) {
		if (vfork() == 0) {
			if (own)
				setrlimit(which, &less);
			execv("/proc/self/exe", again);
			_exit(95);
		}
		wait(NULL);
	}
	show("then");
	fill("then");
}

int
main(int argc, char **argv)
{
	char *again[] = { argv[0], argv[1], "-", NULL };
	const char *what = argc > 3 ? argv[3] : "";
	struct rlimit was, r;

	if (argc < 3)
		return 98;
	which = strcmp(argv[1], "as") ? RLIMIT_DATA : RLIMIT_AS;
	show(argv[2][0] == '-' ? "executed" : "at first");
	if (argv[2][0] == '-')
		return 0;
	getrlimit(which, &was);
	r = was;
	r.rlim_cur = strtoull(argv[2], NULL, 10) << 20;
	if (setrlimit(which, &r))
		return 97;
	show("limited");
	fill("limited");
	if (!strcmp(what, "exec")) {
		execv("/nonexistent", again);
		printf("no such program: %d\n", errno);
		fill("then");
		show("then");
		execv("/proc/self/exe", again);
	}
	if (!strcmp(what, "fork")) {
		if (fork() == 0) {
			show("child");
			fill("child");
			exit(0);
		}
		wait(NULL);
	}
	if (!strcmp(what, "vfork"))
		children(again, &r);
	if (!strcmp(what, "later")) {
		if (prlimit(getpid(), which, &was, &r))
			return 96;
		printf("before: %lld\n", (long long)r.rlim_cur);
		show("no more");
		fill("no more");
	}
	r.rlim_cur = 5;
	r.rlim_max = 4;
	printf("refused: %d", setrlimit(which, &r) ? errno : 0);
	printf(" %d", setrlimit(which, (void *)8) ? errno : 0);
	printf(" %d\n", prlimit(0, which, NULL, (void *)8) ? errno : 0);
	show("at last");
	return 0;
}
