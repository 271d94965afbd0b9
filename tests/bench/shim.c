/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The least that a preloaded library can do: pass each call of malloc and its
 * family on to the next library.  Every preloaded library has this cost.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static struct {
	void *(*malloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void *(*reallocarray)(void *, size_t, size_t);
	void *(*memalign)(size_t, size_t);
	void *(*aligned_alloc)(size_t, size_t);
	int (*posix_memalign)(void **, size_t, size_t);
	void *(*valloc)(size_t);
	void *(*pvalloc)(size_t);
	void (*free)(void *);
} next;

/* For allocations by dlsym() itself; never given back. */
static _Alignas(16) char pool[4096];
static size_t pooled;
static bool finding;

static void *
from_pool(size_t n)
{
	void *p = pool + pooled;

	n = (n + 15) & ~(size_t)15;
	if (n > sizeof(pool) - pooled)
		return NULL;
	pooled += n;
	return p;
}

static bool
in_pool(const void *p)
{
	return (uintptr_t)p - (uintptr_t)pool < sizeof(pool);
}

static __attribute__((cold, noinline)) void
find(void)
{
	finding = true;
#define FIND(name) next.name = (__typeof__(next.name))dlsym(RTLD_NEXT, #name)
	FIND(calloc);
	FIND(realloc);
	FIND(reallocarray);
	FIND(memalign);
	FIND(aligned_alloc);
	FIND(posix_memalign);
	FIND(valloc);
	FIND(pvalloc);
	FIND(free);
	FIND(malloc);
	finding = false;
}

#define READY(otherwise)                                                       \
	do {                                                                   \
		if (__builtin_expect(!next.malloc, 0)) {                       \
			if (finding)                                           \
				return otherwise;                              \
			find();                                                \
		}                                                              \
	} while (0)

void *
malloc(size_t n)
{
	READY(from_pool(n));
	return next.malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	READY(from_pool(n * size));
	return next.calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	READY(NULL);
	return next.realloc(p, n);
}

void *
reallocarray(void *p, size_t n, size_t size)
{
	READY(NULL);
	return next.reallocarray(p, n, size);
}

void *
memalign(size_t align, size_t n)
{
	READY(NULL);
	return next.memalign(align, n);
}

void *
aligned_alloc(size_t align, size_t n)
{
	READY(NULL);
	return next.aligned_alloc(align, n);
}

int
posix_memalign(void **p, size_t align, size_t n)
{
	READY(ENOMEM);
	return next.posix_memalign(p, align, n);
}

void *
valloc(size_t n)
{
	READY(NULL);
	return next.valloc(n);
}

void *
pvalloc(size_t n)
{
	READY(NULL);
	return next.pvalloc(n);
}

void
free(void *p)
{
	READY();
	if (!in_pool(p))
		next.free(p);
}
