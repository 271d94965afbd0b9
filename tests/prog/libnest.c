/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An allocator for nested.t.  Its functions call its own malloc() and free() as
 * a program would, over the libc's.  At every 8th call malloc() takes a table
 * of 64 bytes by calloc(), which it frees later, and raises SIGUSR1 if
 * nest_raise is set.
 */
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t n);
extern void __libc_free(void *p);

__attribute__((visibility("default"))) volatile int nest_raise;

static __thread unsigned turn, inside;
static __thread void *table;

static void
tables(void)
{
	if (inside)
		return;
	inside = 1;
	if (++turn % 8 == 0) {
		free(table);
		table = calloc(1, 64);
	}
	if (nest_raise) {
		nest_raise = 0;
		raise(SIGUSR1);
	}
	inside = 0;
}

void *
malloc(size_t n)
{
	tables();
	return __libc_malloc(n);
}

void
free(void *p)
{
	__libc_free(p);
}

void *
calloc(size_t n, size_t size)
{
	void *p = malloc(n * size);

	return p ? memset(p, 0, n * size) : p;
}

void *
realloc(void *old, size_t n)
{
	void *p = malloc(n);

	if (p && old) {
		memcpy(p, old,
		       n < malloc_usable_size(old) ? n
						   : malloc_usable_size(old));
		free(old);
	}
	return p;
}

/* Alignment isn't tested here: it also frees a block that it didn't need. */
void *
memalign(size_t align, size_t n)
{
	char *p = malloc(n), *unneeded = malloc(align);

	free(unneeded);
	return p;
}
