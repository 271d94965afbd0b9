/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory that is freed all at once, and arrays that grow. */
#define _GNU_SOURCE
#include "reduce/base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Small pieces share blocks of this many bytes.  A build that looks for memory
 * errors sets another size.
 */
#ifndef ARENA_BLOCK
#define ARENA_BLOCK 65536u
#endif

struct arena_block {
	struct arena_block *next;
	size_t used, size; /* bytes of data */
	alignas(max_align_t) char data[];
};

static struct arena_block *
arena_block_new(struct arena *a, size_t n)
{
	struct arena_block *b;
	size_t size = n > ARENA_BLOCK / 4 ? n : ARENA_BLOCK;

	if (size > SIZE_MAX - sizeof(*b))
		return NULL;
	b = calloc(1, sizeof(*b) + size);
	if (!b)
		return NULL;
	b->size = size;
	/* A large piece gets its own block, behind the block in use. */
	if (n > ARENA_BLOCK / 4 && a->blocks) {
		b->next = a->blocks->next;
		a->blocks->next = b;
	} else {
		b->next = a->blocks;
		a->blocks = b;
	}
	return b;
}

void *
arena_alloc(struct arena *a, size_t n)
{
	struct arena_block *b = a->blocks;
	size_t align = alignof(max_align_t);
	void *p;

	if (n > SIZE_MAX - align)
		return NULL;
	n = n ? (n + align - 1) / align * align : align;
	if (!b || n > b->size - b->used) {
		b = arena_block_new(a, n);
		if (!b)
			return NULL;
	}
	p = b->data + b->used;
	b->used += n;
	return p;
}

void *
arena_array(struct arena *a, size_t count, size_t size)
{
	size_t n;

	if (__builtin_mul_overflow(count, size, &n))
		return NULL;
	return arena_alloc(a, n);
}

char *
arena_copy(struct arena *a, const void *from, size_t n)
{
	char *p = n < SIZE_MAX ? arena_alloc(a, n + 1) : NULL;

	if (p && n)
		memcpy(p, from, n);
	return p;
}

char *
arena_print(struct arena *a, const char *format, ...)
{
	va_list ap;
	char *text, *copy;
	int n;

	va_start(ap, format);
	n = vasprintf(&text, format, ap);
	va_end(ap);
	if (n < 0)
		return NULL;
	copy = arena_copy(a, text, (size_t)n);
	free(text);
	return copy;
}

void
arena_take(struct arena *a, struct arena *from)
{
	struct arena_block **end = &a->blocks;

	while (*end)
		end = &(*end)->next;
	*end = from->blocks;
	from->blocks = NULL;
}

void
arena_fini(struct arena *a)
{
	struct arena_block *b, *next;

	for (b = a->blocks; b; b = next) {
		next = b->next;
		free(b);
	}
	a->blocks = NULL;
}

void *
array_grow(void *array, size_t *room, size_t need, size_t size)
{
	size_t n = *room, bytes;
	void *p;

	if (need <= n)
		return array;
	n = n < 16 ? 16 : n + n / 2;
	if (n < need)
		n = need;
	if (__builtin_mul_overflow(n, size, &bytes))
		return NULL;
	p = realloc(array, bytes);
	if (p)
		*room = n;
	return p;
}

void *
owned_add(struct owned *k, void *what)
{
	void **v;

	if (!what)
		return NULL;
	v = array_grow(k->v, &k->room, k->n + 1, sizeof(*v));
	if (!v) {
		free(what);
		return NULL;
	}
	k->v = v;
	return v[k->n++] = what;
}

void
owned_free(struct owned *k)
{
	while (k->n)
		free(k->v[--k->n]);
	free(k->v);
	*k = (struct owned){ 0 };
}
