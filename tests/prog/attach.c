/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program to attach to, with its own account in a file that it maps:
 *
 *	attach FILE run N	N threads allocate until FILE is removed, others
 *				sleep in system calls; if they notice anything
 *				of memmon, the account has an error
 *	attach FILE pause	have the N threads wait, and print the account:
 *				allocations, bytes, frees, bytes freed, errors
 *	attach FILE go		make them go on
 *	attach FILE read	print the account as it is now
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 64, RING = 128 };

static struct account {
	int pause, threads;
	struct {
		uint64_t allocs, bytes, frees, freed;
		int waits;
		char apart[28];
	} of[MOST];
	uint64_t errors;
	char error[64];
} * account;

#define ADD(p, n) __atomic_fetch_add(p, (n), __ATOMIC_RELAXED)
#define LOAD(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define STORE(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)

static const char *path;

static void
error(const char *what)
{
	if (!ADD(&account->errors, 1))
		strncpy(account->error, what, sizeof(account->error) - 1);
}

static void
nap(long us)
{
	struct timespec t = { 0, us * 1000 };

	nanosleep(&t, NULL);
}

static __attribute__((noinline)) void *
leaf(int k, size_t n)
{
	void *p;

	if (k & 1) {
		p = malloc(n);
	} else {
		p = calloc(1, n);
	}
	__asm__ volatile("" : "+r"(p));
	return p;
}

static __attribute__((noinline)) void *
deep(int k, size_t n, int depth)
{
	void *p = depth ? deep(k, n, depth - 1) : leaf(k, n);

	__asm__ volatile("" : "+r"(p));
	return p;
}

/* A thread's work; sizes follow from k alone. */
static void *
worker(void *arg)
{
	int me = (int)(intptr_t)arg, at;
	void *ring[RING] = { 0 };
	size_t size[RING] = { 0 }, n;
	volatile double sum = 0;
	uint64_t k = 0;

	for (;; k++) {
		if (LOAD(&account->pause)) {
			STORE(&account->of[me].waits, 1);
			while (LOAD(&account->pause))
				nap(200);
			STORE(&account->of[me].waits, 0);
		}
		if (k % 4096 == 0)
			nap(100);
		errno = (int)(k % 100);
		at = (int)(k * 7 % RING);
		n = 1 + k * 37 % 400;
		if (ring[at]) {
			free(ring[at]);
			ADD(&account->of[me].frees, 1);
			ADD(&account->of[me].freed, size[at]);
		}
		ring[at] = deep((int)k, n, (int)(k % 6));
		size[at] = n;
		ADD(&account->of[me].allocs, 1);
		ADD(&account->of[me].bytes, n);
		sum = 1.0;
		for (int i = 0; i < 8; i++)
			sum = sum * 3 - 1;
		if (sum != 3281)
			error("a register of the FPU");
		if (errno != (int)(k % 100))
			error("errno");
	}
	return NULL;
}

/* Open before any thread allocates: a test counts descriptors from then on. */
static int polled, piped[2];

static void *
epolls(void *arg)
{
	struct epoll_event e;

	(void)arg;
	epoll_wait(polled, &e, 1, -1);
	error("epoll_wait");
	return NULL;
}

static void *
reads(void *arg)
{
	char c;

	(void)arg;
	while (read(piped[0], &c, 1) == 1)
		;
	error("read");
	return NULL;
}

static void *
sleeps(void *arg)
{
	struct timespec t = { 0, 20000000 };

	(void)arg;
	while (nanosleep(&t, NULL) == 0)
		;
	error("nanosleep");
	return NULL;
}

static void *
waits(void *arg)
{
	static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

	(void)arg;
	pthread_mutex_lock(&m);
	for (;;)
		pthread_cond_wait(&c, &m);
	return NULL;
}

static int
run(int n)
{
	static void *(*const others[])(void *) = { epolls, reads, sleeps,
						   waits };
	struct stat st;
	pthread_t t;

	polled = epoll_create1(0);
	if (polled < 0 || pipe(piped) != 0)
		return 1;
	STORE(&account->threads, n);
	for (int i = 0; i < n; i++)
		pthread_create(&t, NULL, worker, (void *)(intptr_t)i);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		pthread_create(&t, NULL, others[i], NULL);
	while (stat(path, &st) == 0)
		if (poll(NULL, 0, 20) != 0)
			error("poll");
	_exit(0);
}

static void
print(void)
{
	uint64_t v[4] = { 0 };

	for (int i = 0; i < account->threads; i++) {
		v[0] += LOAD(&account->of[i].allocs);
		v[1] += LOAD(&account->of[i].bytes);
		v[2] += LOAD(&account->of[i].frees);
		v[3] += LOAD(&account->of[i].freed);
	}
	printf("%lu %lu %lu %lu %lu%s%s\n", (unsigned long)v[0],
	       (unsigned long)v[1], (unsigned long)v[2], (unsigned long)v[3],
	       (unsigned long)account->errors, account->errors ? " " : "",
	       account->error);
}

int
main(int argc, char **argv)
{
	int fd;

	if (argc < 3)
		return 1;
	path = argv[1];
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0 || ftruncate(fd, sizeof(*account)) != 0)
		return 1;
	account = mmap(NULL, sizeof(*account), PROT_READ | PROT_WRITE,
		       MAP_SHARED, fd, 0);
	if (account == MAP_FAILED)
		return 1;
	close(fd);
	if (!strcmp(argv[2], "run"))
		return run(argc > 3 ? atoi(argv[3]) : 2);
	if (strcmp(argv[2], "read") != 0)
		STORE(&account->pause, !strcmp(argv[2], "pause"));
	for (int i = 0; account->pause && i < account->threads;)
		if (LOAD(&account->of[i].waits))
			i++;
		else
			nap(200);
	print();
	return 0;
}
