/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that uses its heap at random, the same way each time for a seed:
 *
 *	naive_random SEED THREADS STEPS
 *
 * to see whether different recorders count the same.  Every access is volatile
 * or in a string function, so no optimization can remove one.
 *
 * Each thread allocates, resizes, frees and accesses its own blocks, and puts
 * some into the mailbox of the next one.  Then all wait for each other, and
 * each takes the blocks from its mailbox; three times.  The use of a block
 * depends on the thread's random numbers only, and no thread sees those of
 * another.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __clang__
#define APART __attribute__((noinline))
#else
#define APART __attribute__((noipa))
#endif

enum { THREADS = 8, BLOCKS = 64, MAIL = 256 };

struct block {
	char *p;
	size_t size;
};

static struct thread {
	uint64_t random;
	int number;
	struct block block[BLOCKS];
	struct block mail[MAIL];
	int nmail;
} thread[THREADS];

static int threads, steps;
static pthread_barrier_t barrier;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile uint64_t sink;
static volatile int rounds = 3; /* the loop must not be unrolled */

/* A random number below n. */
static uint64_t
dice(struct thread *t, uint64_t n)
{
	t->random = t->random * 6364136223846793005u + 1442695040888963407u;
	return (t->random >> 33) % n;
}

/* ----------------------------------------------------------- where from -- */

/* Keeps the call from being the function's last instruction. */
#define KEEP(p) __asm__ volatile("" : "+r"(p))

#define SITE(name, call) \
	static APART char *name(size_t size) \
	{ \
		char *p = call; \
		KEEP(p); \
		return p; \
	}

SITE(malloc_1, malloc(size))
SITE(malloc_2, malloc(size))
SITE(malloc_3, malloc(size))
SITE(calloc_1, calloc(1, size))
SITE(calloc_2, calloc(size, 1))
SITE(aligned_1, aligned_alloc(64, size))
SITE(aligned_2, aligned_alloc(4096, size))

#define RESITE(name) \
	static APART char *name(char *p, size_t size) \
	{ \
		p = realloc(p, size); \
		KEEP(p); \
		return p; \
	}

RESITE(realloc_1)
RESITE(realloc_2)

static char *(*const sites[])(size_t) = { malloc_1, malloc_2, malloc_3,
					  calloc_1, calloc_2, aligned_1,
					  aligned_2 };
#define SITES (sizeof(sites) / sizeof(sites[0]))

static size_t
some_size(struct thread *t)
{
	static const size_t most[] = { 8,   16,	 24,  32,   48,	   64,	  64,
				       100, 600, 600, 5000, 40000, 200000 };
	size_t i = dice(t, sizeof(most) / sizeof(most[0]));

	return dice(t, 50) ? 1 + dice(t, most[i]) : 0;
}

/* ------------------------------------------------------------- accesses -- */

#define WORD(n, type) \
	struct word##n { \
		volatile type v; \
	} __attribute__((packed)); \
	static void word##n(struct thread *t, char *p, bool write) \
	{ \
		struct word##n *w = (struct word##n *)p; \
		if (write) \
			w->v = (type)t->random; \
		else \
			sink += (uint64_t)w->v; \
	}

WORD(1, uint8_t)
WORD(2, uint16_t)
WORD(4, uint32_t)
WORD(8, uint64_t)
WORD(16, unsigned __int128)

static void
word(struct thread *t, char *p, unsigned size, bool write)
{
	switch (size) {
	case 1:
		word1(t, p, write);
		break;
	case 2:
		word2(t, p, write);
		break;
	case 4:
		word4(t, p, write);
		break;
	case 8:
		word8(t, p, write);
		break;
	default:
		word16(t, p, write);
	}
}

/* Accesses words of one kind, one after the other or with gaps. */
static APART void
words(struct thread *t, const struct block *b)
{
	size_t size = (size_t)1 << dice(t, 5), stride, at, n;
	bool write = dice(t, 2);

	if (b->size < size)
		return;
	at = dice(t, b->size - size + 1);
	stride = dice(t, 3) ? size : 1 + dice(t, 100);
	for (n = 1 + dice(t, 20); n-- && at + size <= b->size; at += stride)
		word(t, b->p + at, (unsigned)size, write);
}

/* A part of the block: its start (*at) and its length. */
static size_t
part(struct thread *t, const struct block *b, size_t *at)
{
	*at = dice(t, b->size);
	return dice(t, b->size - *at + 1);
}

static APART void
strings(struct thread *t, const struct block *b, const struct block *c)
{
	char *volatile same;
	size_t at, from, n, m;

	n = part(t, b, &at);
	switch (dice(t, 5)) {
	case 0:
		memset(b->p + at, 7, n);
		break;
	case 1:
		memmove(b->p + dice(t, at + 1), b->p + at, n);
		break;
	case 2:
		m = part(t, c, &from);
		memcpy(b->p + at, c->p + from, b == c ? 0 : n < m ? n : m);
		break;
	case 3:
		memset(b->p + at, 'a', n);
		*(volatile char *)(b->p + at + (n ? n - 1 : 0)) = '\0';
		sink += strlen(b->p + at);
		break;
	default:
		same = b->p + at;
		sink += (uint64_t)memcmp(b->p + at, same, n);
	}
}

static APART void
atomics(struct thread *t, const struct block *b)
{
	uint32_t *p = (uint32_t *)(b->p + dice(t, b->size / 4) * 4);

	switch (dice(t, 3)) {
	case 0:
		sink += __atomic_load_n(p, __ATOMIC_ACQUIRE);
		break;
	case 1:
		__atomic_store_n(p, 5, __ATOMIC_RELEASE);
		break;
	default:
		sink += __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);
	}
}

static APART void
access_some(struct thread *t, const struct block *b, const struct block *c)
{
	uint64_t what = dice(t, 8);

	if (!b->size || !c->size)
		return;
	if (what == 0 && b->size >= 4)
		atomics(t, b);
	else if (what < 3)
		strings(t, b, c);
	else
		words(t, b);
}

/* ----------------------------------------------------------- the threads -- */

static APART void
allocate(struct thread *t, struct block *b)
{
	size_t i = dice(t, SITES);

	b->size = some_size(t);
	b->p = sites[i](b->size);
	if (!b->p)
		abort();
}

static APART void
resize(struct thread *t, struct block *b)
{
	size_t size = 1 + some_size(t);

	b->p = dice(t, 2) ? realloc_1(b->p, size) : realloc_2(b->p, size);
	if (!b->p)
		abort();
	b->size = size;
}

static void
send(struct thread *t, struct block *b)
{
	struct thread *to = &thread[(t->number + 1) % threads];

	pthread_mutex_lock(&lock);
	if (to->nmail < MAIL) {
		to->mail[to->nmail++] = *b;
		b->p = NULL;
	}
	pthread_mutex_unlock(&lock);
}

static APART void
step(struct thread *t)
{
	struct block *b = &t->block[dice(t, BLOCKS)];
	struct block *c = &t->block[dice(t, BLOCKS)];
	uint64_t what = dice(t, 16);

	if (!b->p) {
		allocate(t, b);
	} else if (what == 0) {
		free(b->p);
		b->p = NULL;
	} else if (what == 1) {
		resize(t, b);
	} else if (what == 2 && threads > 1) {
		send(t, b);
	} else {
		access_some(t, b, c->p ? c : b);
	}
}

/* Takes the blocks that were sent; some stay, others are freed at once. */
static APART void
receive(struct thread *t)
{
	for (int i = 0; i < t->nmail; i++) {
		struct block *b = &t->mail[i];
		struct block *mine = &t->block[dice(t, BLOCKS)];

		for (uint64_t n = dice(t, 4); n--;)
			access_some(t, b, b);
		if (!dice(t, 4))
			resize(t, b);
		if (!mine->p)
			*mine = *b;
		else
			free(b->p);
	}
	t->nmail = 0;
}

static APART void *
run(void *arg)
{
	struct thread *t = arg;

	for (int round = 0; round < rounds; round++) {
		for (int i = 0; i < steps; i++)
			step(t);
		pthread_barrier_wait(&barrier);
		receive(t);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t id[THREADS];
	uint64_t seed;

	if (argc != 4)
		return 2;
	seed = strtoull(argv[1], NULL, 10);
	threads = atoi(argv[2]);
	steps = atoi(argv[3]);
	if (threads < 1 || threads > THREADS)
		return 2;
	pthread_barrier_init(&barrier, NULL, (unsigned)threads);
	for (int i = 0; i < threads; i++) {
		thread[i].random = (seed * 100 + (uint64_t)i) * 2654435761u + 1;
		thread[i].number = i;
	}
	for (int i = 1; i < threads; i++)
		if (pthread_create(&id[i], NULL, run, &thread[i]))
			return 2;
	run(&thread[0]);
	for (int i = 1; i < threads; i++)
		pthread_join(id[i], NULL);
	return 0;
}
