/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory, memory that is freed all at once, and arrays that grow. */
#define _GNU_SOURCE
#include "reduce/base/arena.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *heap_program = "mpreduce";

static void (*heap_first)(void *arg);
static void *heap_arg;

void
heap_before_end(void (*f)(void *arg), void *arg)
{
	heap_arg = arg;
	heap_first = f;
}

void
heap_out(void)
{
	static atomic_flag once = ATOMIC_FLAG_INIT;
	static _Thread_local bool again;

	/* Something that exit() calls has no memory, either. */
	if (again)
		_exit(1);
	/* Another thread ends the process. */
	while (atomic_flag_test_and_set(&once))
		pause();
	again = true;
	if (heap_first)
		heap_first(heap_arg);
	fprintf(stderr, "%s: out of memory\n", heap_program);
	exit(1);
}

static void *
heap_check(void *p)
{
	if (!p)
		heap_out();
	return p;
}

void *
heap_new(size_t n)
{
	return heap_check(malloc(n ? n : 1));
}

void *
heap_array(size_t n, size_t size)
{
	return heap_check(n && size ? calloc(n, size) : malloc(1));
}

void *
heap_grow(void *p, size_t n)
{
	return heap_check(realloc(p, n ? n : 1));
}

char *
heap_text(const char *s)
{
	return heap_check(strdup(s));
}

char *
heap_part(const char *s, size_t n)
{
	return heap_check(strndup(s, n));
}

char *
heap_print(const char *format, ...)
{
	va_list ap;
	char *text;
	int n;

	va_start(ap, format);
	n = vasprintf(&text, format, ap);
	va_end(ap);
	return heap_check(n < 0 ? NULL : text);
}

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
		heap_out();
	b = heap_array(1, sizeof(*b) + size);
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
		heap_out();
	n = n ? (n + align - 1) / align * align : align;
	if (!b || n > b->size - b->used)
		b = arena_block_new(a, n);
	p = b->data + b->used;
	b->used += n;
	return p;
}

void *
arena_array(struct arena *a, size_t count, size_t size)
{
	size_t n;

	if (__builtin_mul_overflow(count, size, &n))
		heap_out();
	return arena_alloc(a, n);
}

char *
arena_copy(struct arena *a, const void *from, size_t n)
{
	char *p = arena_alloc(a, n + 1);

	if (n)
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
		heap_out();
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

	if (need <= n)
		return array;
	n = n < 16 ? 16 : n + n / 2;
	if (n < need)
		n = need;
	if (__builtin_mul_overflow(n, size, &bytes))
		heap_out();
	*room = n;
	return heap_grow(array, bytes);
}

void *
owned_add(struct owned *k, void *what)
{
	if (what)
		ARRAY_ADD(k->v, k->room, k->n, what);
	return what;
}

void
owned_free(struct owned *k)
{
	while (k->n)
		free(k->v[--k->n]);
	free(k->v);
	*k = (struct owned){ 0 };
}
