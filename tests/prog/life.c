/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ways a process starts and ends.
 *
 *	life WAY
 *
 * Before it ends each way has made 100 blocks of 100 bytes in main() (10,000
 * bytes) and freed 50 of them; only make_block() allocates.  The list below
 * gives what each way adds.
 *
 *	exit, return	50 more frees in an atexit handler and 25 blocks of 40
 *			bytes allocated before main, freed by a destructor:
 *			125 allocations, 11,000 bytes, all freed
 *	_exit, _Exit, quick, abort, segv, term, kill SIG, overflow
 *			125 allocations, 11,000 bytes, 50 frees
 *	thread		a thread with a destructor of a key, which allocates and
 *			frees 10 blocks of 30 bytes in every pass
 *	fork		the child makes 7 blocks of 70 bytes, frees 5 of the
 *			parent's and 3 of its own, and returns from main as the
 *			parent does
 *	exec PROGRAM..	replaces itself
 *	spawn PROGRAM..	runs it by fork and exec, and waits
 *	vfork		vfork, whose child only calls _exit
 *	daemon		becomes one, and then exits
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void *block[100];
static void *early[25];
static int freed_at_exit;

static __attribute__((noinline)) void *
make_block(size_t n)
{
	return malloc(n);
}

__attribute__((constructor)) static void
before_main(void)
{
	for (int i = 0; i < 25; i++)
		early[i] = make_block(40);
}

__attribute__((destructor)) static void
after_main(void)
{
	for (int i = 0; i < 25; i++)
		free(early[i]);
}

static void
at_exit(void)
{
	freed_at_exit = 1;
	for (int i = 50; i < 100; i++)
		free(block[i]);
}

static void
work(void)
{
	for (int i = 0; i < 100; i++)
		block[i] = make_block(100);
	for (int i = 0; i < 50; i++)
		free(block[i]);
}

static pthread_key_t key;

static void
key_end(void *arg)
{
	void *p[10];

	for (int i = 0; i < 10; i++)
		p[i] = make_block(30);
	for (int i = 0; i < 10; i++)
		free(p[i]);
	/* In every pass there is. */
	pthread_setspecific(key, arg);
}

static void *
thread(void *arg)
{
	pthread_setspecific(key, &key);
	return arg;
}

static int
overflow(int n)
{
	volatile char space[4096];

	memset((void *)space, n, sizeof(space));
	return n < 0 ? 0 : overflow(n + 1) + space[n & 1];
}

static void
child(void)
{
	void *p[7];

	for (int i = 0; i < 7; i++)
		p[i] = make_block(70);
	for (int i = 0; i < 3; i++)
		free(p[i]);
	for (int i = 50; i < 55; i++)
		free(block[i]);
}

static void
end(const char *way, char **argv)
{
	pthread_t id;
	pid_t pid;
	int st;

	if (!strcmp(way, "exit"))
		exit(3);
	if (!strcmp(way, "_exit"))
		_exit(4);
	if (!strcmp(way, "_Exit"))
		_Exit(5);
	if (!strcmp(way, "quick"))
		quick_exit(6);
	if (!strcmp(way, "abort"))
		abort();
	if (!strcmp(way, "segv"))
		*(volatile int *)8 = 1;
	if (!strcmp(way, "overflow"))
		_exit(overflow(0));
	if (!strcmp(way, "kill")) {
		kill(getpid(), atoi(argv[2]));
		pause();
	}
	if (!strcmp(way, "thread")) {
		pthread_key_create(&key, key_end);
		pthread_create(&id, NULL, thread, NULL);
		pthread_join(id, NULL);
	}
	if (!strcmp(way, "fork") && fork() == 0) {
		child();
		_exit(0);
	}
	if (!strcmp(way, "exec"))
		execvp(argv[2], argv + 2);
	if (!strcmp(way, "execl"))
		execl(argv[2], argv[2], argv[3], (char *)NULL);
	if (!strcmp(way, "spawn")) {
		pid = fork();
		if (pid == 0) {
			execvp(argv[2], argv + 2);
			_exit(127);
		}
		waitpid(pid, &st, 0);
		return;
	}
	if (!strcmp(way, "vfork")) {
		pid = vfork();
		if (pid == 0)
			_exit(9);
		waitpid(pid, &st, 0);
		return;
	}
	if (!strcmp(way, "daemon") && daemon(1, 0) != 0)
		_exit(1);
	while (wait(NULL) > 0)
		;
}

int
main(int argc, char **argv)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	atexit(at_exit);
	work();
	if (argc > 1)
		end(argv[1], argv);
	return 0;
}
