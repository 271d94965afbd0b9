/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * operations WHAT: calls of the allocator, in known numbers and kinds, for
 * memmon --allocator.  The preloaded libprobe.c keeps its own account of them
 * and prints it.
 *
 * kinds	of one thread: each function, each kind (see there)
 * frees	1000 blocks of 40 bytes, freed
 * page_blocks	1000 blocks of 4096 bytes, freed; 20 of 100000, freed
 * threads	100 pairs of malloc(40) and free by one thread; 1000 by each of
 *		two, 100 by the first
 * many		a pair by the first thread, 10 by each of 100, one after
 *		another
 * forked	100 pairs; 50 in a child
 * waits	20 times a thread waits for the other's malloc(777)
 * grow		4096 blocks of 1024 bytes, freed; 4096 of 2048, written; 15384
 *		of 48; frees all
 * shared	two threads in turn make 16384 blocks of 16 bytes, which stay
 * again	the same, but one of them has had each of its blocks before
 * passed	one makes 16384, frees each second; another makes these again,
 *		and as many more
 * pair		1000 rounds: one thread makes 100 blocks of 64, the other frees
 * storm	8 threads: 20000 pairs of blocks of 2000 bytes each
 * masked	4 blocks of 1 MB, made and freed while all signals are blocked
 * mapped	100 blocks of 1 MB, freed one by one
 * trimmed	100 blocks of 100000 bytes, freed one by one
 */
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

void probe_begin(void) __attribute__((weak));
void probe_ended(void) __attribute__((weak));
void probe_account(void) __attribute__((weak));
extern int probe_held __attribute__((weak));

#define MANY 20000

static void *volatile block[MANY];
static volatile size_t too_many = SIZE_MAX / 2;
static pthread_barrier_t both;

static void
meet(void)
{
	pthread_barrier_wait(&both);
}

static void
join(pthread_t t)
{
	pthread_join(t, NULL);
	if (probe_ended)
		probe_ended();
}

/* Runs f in another thread; this one waits for it. */
static void
elsewhere(void *(*f)(void *))
{
	pthread_t t;

	pthread_create(&t, NULL, f, NULL);
	join(t);
}

/* n times. */
#define TIMES(n, ...) \
	for (int i = 0; i < (n); i++) { \
		__VA_ARGS__; \
	}

static void
free_all(int n)
{
	TIMES(n, free(block[i]))
}

static void
small_kinds(void)
{
	void *p;

	TIMES(1000, block[i] = malloc(40)) /* new */
	free_all(1000);
	TIMES(600, block[i] = malloc(41)) /* reused */
	TIMES(50, block[i] = realloc(block[i], 64))	/* stays */
	TIMES(50, block[i] = realloc(block[i], 200)) /* moves, new */
	TIMES(30, block[i] = realloc(block[i], 30))  /* stays */
	TIMES(20, block[i] = realloc(block[i], 2000))
	TIMES(20, block[i] = realloc(block[i], 250)) /* moves, reused or new */
	free_all(600);
	TIMES(100, block[i] = calloc(3, 30))
	free_all(100);
	TIMES(70, block[i] = calloc(1, 90)) /* reused */
	free_all(70);
	TIMES(20, block[i] = memalign(64, 100))
	free_all(20);
	TIMES(10, block[i] = aligned_alloc(256, 512))
	TIMES(10, if (posix_memalign(&p, 1024, 24)) abort(); free(p))
	free_all(10);
	TIMES(7, block[i] = realloc(NULL, 24))
	TIMES(3, block[i] = realloc(block[i], 0))
	free_all(7);
	TIMES(5, free(NULL))
}

static void
kinds(void)
{
	small_kinds();
	TIMES(30, block[i] = malloc(10000 + (size_t)i))
	TIMES(10, block[i] = realloc(block[i], 9000))	/* stays */
	TIMES(8, block[i] = realloc(block[i], 500000)) /* moves */
	TIMES(6, block[i] = realloc(block[i], 100))
	TIMES(4, block[i] = realloc(block[i], 70000))
	free_all(30);
	TIMES(5, block[i] = calloc(7, 10000))
	free_all(5);
	TIMES(3, block[i] = memalign(4096, 8192))
	free_all(3);
	TIMES(2, block[i] = malloc(too_many / 2))
	TIMES(2, block[i] = calloc(too_many, 3))
}

static void
frees(void)
{
	TIMES(1000, block[i] = malloc(40))
	free_all(1000);
}

static void
page_blocks(void)
{
	TIMES(1000, block[i] = malloc(4096))
	free_all(1000);
	TIMES(20, block[i] = malloc(100000))
	free_all(20);
}

static void
pairs(int n)
{
	TIMES(n, free(malloc(40)))
}

/* The other thread does nothing between its first pair and this. */
static void *
pairs_too(void *arg)
{
	pairs(1);
	meet();
	meet();
	pairs(1000);
	meet();
	return arg;
}

static void
threads(void)
{
	pthread_t t;

	pairs(100);
	pthread_create(&t, NULL, pairs_too, NULL);
	meet();
	meet();
	pairs(1000);
	meet();
	join(t);
	pairs(100);
}

static void *
ten_pairs(void *arg)
{
	pairs(10);
	return arg;
}

static void
many(void)
{
	pairs(1);
	TIMES(100, elsewhere(ten_pairs))
}

static void
forked(void)
{
	int status;

	pairs(100);
	if (fork() == 0) {
		pairs(50);
		exit(0);
	}
	if (wait(&status) < 0 || status != 0)
		abort();
}

static void *
hold(void *arg)
{
	void *p;

	pairs(1);
	meet();
	TIMES(20, meet(); p = malloc(777); meet(); free(p))
	return arg;
}

static void
waits(void)
{
	pthread_t t;
	void *p;

	pthread_create(&t, NULL, hold, NULL);
	meet();
	TIMES(20, meet();
	      while (&probe_held &&
		     __atomic_load_n(&probe_held, __ATOMIC_ACQUIRE) <= i);
	      p = malloc(40); meet(); block[i] = p)
	join(t);
	free_all(20);
}

static void
grow(void)
{
	uint64_t usable = 0;
	char line[64];
	int n = 0;

	TIMES(4096, block[i] = malloc(1024))
	free_all(4096);
	for (; n < 4096; n++)
		block[n] = memset(malloc(2048), 1, 2048);
	while (n < 4096 + 16384 - 1000)
		block[n++] = malloc(48);
	TIMES(n, usable += malloc_usable_size(block[i]))
	snprintf(line, sizeof(line), "peak %lu %lu\n", usable,
		 4096ul * 2048 + (16384 - 1000) * 48);
	if (write(1, line, strlen(line)) < 0)
		abort();
	free_all(n);
}

/* 4 blocks of 16 bytes in a line. */
#define IN_TURN 16384

static void
in_turn(int mine)
{
	for (int i = 0; i < IN_TURN; i++) {
		meet();
		if (i % 2 == mine)
			block[i] = malloc(16);
	}
}

static void *
other_turns(void *arg)
{
	in_turn(1);
	return arg;
}

static void
shared(void)
{
	pthread_t t;

	pthread_create(&t, NULL, other_turns, NULL);
	in_turn(0);
	join(t);
}

static void *
second_ones(void *arg)
{
	TIMES(IN_TURN / 2, block[2 * i] = malloc(16))
	TIMES(IN_TURN / 2, block[2 * i] = malloc(16))
	return arg;
}

static void
passed(void)
{
	TIMES(IN_TURN, block[i] = malloc(16))
	TIMES(IN_TURN / 2, free(block[2 * i]))
	elsewhere(second_ones);
}

/* As shared(), but the first thread has had its own blocks before. */
static void
again(void)
{
	pthread_t t;

	pthread_create(&t, NULL, other_turns, NULL);
	for (int i = 0; i < IN_TURN; i++) {
		meet();
		if (i % 2)
			continue;
		free(malloc(16));
		block[i] = malloc(16);
	}
	join(t);
}

static void *
consume(void *arg)
{
	pairs(1);
	TIMES(1000, meet(); for (int k = 0; k < 100; k++) free(block[k]);
	      meet())
	return arg;
}

static void
pair(void)
{
	pthread_t t;

	pthread_create(&t, NULL, consume, NULL);
	TIMES(1000, for (int k = 0; k < 100; k++) block[k] = malloc(64); meet();
	      meet())
	join(t);
}

static void *
storm_one(void *arg)
{
	TIMES(20000, void *p = malloc(2000); void *q = malloc(2000); free(p);
	      free(q))
	return arg;
}

static void
storm(void)
{
	pthread_t t[8];

	TIMES(8, pthread_create(&t[i], NULL, storm_one, NULL))
	TIMES(8, pthread_join(t[i], NULL))
}

/* With all signals blocked, by each way to block them. */
static void
big_pair(int sig)
{
	(void)sig;
	free(malloc(1 << 20));
}

static void *
masked_thread(void *arg)
{
	big_pair(0);
	return arg;
}

static void
masked(void)
{
	struct sigaction a = { .sa_handler = big_pair };
	sigset_t all, old;

	sigfillset(&all);
	sigfillset(&a.sa_mask);
	sigaction(SIGUSR1, &a, NULL);
	raise(SIGUSR1);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	big_pair(0);
	elsewhere(masked_thread);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	sigprocmask(SIG_BLOCK, &all, &old);
	big_pair(0);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

static void
mapped(void)
{
	TIMES(100, free(malloc(1 << 20)))
}

static void
trimmed(void)
{
	TIMES(100, free(malloc(100000)))
}

#define WHAT(X) \
	X(kinds) \
	X(frees) \
	X(page_blocks) \
	X(threads) \
	X(many) \
	X(forked) \
	X(waits) \
	X(grow) \
	X(shared) \
	X(passed) \
	X(pair) \
	X(storm) \
	X(again) \
	X(masked) \
	X(mapped) \
	X(trimmed)

int
main(int argc, char **argv)
{
	/* Only touched memory is resident. */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	pthread_barrier_init(&both, NULL, 2);
	if (probe_begin)
		probe_begin();
#define X(name) \
	if (argc > 1 && !strcmp(argv[1], #name)) \
		name();
	WHAT(X)
#undef X
	if (probe_account)
		probe_account();
	return 0;
}
