/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory of each kind, in known amounts.  ledger MODE...: does what each mode
 * says; then prints the resident memory in kB that the kernel reports, and with
 * "trim" sends itself SIGUSR2, and then prints the bytes that malloc_trim(0)
 * has returned.
 *
 *	blocks	200,000 blocks of 200 bytes; each 50th stays
 *	last	the same, but the last 4,000 stay
 *	map	20 MiB written of a private mapping of 50 MiB
 *	shared	4 MiB of shared memory
 *	file	8 MiB of a file, written
 *	stack	a thread that waits with 2 MiB written on its stack
 *	beside	the same, just below 3 MiB of another mapping, written
 *	zero	a block of 100 MiB; one page is written
 *	threads	8 threads with their own arenas; a tenth of the blocks stays
 *	big	a block of 64 MiB, written
 */
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MEGA ((size_t)1 << 20)
enum { BLOCKS = 200000, THREADS = 8 };

static char *block[BLOCKS];
static pthread_barrier_t ready, done;
static int waiting;

static long
resident(void)
{
	char line[256];
	long kb = 0;
	FILE *f = fopen("/proc/self/status", "r");

	while (f && fgets(line, sizeof line, f))
		if (strncmp(line, "VmRSS:", 6) == 0)
			kb = atol(line + 6);
	if (f)
		fclose(f);
	return kb;
}

static void
blocks(int from, int each)
{
	for (int i = 0; i < BLOCKS; i++)
		block[i] = memset(malloc(200), 1, 200);
	for (int i = 0; i < BLOCKS; i++)
		if (i < from || i % each)
			free(block[i]);
}

static void
map(size_t size, size_t touch, int flags, int fd)
{
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, 0);

	if (p == MAP_FAILED)
		exit(2);
	memset(p, 1, touch);
}

static void *
deep(void *arg)
{
	char volatile a[2 * MEGA];

	for (size_t i = 0; i < sizeof a; i += 512)
		a[i] = 1;
	pthread_barrier_wait(&ready);
	pthread_barrier_wait(&done);
	return arg;
}

static void *
alone(void *arg)
{
	enum { N = 20000 };
	static _Thread_local char *v[N];
	unsigned seed = (unsigned)(size_t)arg;

	for (int i = 0; i < N; i++)
		v[i] = memset(malloc(16 + rand_r(&seed) % 1000), 1, 16);
	for (int i = 0; i < N; i++)
		if (rand_r(&seed) % 10)
			free(v[i]);
	pthread_barrier_wait(&ready);
	pthread_barrier_wait(&done);
	return arg;
}

static void
start(unsigned n, void *(*f)(void *))
{
	pthread_t t;

	pthread_barrier_init(&ready, NULL, n + 1);
	pthread_barrier_init(&done, NULL, n + 1);
	for (size_t i = 0; i < n; i++)
		if (pthread_create(&t, NULL, f, (void *)(i + 1)))
			exit(2);
	pthread_barrier_wait(&ready);
	waiting = 1;
}

static void
beside(void)
{
	map(3 * MEGA, 3 * MEGA, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1);
	start(1, deep);
}

static void
run(const char *mode)
{
	static FILE *f;

	if (!strcmp(mode, "blocks"))
		blocks(0, 50);
	else if (!strcmp(mode, "last"))
		blocks(BLOCKS - 4000, 1);
	else if (!strcmp(mode, "map"))
		map(50 * MEGA, 20 * MEGA, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	else if (!strcmp(mode, "shared"))
		map(4 * MEGA, 4 * MEGA, MAP_SHARED | MAP_ANONYMOUS, -1);
	else if (!strcmp(mode, "file") && (f = tmpfile()) &&
		 !ftruncate(fileno(f), 8 * MEGA))
		map(8 * MEGA, 8 * MEGA, MAP_SHARED, fileno(f));
	else if (!strcmp(mode, "stack"))
		start(1, deep);
	else if (!strcmp(mode, "beside"))
		beside();
	else if (!strcmp(mode, "zero"))
		((char *)calloc(100, MEGA))[MEGA] = 1;
	else if (!strcmp(mode, "big"))
		memset(malloc(64 * MEGA), 1, 64 * MEGA);
	else if (!strcmp(mode, "threads"))
		start(THREADS, alone);
}

int
main(int argc, char **argv)
{
	long before;

	for (int i = 1; i < argc; i++)
		run(argv[i]);
	printf("%ld\n", before = resident());
	if (argc > 1 && !strcmp(argv[argc - 1], "trim")) {
		raise(SIGUSR2);
		before = resident();
		malloc_trim(0);
		printf("%ld\n", (before - resident()) * 1024);
	}
	fflush(stdout);
	if (waiting && !strcmp(argv[argc - 1], "trim"))
		pthread_barrier_wait(&done);
	/* The threads that wait end with the process: they have stacks. */
	exit(0);
}
