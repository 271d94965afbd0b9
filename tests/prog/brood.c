/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Children of all kinds, made while eight threads allocate.
 *
 *	brood ROUNDS [raw]
 *			in each round one child of every kind below.  Each of
 *			the threads makes blocks of 50 bytes in make() and frees
 *			them, until main is done; main makes 20 of 100 in
 *			make() first and frees them at the end
 *			raw: clones as well that no handler of fork() sees and
 *			that allocate: on an allocator that stands it (libbump)
 *	brood leaf	what children run by exec: 9 blocks of 70 bytes in
 *			leaf(), 4 of them freed
 *
 * For each process that writes a data file, a line goes to descriptor 3: "PID
 * KIND allocs bytes frees freed inherited", counts of make(), kid() and leaf().
 * The parent's line is last, except for lines of children that outlive it.  A
 * child makes 6 blocks of 40 in kid(), frees 5, and frees the parent's first 3.
 * The child "again" has a child: it frees the next 3.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 8
#define OWN 20

extern char **environ;

static volatile int stop;
static struct {
	unsigned long made, freed;
} count[THREADS];
static void *own[OWN];
static char *self;
static pid_t parent;

static __attribute__((noinline)) void *
make(size_t n)
{
	void *p = malloc(n);

	__asm__ volatile("" : : "r"(p) : "memory");
	return p;
}

static __attribute__((noinline)) void *
kid(size_t n)
{
	void *p = malloc(n);

	__asm__ volatile("" : : "r"(p) : "memory");
	return p;
}

static __attribute__((noinline)) void *
leaf(size_t n)
{
	void *p = malloc(n);

	__asm__ volatile("" : : "r"(p) : "memory");
	return p;
}

static void
tell(const char *kind, unsigned long allocs, unsigned long bytes,
     unsigned long frees, unsigned long freed, unsigned inherited)
{
	char line[200];
	int n = snprintf(line, sizeof(line), "%ld %s %lu %lu %lu %lu %u\n",
			 (long)getpid(), kind, allocs, bytes, frees, freed,
			 inherited);

	if (write(3, line, (size_t)n) != n)
		abort();
}

static void
be_kid(const char *kind)
{
	void *p[6];

	for (int i = 0; i < 6; i++)
		p[i] = kid(40);
	for (int i = 0; i < 5; i++)
		free(p[i]);
	for (int i = 0; i < 3; i++)
		free(own[i]);
	tell(kind, 6, 240, 5, 200, 3);
}

static void
by_exit(void)
{
	be_kid("exit");
	exit(3);
}

static void
by__exit(void)
{
	be_kid("_exit");
	_exit(3);
}

static void
by_abort(void)
{
	be_kid("abort");
	abort();
}

/* What the forked child does before it runs another program has no file. */
static void
by_exec(void)
{
	free(kid(40));
	execl(self, self, "leaf", NULL);
	_exit(1);
}

static void
by_daemon(void)
{
	tell("forks", 0, 0, 0, 0, 0);
	if (daemon(1, 1) != 0)
		_exit(1);
	be_kid("daemon");
	exit(0);
}

static void
by_double(void)
{
	tell("forks", 0, 0, 0, 0, 0);
	if (fork() != 0)
		_exit(3);
	be_kid("double");
	exit(0);
}

static void
by_again(void)
{
	pid_t pid;

	be_kid("again");
	pid = fork();
	if (pid == 0) {
		for (int i = 3; i < 6; i++)
			free(own[i]);
		free(kid(40));
		tell("grandchild", 1, 40, 1, 40, 3);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	exit(3);
}

/* Wait until the parent is gone. */
static void
by_outliving(void)
{
	while (getppid() == parent)
		usleep(1000);
	be_kid("outlives");
	exit(0);
}

static void *
kid_thread(void *arg)
{
	free(kid(40));
	return arg;
}

static void
by_own_threads(void)
{
	pthread_t id;

	if (pthread_create(&id, NULL, kid_thread, NULL) != 0)
		_exit(1);
	pthread_join(id, NULL);
	for (int i = 0; i < 3; i++)
		free(own[i]);
	tell("threads", 1, 40, 1, 40, 3);
	_exit(3);
}

static void
end(pid_t pid)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		abort();
	if (WIFEXITED(status) ? WEXITSTATUS(status) == 1
			      : WTERMSIG(status) != SIGABRT)
		abort();
}

static void
fork_all(void)
{
	static void (*const kind[])(void) = {
		by_exit,   by__exit,  by_abort, by_exec,
		by_daemon, by_double, by_again,
	};
	pid_t pid;

	for (size_t i = 0; i < sizeof(kind) / sizeof(kind[0]); i++) {
		pid = fork();
		if (pid == 0) {
			kind[i]();
			_exit(1);
		}
		end(pid);
	}
}

static int
shared(void *arg)
{
	(void)arg;
	_exit(3);
}

static void
other_ways(void)
{
	char *const argv[] = { self, "leaf", NULL };
	static char stack[65536] __attribute__((aligned(16)));
	pid_t pid = vfork();

	if (pid == 0) {
		execv(self, argv);
		_exit(1);
	}
	end(pid);
	if (posix_spawn(&pid, self, NULL, NULL, argv, environ) != 0)
		abort();
	end(pid);
	/* It shares the memory of its parent, which waits. */
	end(clone(shared, stack + sizeof(stack),
		  CLONE_VM | CLONE_VFORK | SIGCHLD, NULL));
	/* No handler of fork() runs. */
	pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (pid == 0)
		_exit(3);
	end(pid);
}

/* The child counts for itself, though no handler of fork() runs. */
static void
raw_clone(void)
{
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

	if (pid == 0) {
		void *p[50];

		for (int i = 0; i < 50; i++)
			p[i] = kid(40);
		for (int i = 0; i < 50; i++)
			free(p[i]);
		free(own[0]);
		tell("raw", 50, 2000, 50, 2000, 1);
		_exit(3);
	}
	end(pid);
}

static void *
work(void *arg)
{
	size_t i = (size_t)arg;

	while (!stop) {
		void *p[4];

		for (int k = 0; k < 4; k++)
			p[k] = make(50);
		count[i].made += 4;
		for (int k = 0; k < 4; k++)
			free(p[k]);
		count[i].freed += 4;
		/* An allocator that uses nothing twice shall have room. */
		if (count[i].made % 64 == 0)
			usleep(1000);
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 0;
	int raw = argc > 2 && !strcmp(argv[2], "raw");
	unsigned long made = 0, freed = 0;
	pthread_t id[THREADS];
	pid_t pid;

	self = argv[0];
	parent = getpid();
	if (argc > 1 && !strcmp(argv[1], "leaf")) {
		void *p[9];

		for (int i = 0; i < 9; i++)
			p[i] = leaf(70);
		for (int i = 0; i < 4; i++)
			free(p[i]);
		tell("leaf", 9, 630, 4, 280, 0);
		return 0;
	}
	for (int i = 0; i < OWN; i++)
		own[i] = make(100);
	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&id[i], NULL, work, (void *)i);
	for (int i = 0; i < rounds; i++) {
		fork_all();
		other_ways();
		if (raw)
			raw_clone();
		if ((pid = fork()) == 0)
			by_outliving();
	}
	stop = 1;
	for (int i = 0; i < THREADS; i++) {
		pthread_join(id[i], NULL);
		made += count[i].made;
		freed += count[i].freed;
	}
	if ((pid = fork()) == 0)
		by_own_threads();
	end(pid);
	for (int i = 0; i < OWN; i++)
		free(own[i]);
	tell("parent", made + OWN, made * 50 + OWN * 100, freed + OWN,
	     freed * 50 + OWN * 100, 0);
	return 7;
}
