/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What happens to data files' names.  Each mode first makes 1000 allocations of
 * 100 bytes; comments say what it allocates in addition.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCKS 1000

static void *block[BLOCKS];

static void
allocate(void)
{
	for (int i = 0; i < BLOCKS; i++)
		block[i] = malloc(100);
}

static int
dump_to(const char *name)
{
	int (*f)(const char *) = NULL;
	void *p = dlsym(RTLD_DEFAULT, "memmon_dump_to");

	memcpy(&f, &p, sizeof(f));
	return f ? f(name) : -1;
}

/* Wait until there is a file of that name. */
static void
wait_for(const char *name)
{
	while (access(name, F_OK) != 0)
		usleep(2000);
}

/* 1000 more of 100 bytes after the snapshot. */
static int
dump(const char *name)
{
	int r = dump_to(name);

	allocate();
	return r == 0 ? 0 : errno == EBUSY ? 16 : 1;
}

/* "broken" is a file that looks like a program. */
static void *
exec_fails(void *stop)
{
	char *argv[] = { (char *)"broken", NULL }, *envp[] = { NULL };

	while (!__atomic_load_n((int *)stop, __ATOMIC_SEQ_CST))
		execve("./broken", argv, envp);
	return NULL;
}

/* How many snapshots of one thread vanish while another's execs fail. */
static int
execs(void)
{
	int stop = 0, gone = 0;
	pthread_t t;
	char name[32];

	pthread_create(&t, NULL, exec_fails, &stop);
	for (int i = 0; i < 40; i++) {
		snprintf(name, sizeof(name), "snapshot.%d", i);
		while (dump_to(name) != 0)
			usleep(100);
		usleep(500);
		gone += access(name, F_OK) != 0;
	}
	__atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST);
	pthread_join(t, NULL);
	printf("%d gone\n", gone);
	return 0;
}

static int
probe(void)
{
	char *argv[] = { (char *)"x", NULL }, *envp[] = { NULL };
	int n = 0;

	n += execve("/none/x", argv, envp) == -1 && errno == ENOENT;
	n += execve("/dev/null", argv, envp) == -1 && errno == EACCES;
	n += execv("/", argv) == -1 && errno == EACCES;
	n += execvp("no-such-program", argv) == -1 && errno == ENOENT;
	n += execvp("", argv) == -1 && errno == ENOENT;
	printf("%d\n", n);
	return 0;
}

/* Once `go' exists, the child frees the parent's blocks and makes 10. */
static int
inherit(void)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		wait_for("go");
		for (int i = 0; i < BLOCKS; i++)
			free(block[i]);
		for (int i = 0; i < 10; i++)
			block[i] = malloc(10);
		exit(0);
	}
	waitpid(pid, &status, 0);
	printf("%d\n", status);
	return 0;
}

static void *
allocate_on(void *stop)
{
	while (!__atomic_load_n((int *)stop, __ATOMIC_SEQ_CST))
		free(malloc(10));
	return NULL;
}

/* Returns how many children of a program with --every=1ms write no snapshot. */
static int
forks(const char *data)
{
	int stop = 0, status, without = 0;
	char name[64];
	pthread_t t;
	pid_t pid;

	pthread_create(&t, NULL, allocate_on, &stop);
	for (int i = 0; i < 20; i++) {
		usleep(1500);
		pid = fork();
		if (pid == 0) {
			snprintf(name, sizeof(name), "%s.%d.1", data, getpid());
			for (int n = 0; n < 1000 && access(name, F_OK); n++) {
				free(malloc(10));
				usleep(1000);
			}
			_exit(access(name, F_OK) != 0);
		}
		waitpid(pid, &status, 0);
		without += status != 0;
	}
	__atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST);
	pthread_join(t, NULL);
	printf("%d without\n", without);
	return 0;
}

static void *
dump_on(void *stop)
{
	while (!__atomic_load_n((int *)stop, __ATOMIC_SEQ_CST))
		dump_to("on");
	return NULL;
}

/* Forks n children while a thread writes files: how many write none? */
static int
amid(int n)
{
	int stop = 0, status, bad = 0;
	pthread_t t;
	pid_t pid;

	pthread_create(&t, NULL, dump_on, &stop);
	wait_for("on");
	for (int i = 0; i < n; i++) {
		pid = fork();
		if (pid == 0) {
			for (int k = 0; k < BLOCKS; k++)
				block[k] = malloc((size_t)k);
			_exit(dump_to("amid") != 0);
		}
		waitpid(pid, &status, 0);
		bad += status != 0;
	}
	__atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST);
	pthread_join(t, NULL);
	printf("%d of %d without\n", bad, n);
	return 0;
}

/* 16,384 blocks by random paths and sizes: their file doesn't fit a pipe. */
static __attribute__((noinline)) void *
path(unsigned way, int left)
{
	static unsigned random = 1;
	void *p;

	if (!left) {
		random = random * 1664525 + 1013904223;
		return malloc(1 + (random >> 16));
	}
	p = way & 1 ? path(way >> 1, left - 1) : path(way >> 1, left - 1);
	__asm__ volatile("" ::: "memory");
	return p;
}

int
main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	allocate();
	if (!strcmp(mode, "wait"))
		wait_for(argv[2]);
	else if (!strcmp(mode, "dump"))
		return dump(argv[2]);
	else if (!strcmp(mode, "execs"))
		return execs();
	else if (!strcmp(mode, "probe"))
		return probe();
	else if (!strcmp(mode, "inherit"))
		return inherit();
	else if (!strcmp(mode, "forks"))
		return forks(argv[2]);
	else if (!strcmp(mode, "amid"))
		return amid(atoi(argv[2]));
	else if (!strcmp(mode, "paths"))
		for (unsigned i = 0; i < 1u << 14; i++)
			free(path(i * 40503, 14));
	else
		usleep(2000);
	return 0;
}
