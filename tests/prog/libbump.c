/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An allocator that may be interrupted by a signal handler that allocates,
 * which glibc's may not: for tests with such handlers, preloaded behind what is
 * tested.  Blocks are never used again.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#define ROOM ((size_t)16 << 30)

static char *room; /* mapped once; touched as it is used */
static uint64_t used;

void *malloc(size_t n);
void *calloc(size_t n, size_t size);
void *realloc(void *old, size_t n);
void free(void *p);
void *memalign(size_t align, size_t n);
void *aligned_alloc(size_t align, size_t n);
int posix_memalign(void **p, size_t align, size_t n);

static char *
room_get(void)
{
	char *mine, *none = NULL;

	if (__atomic_load_n(&room, __ATOMIC_ACQUIRE))
		return room;
	mine = mmap(NULL, ROOM, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (mine == MAP_FAILED)
		__builtin_trap();
	if (!__atomic_compare_exchange_n(&room, &none, mine, 0,
					 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		munmap(mine, ROOM);
	return room;
}

/*
 * The 16 bytes before a block contain the size.  take() doesn't use public
 * names: another library may define those.
 */
static void *
take(size_t align, size_t n)
{
	char *base = room_get(), *p;
	uint64_t at;

	if (align < 16)
		align = 16;
	if (n > ROOM / 4)
		return NULL;
	at = __atomic_fetch_add(&used, (n + 2 * align + 15) & ~15ull,
				__ATOMIC_RELAXED);
	if (at > ROOM / 2)
		return NULL;
	p = (char *)(((uintptr_t)base + at + 16 + align - 1) &
		     ~(uintptr_t)(align - 1));
	memcpy(p - 16, &n, sizeof(n));
	return p;
}

static void *
take_or_say(size_t n)
{
	void *p = take(16, n);

	if (!p)
		errno = ENOMEM;
	return p;
}

void *
malloc(size_t n)
{
	return take_or_say(n);
}

void *
memalign(size_t align, size_t n)
{
	return take(align, n);
}

void *
calloc(size_t n, size_t size)
{
	size_t all;

	if (__builtin_mul_overflow(n, size, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	return take_or_say(all);
}

void *
realloc(void *old, size_t n)
{
	void *p = take_or_say(n);
	size_t was;

	if (!old || !p)
		return p;
	memcpy(&was, (char *)old - 16, sizeof(was));
	return memcpy(p, old, was < n ? was : n);
}

void
free(void *p)
{
	(void)p;
}

void *
aligned_alloc(size_t align, size_t n)
{
	return take(align, n);
}

int
posix_memalign(void **p, size_t align, size_t n)
{
	*p = take(align, n);
	return *p ? 0 : ENOMEM;
}
