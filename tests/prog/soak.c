/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All that a C program does to an allocator, for as long as is wanted, with its
 * own account.
 *
 *	soak rounds N LIBRARY	each of eight threads takes N turns
 *	soak seconds N LIBRARY	as many turns as there is time for
 *
 * A turn makes, resizes and frees blocks, and passes them to other threads
 * through shared places, so that addresses come back at once.  Now and then it
 * opens and closes a library, starts a short thread, or forks: the child frees
 * some of its parent's blocks, makes some, and ends by _exit().  exit() takes
 * the loader's lock, which may be locked there for ever.  A handler of SIGUSR1
 * allocates, too; every thread sends itself that signal outside of malloc.  All
 * of these call make(), whose blocks know their size.
 *
 * Each process writes a line to descriptor 3, "PID allocs bytes frees freed
 * inherited": of the blocks of make() only.  At the end it prints to standard
 * output the largest size of the process in KB after a tenth of the turns, and
 * at the end.  A watchdog ends a process that makes no turn for 60 seconds.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS 8
#define PLACES 256
#define OWN 64

/* Each block begins with its size and its owner: a fork makes new counts. */
struct block {
	size_t size;
	unsigned generation;
};

static atomic_ulong allocs, bytes, frees, freed, inherited;
static _Atomic(struct block *) place[PLACES];
static atomic_ulong turns;
static unsigned generation;
static unsigned long wanted;
static time_t until;
static const char *library;
static long early;

static __attribute__((noinline)) struct block *
make(size_t size)
{
	struct block *b = malloc(size);

	if (!b)
		abort();
	allocs++;
	bytes += size;
	b->size = size;
	b->generation = generation;
	return b;
}

static void
gone(size_t size, unsigned of)
{
	if (of != generation) {
		inherited++;
		return;
	}
	frees++;
	freed += size;
}

static __attribute__((noinline)) struct block *
resize(struct block *b, size_t size)
{
	size_t was = b->size;
	unsigned of = b->generation;

	b = realloc(b, size);
	if (!b)
		abort();
	gone(was, of);
	allocs++;
	bytes += size;
	b->size = size;
	b->generation = generation;
	return b;
}

static void
drop(struct block *b)
{
	if (!b)
		return;
	gone(b->size, b->generation);
	free(b);
}

static size_t
any_size(unsigned *seed)
{
	unsigned r = (unsigned)rand_r(seed);

	return sizeof(struct block) + (r % 64	  ? r % 500
				       : r % 1024 ? r % 9000
						  : r % 400000);
}

static void
handler(int sig)
{
	(void)sig;
	drop(make(48));
	drop(atomic_exchange(&place[0], make(56)));
}

static void
tell(void)
{
	char line[200];
	int n = snprintf(line, sizeof(line), "%ld %lu %lu %lu %lu %lu\n",
			 (long)getpid(), atomic_load(&allocs),
			 atomic_load(&bytes), atomic_load(&frees),
			 atomic_load(&freed), atomic_load(&inherited));

	if (write(3, line, (size_t)n) != n)
		abort();
}

static void
child(unsigned *seed)
{
	struct block *b[20];

	generation++;
	allocs = bytes = frees = freed = inherited = 0;
	for (int i = 0; i < 20; i++)
		b[i] = make(any_size(seed));
	for (int i = 0; i < 20; i += 2)
		drop(b[i]);
	for (int i = 1; i < 20; i += 4)
		drop(resize(b[i], any_size(seed)));
	for (int i = 0; i < 10; i++)
		drop(atomic_exchange(&place[i], NULL));
	tell();
	_exit(0);
}

static void
forks(unsigned *seed)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		child(seed);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		abort();
}

static void
opens(void)
{
	void *h = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	void *(*plug)(void);

	if (!h)
		abort();
	plug = (void *(*)(void))dlsym(h, "plug");
	free(plug());
	dlclose(h);
}

static void *
brief(void *arg)
{
	struct block *b = make(100);

	drop(atomic_exchange((_Atomic(struct block *) *)arg, b));
	return NULL;
}

static void
turn(unsigned *seed, struct block **own)
{
	pthread_t id;

	for (int i = 0; i < 200; i++) {
		unsigned r = (unsigned)rand_r(seed);
		struct block **b = &own[r % OWN];

		if (!*b)
			*b = make(any_size(seed));
		else if (r >> 8 & 1)
			*b = resize(*b, any_size(seed));
		else if (r >> 9 & 1)
			*b = atomic_exchange(&place[r >> 10 & (PLACES - 1)],
					     *b);
		else
			drop(*b), *b = NULL;
	}
	switch (rand_r(seed) / 64 % 64) {
	case 0:
		if (!until || rand_r(seed) / 64 % 16 == 0)
			forks(seed);
		break;
	case 1:
		opens();
		break;
	case 2:
		if (pthread_create(&id, NULL, brief, &place[1]) != 0)
			abort();
		pthread_join(id, NULL);
		break;
	case 3:
	case 4:
	case 5:
		raise(SIGUSR1);
		break;
	}
}

static long
resident(void)
{
	struct rusage ru;

	getrusage(RUSAGE_SELF, &ru);
	return ru.ru_maxrss;
}

static void *
work(void *arg)
{
	unsigned seed = (unsigned)(uintptr_t)arg + 1;
	struct block *own[OWN] = { NULL };
	time_t began = time(NULL);

	for (unsigned long i = 0; until ? time(NULL) < until : i < wanted;
	     i++) {
		turn(&seed, own);
		turns++;
		if (!early && (until ? (time(NULL) - began) * 10 > until - began
				     : i * 10 > wanted))
			early = resident();
	}
	for (int i = 0; i < OWN; i += 2)
		drop(own[i]);
	return NULL;
}

static void *
watch(void *arg)
{
	unsigned long seen = ~0ul;

	while (seen != turns) {
		seen = turns;
		sleep(60);
	}
	abort();
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t id[THREADS], dog;
	char line[80];
	int n;

	if (argc < 4)
		return 2;
	wanted = strtoul(argv[2], NULL, 10);
	if (!strcmp(argv[1], "seconds"))
		until = time(NULL) + (time_t)wanted;
	library = argv[3];
	signal(SIGUSR1, handler);
	pthread_create(&dog, NULL, watch, NULL);
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&id[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(id[i], NULL);
	for (int i = 0; i < PLACES; i += 2)
		drop(atomic_exchange(&place[i], NULL));
	tell();
	n = snprintf(line, sizeof(line), "%ld %ld\n", early, resident());
	return write(1, line, (size_t)n) != n;
}
