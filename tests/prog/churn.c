/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that come and go, on stacks of 16 KB.
 *
 *	churn N		N threads, 8 at a time: each makes 3 blocks of 40 bytes
 *			in make() and frees one; the destructor of a key frees
 *			another in its first pass, makes one of 60 in each of
 *			four passes and frees the one before; the last two stay
 *			for main to free: 7 N blocks, 360 N bytes
 *
 * Prints the largest size of the process in KB: after a tenth of the threads,
 * and at the end.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define AT_ONCE 8

static pthread_key_t key;

struct job {
	void *left[2]; /* for main */
	void *last;
	int passes;
};

static __attribute__((noinline)) void *
make(size_t n)
{
	void *p = malloc(n);

	__asm__ volatile("" : : "r"(p) : "memory");
	return p;
}

static void
gone(void *arg)
{
	struct job *j = arg;

	free(j->last);
	j->last = make(60);
	j->left[1] = j->last;
	if (++j->passes < PTHREAD_DESTRUCTOR_ITERATIONS)
		pthread_setspecific(key, j);
}

static void *
run(void *arg)
{
	struct job *j = arg;

	free(make(40));
	j->last = make(40);
	j->left[0] = make(40);
	pthread_setspecific(key, j);
	return NULL;
}

static long
resident(void)
{
	struct rusage ru;

	getrusage(RUSAGE_SELF, &ru);
	return ru.ru_maxrss;
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;
	pthread_attr_t a;
	char line[80];
	long early = 0;

	pthread_key_create(&key, gone);
	pthread_attr_init(&a);
	if (pthread_attr_setstacksize(&a, PTHREAD_STACK_MIN) != 0)
		abort();
	for (int i = 0; i < n; i += AT_ONCE) {
		struct job job[AT_ONCE] = { 0 };
		pthread_t id[AT_ONCE];

		for (int k = 0; k < AT_ONCE; k++)
			if (pthread_create(&id[k], &a, run, &job[k]) != 0)
				abort();
		for (int k = 0; k < AT_ONCE; k++) {
			pthread_join(id[k], NULL);
			free(job[k].left[0]);
			free(job[k].left[1]);
		}
		if (!early && i >= n / 10)
			early = resident();
	}
	n = snprintf(line, sizeof(line), "%ld %ld\n", early, resident());
	return write(1, line, (size_t)n) != n;
}
