/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each block is filled and checked, so blocks that overlap are found:
 *
 *	apart_blocks STEPS THREADS	random calls of the allocator
 *	apart_blocks twice		frees a block twice
 *	apart_blocks inside		frees an address in a block
 *	apart_blocks grow SIZE		a block grows up to SIZE, and shrinks
 *	apart_blocks fork		a child frees and allocates
 *	apart_blocks where		prints the addresses of 9 blocks
 *
 * Prints "ok" if all is right.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIVE 300

struct held {
	unsigned char *p;
	size_t n;
	unsigned char fill;
};

static int wrong;
static long steps;

static void
fail(const char *what, const void *p, size_t n)
{
	fprintf(stderr, "%s: %p, %zu bytes\n", what, p, n);
	wrong = 1;
}

static uint32_t
next(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

static void
check(const struct held *h, size_t n)
{
	size_t i = 0;

	/* Not each byte in the middle of a large block. */
	while (i < n) {
		if (h->p[i] != h->fill) {
			fail("changed", h->p, h->n);
			return;
		}
		i += (i > 64 && n - i > 200) ? 97 : 1;
	}
}

static size_t
size_like(uint32_t *state)
{
	uint32_t r = next(state);

	if (r % 64 == 0)
		return 1 + next(state) % 600000;
	return r % 8 == 0 ? next(state) % 9000 : next(state) % 200;
}

static void
make(struct held *h, uint32_t *state)
{
	static const size_t aligns[] = { 16, 32, 64, 256, 4096 };
	size_t align = aligns[next(state) % 5];
	void *p = NULL;

	h->n = size_like(state);
	h->fill = (unsigned char)next(state);
	switch (next(state) % 6) {
	case 0:
		p = calloc(1, h->n);
		for (size_t i = 0; p && i < h->n; i++)
			if (((unsigned char *)p)[i]) {
				fail("not zero", p, h->n);
				break;
			}
		align = 16;
		break;
	case 1:
		p = aligned_alloc(align, h->n);
		break;
	case 2:
		if (posix_memalign(&p, align, h->n) != 0)
			p = NULL;
		break;
	case 3:
		p = realloc(NULL, h->n);
		align = 16;
		break;
	default:
		p = malloc(h->n);
		align = 16;
	}
	if (!p || (uintptr_t)p % align)
		fail("alignment", p, h->n);
	if (malloc_usable_size(p) < h->n)
		fail("usable size", p, h->n);
	h->p = p;
	memset(p, h->fill, h->n);
}

static void
change(struct held *h, uint32_t *state)
{
	size_t n = 1 + size_like(state);
	unsigned char *p = realloc(h->p, n);

	if (!p) {
		fail("realloc", h->p, n);
		return;
	}
	h->p = p;
	check(h, n < h->n ? n : h->n);
	h->n = n;
	memset(p, h->fill, n);
}

static void *
work(void *arg)
{
	uint32_t state = (uint32_t)(uintptr_t)arg;
	struct held all[LIVE] = { { NULL, 0, 0 } };

	for (long i = 0; i < steps; i++) {
		struct held *h = &all[next(&state) % LIVE];

		if (!h->p) {
			make(h, &state);
		} else if (next(&state) % 4 == 0) {
			change(h, &state);
		} else {
			check(h, h->n);
			free(h->p);
			h->p = NULL;
		}
	}
	for (int i = 0; i < LIVE; i++)
		if (all[i].p) {
			check(&all[i], all[i].n);
			free(all[i].p);
		}
	return NULL;
}

static void
grow(size_t most)
{
	struct held h = { NULL, 0, 7 };

	for (size_t n = 1; n <= most; n += n / 3 + 1) {
		h.p = realloc(h.p, n);
		if (!h.p || (h.n && h.p[h.n - 1] != 7) || (h.n && h.p[0] != 7))
			fail("grown", h.p, n);
		memset(h.p + h.n, 7, n - h.n);
		h.n = n;
	}
	check(&h, h.n);
	for (; h.n > 1; h.n /= 2) {
		h.p = realloc(h.p, h.n);
		check(&h, h.n);
	}
	if (realloc(h.p, 0) != NULL)
		fail("realloc to 0", h.p, 0);
}

static void
fork_now(void)
{
	char *p = malloc(100), *q;
	pid_t child;
	int status = 1;

	strcpy(p, "parent's");
	child = fork();
	if (child == 0) {
		q = malloc(100);
		strcpy(p, "child's");
		free(p);
		p = malloc(100);
		strcpy(p, "new");
		_exit(strcmp(p, "new") != 0 || p == q);
	}
	if (waitpid(child, &status, 0) != child || status)
		fail("child", p, 100);
	if (strcmp(p, "parent's") != 0)
		fail("parent", p, 100);
	free(p);
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long threads = argc > 2 ? atol(argv[2]) : 1;
	pthread_t t[16];
	char *volatile p;

	if (strcmp(what, "twice") == 0 || strcmp(what, "inside") == 0) {
		p = malloc(2000);
		if (*what == 't')
			free(p);
		free(*what == 't' ? p : p + 16);
	} else if (strcmp(what, "grow") == 0) {
		grow((size_t)threads);
	} else if (strcmp(what, "fork") == 0) {
		fork_now();
	} else if (strcmp(what, "where") == 0) {
		for (int i = 0; i < 9; i++)
			printf("%d\n",
			       (uintptr_t)malloc((size_t)64 << i) >> 42 == 0);
	} else {
		steps = atol(what);
		for (long i = 0; i < threads && i < 16; i++)
			pthread_create(&t[i], NULL, work, (void *)(i + 1));
		for (long i = 0; i < threads && i < 16; i++)
			pthread_join(t[i], NULL);
	}
	puts(wrong ? "wrong" : "ok");
	return wrong;
}
