/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program with its own allocator, which reports its blocks to memmon.
 *
 *	plain	Two chunks of 4000 bytes by chunk(); 60 blocks of 32 bytes, 10
 *		of 64 by hand_out(); 20 of 32 given back, one resized to 40;
 *		then all discarded, 5 blocks of 16 made; 2 of them live when
 *		the pool is destroyed, after which the chunks are freed.
 *	nested	A pool within one block of 2000 bytes of another pool, whose
 *		chunk has 8000; 3 blocks of 100 in the inner one.  At the end
 *		all are live: 300 bytes, and 10,000 of backing, 8000 of them
 *		malloc's.
 *	single	10 blocks of 24 bytes out of static memory, without a pool; 4
 *		given back; one at an address that is not a multiple of 8.
 *	same	A wrapper that reports malloc's blocks: 8 blocks of 50 bytes; 6
 *		are given back and freed.
 *	threads	4 threads, each 200 times: a pool, 100 blocks of 48 bytes, 30
 *		given back, the rest discarded or destroyed.  The last pool of
 *		each stays as it is, with 70 blocks.
 *	off	10 blocks of 32 while on, 10 while off; 4 of the first are given
 *		back while off, then all others while on.
 */
#define MEMMON_WEAK
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "monitor/memmon.h"

struct pool {
	char *at;
	size_t left;
	char *chunk[8];
	int chunks;
};

static __attribute__((noinline)) void
chunk(struct pool *p, size_t size)
{
	p->at = p->chunk[p->chunks++] = malloc(size);
	p->left = size;
	memmon_pool_add(p, p->at);
}

static __attribute__((noinline)) void *
hand_out(struct pool *p, size_t size)
{
	char *at = p->at;

	size = (size + 7) & ~(size_t)7;
	if (size > p->left)
		abort();
	p->at += size;
	p->left -= size;
	return at;
}

static __attribute__((noinline)) void *
take(struct pool *p, size_t size)
{
	void *at = hand_out(p, size);

	memmon_pool_alloc(p, at, size);
	return at;
}

static void
plain(void)
{
	struct pool p = { 0 };
	void *b[70];

	memmon_pool_create(&p);
	chunk(&p, 4000);
	for (int i = 0; i < 60; i++)
		b[i] = take(&p, 32);
	chunk(&p, 4000);
	for (int i = 60; i < 70; i++)
		b[i] = take(&p, 64);
	for (int i = 0; i < 20; i++)
		memmon_pool_free(&p, b[i]);
	memmon_pool_realloc(&p, b[30], b[30], 40);
	memmon_dump_to("middle.mon");
	memmon_pool_discard(&p);
	p.at = p.chunk[1];
	p.left = 4000;
	for (int i = 0; i < 5; i++)
		b[i] = take(&p, 16);
	for (int i = 0; i < 3; i++)
		memmon_pool_free(&p, b[i]);
	memmon_pool_destroy(&p);
	free(p.chunk[0]);
	free(p.chunk[1]);
}

static void
nested(void)
{
	static struct pool outer, inner;

	memmon_pool_create(&outer);
	chunk(&outer, 8000);
	memmon_pool_create(&inner);
	inner.at = take(&outer, 2000);
	inner.left = 2000;
	memmon_pool_add(&inner, inner.at);
	for (int i = 0; i < 3; i++)
		take(&inner, 100);
}

static void
single(void)
{
	static char area[512] __attribute__((aligned(16)));

	for (int i = 0; i < 10; i++)
		memmon_alloc(area + 24 * i, 24);
	memmon_alloc(area + 401, 8);
	for (int i = 0; i < 4; i++)
		memmon_free(area + 24 * i);
	memmon_free(area + 401);
	memmon_free(NULL);
}

static __attribute__((noinline)) void *
wrapped(size_t size)
{
	void *p = malloc(size);

	memmon_alloc(p, size);
	return p;
}

static void
same(void)
{
	void *p[8];

	for (int i = 0; i < 8; i++)
		p[i] = wrapped(50);
	for (int i = 0; i < 6; i++) {
		memmon_free(p[i]);
		free(p[i]);
	}
}

static void *
run(void *arg)
{
	struct pool *p = arg;
	void *b[100];

	for (int k = 0; k < 200; k++) {
		memmon_pool_create(p);
		p->chunks = 0;
		chunk(p, 5000);
		for (int i = 0; i < 100; i++)
			b[i] = take(p, 48);
		for (int i = 0; i < 30; i++)
			memmon_pool_free(p, b[99 - i]);
		if (k == 199)
			break;
		if (k % 2)
			memmon_pool_discard(p);
		memmon_pool_destroy(p);
		free(p->chunk[0]);
	}
	return NULL;
}

static void
threads(void)
{
	static struct pool p[4];
	pthread_t id[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&id[i], NULL, run, &p[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(id[i], NULL);
}

static void
off(void)
{
	static struct pool p;
	void *b[20];

	memmon_pool_create(&p);
	chunk(&p, 4000);
	for (int i = 0; i < 10; i++)
		b[i] = take(&p, 32);
	memmon_stop();
	for (int i = 10; i < 20; i++)
		b[i] = take(&p, 32);
	for (int i = 0; i < 4; i++)
		memmon_pool_free(&p, b[i]);
	memmon_start();
	for (int i = 4; i < 20; i++)
		memmon_pool_free(&p, b[i]);
	memmon_pool_destroy(&p);
	free(p.chunk[0]);
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*f)(void);
	} ways[] = { { "plain", plain },     { "nested", nested },
		     { "single", single },   { "same", same },
		     { "threads", threads }, { "off", off } };

	for (size_t i = 0; argc > 1 && i < sizeof(ways) / sizeof(*ways); i++)
		if (!strcmp(argv[1], ways[i].name)) {
			ways[i].f();
			return 0;
		}
	return 2;
}
