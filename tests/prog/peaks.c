/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who holds memory at the peak.  Nothing else allocates, except the libc when
 * it starts a thread.
 *
 *	peaks once	alpha makes 300 blocks of 1,000 bytes, beta 200 of 5,000
 *			and gamma 70 of 70,000: the peak, 6,200,000 bytes in 570
 *			blocks.  Half of beta's go, all of gamma's, and delta
 *			makes 100 of 40,000.  Then all go, and the same is built
 *			once more without 50 of gamma's.
 *	peaks end	the same up to the peak, then the end: all is kept
 *	peaks when	alpha's 1,000,000 bytes, which go after 60 ms; the end
 *			is 60 ms later
 *	peaks often	1,000 times up to the same peak of alpha's 300,000 and
 *			beta's 1,000,000, and down to nothing
 *	peaks climb	1,000 peaks, each one byte higher than the one before:
 *			alpha's 1,000 bytes and one of epsilon's, of 1 to 1,000
 *			bytes: at the last 1,000 and 1,000
 *	peaks resize	zeta doubles a block from 1 byte to 1 MiB beside one of
 *			alpha's; the peak is at the end of it: 1,000 + 1,048,576
 *	peaks crew N	N threads wait for one another, each with 200 blocks of
 *			1,000 bytes of alpha and 500 of 90 of beta: the peak is
 *			N x 245,000 and what starting the threads takes
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST 2000

static __attribute__((noinline)) void *
alpha(size_t n)
{
	return malloc(n);
}

static __attribute__((noinline)) void *
beta(size_t n)
{
	return malloc(n);
}

static __attribute__((noinline)) void *
gamma_(size_t n)
{
	return malloc(n);
}

static __attribute__((noinline)) void *
delta(size_t n)
{
	return malloc(n);
}

static __attribute__((noinline)) void *
epsilon(size_t n)
{
	return malloc(n);
}

static __attribute__((noinline)) void *
zeta(void *p, size_t n)
{
	return realloc(p, n);
}

/* Blocks, made by one function. */
struct heap {
	void *p[MOST];
	int n;
};

static void
fill(struct heap *h, void *(*make)(size_t), int n, size_t size)
{
	while (n-- > 0)
		h->p[h->n++] = make(size);
}

static void
drop(struct heap *h, int n)
{
	while (n-- > 0)
		free(h->p[--h->n]);
}

static struct heap a, b, c, d;

static void
build(int less)
{
	fill(&a, alpha, 300, 1000);
	fill(&b, beta, 200, 5000);
	fill(&c, gamma_, 70 - less, 70000);
}

static void
once(void)
{
	build(0);
	drop(&b, 100);
	drop(&c, 70);
	fill(&d, delta, 100, 40000);
	drop(&a, 300);
	drop(&b, 100);
	drop(&d, 100);
	build(50);
	drop(&a, 300);
	drop(&b, 200);
	drop(&c, 20);
}

static void
when(void)
{
	fill(&a, alpha, 1000, 1000);
	usleep(60000);
	drop(&a, 1000);
	usleep(60000);
}

static void
often(void)
{
	for (int i = 0; i < 1000; i++) {
		fill(&a, alpha, 300, 1000);
		fill(&b, beta, 200, 5000);
		drop(&a, 300);
		drop(&b, 200);
	}
}

static void
climb(void)
{
	for (size_t i = 1; i <= 1000; i++) {
		fill(&a, alpha, 1, 1000);
		fill(&b, epsilon, 1, i);
		drop(&b, 1);
		drop(&a, 1);
	}
}

static void
resize(void)
{
	char *volatile p = NULL;

	fill(&a, alpha, 1, 1000);
	for (size_t n = 1; n <= 1u << 20; n *= 2)
		p = zeta(p, n);
	free(p);
	drop(&a, 1);
}

static pthread_barrier_t top;

static void *
member(void *arg)
{
	struct heap *mine = arg;

	fill(mine, alpha, 200, 1000);
	fill(mine, beta, 500, 90);
	pthread_barrier_wait(&top);
	drop(mine, 700);
	return NULL;
}

static void
crew(unsigned n)
{
	static struct heap heap[64];
	static pthread_t id[64];

	pthread_barrier_init(&top, NULL, n);
	for (unsigned i = 0; i < n; i++)
		pthread_create(&id[i], NULL, member, &heap[i]);
	for (unsigned i = 0; i < n; i++)
		pthread_join(id[i], NULL);
}

int
main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "once";

	if (!strcmp(way, "once"))
		once();
	else if (!strcmp(way, "end"))
		build(0);
	else if (!strcmp(way, "when"))
		when();
	else if (!strcmp(way, "often"))
		often();
	else if (!strcmp(way, "climb"))
		climb();
	else if (!strcmp(way, "resize"))
		resize();
	else if (!strcmp(way, "crew") && argc > 2)
		crew((unsigned)atoi(argv[2]));
	else
		return 2;
	return 0;
}
