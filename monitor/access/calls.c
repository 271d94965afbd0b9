/* SPDX-License-Identifier: MIT */
/*
 * The portable way: what gcc and clang call for each access when they compile
 * with -fsanitize=thread.  Nothing else of that sanitizer is in the program.
 * Each access costs the call and about 16 instructions.  ctx: hook.
 */
#include "monitor/access/calls.h"

#include <dlfcn.h>

#include "monitor/access/here.h"
#include "monitor/access/inline.h"

/* The access that wasn't counted at once. */
static __attribute__((noinline, cold)) void
one_slow(uintptr_t a, size_t size, uint64_t add)
{
	mmi_access_one(a, size, add);
}

/*
 * Of an access of `size' bytes, which may be unaligned.  No frame: what isn't
 * simple goes on elsewhere.
 */
static inline __attribute__((always_inline)) void
one(uintptr_t a, size_t size, uint64_t add)
{
	struct memmon_here *h = __link_with_lmemmon_access_v1;
	uint64_t *cell = &h->cells[a >> MEMMON_GRANULE_SHIFT & h->mask];
	uint64_t v = *cell;

	if (UNLIKELY((a & 15) + size > 16) ||
	    UNLIKELY(((v ^ h->now) & h->watch) != 0))
		one_slow(a, size, add);
	else
		*cell = v + add;
}

#define READ MMI_ACCESS_READ
#define WRITE MMI_ACCESS_WRITE

#define ACCESS(name, size, add)              \
	EXPORT void __tsan_##name(void *);   \
	EXPORT void __tsan_##name(void *p)   \
	{                                    \
		one((uintptr_t)p, size, add); \
	}

#define ACCESSES(size)                                       \
	ACCESS(read##size, size, READ)                       \
	ACCESS(write##size, size, WRITE)                     \
	ACCESS(read_write##size, size, READ + WRITE)         \
	ACCESS(unaligned_read##size, size, READ)             \
	ACCESS(unaligned_write##size, size, WRITE)           \
	ACCESS(unaligned_read_write##size, size, READ + WRITE) \
	ACCESS(volatile_read##size, size, READ)              \
	ACCESS(volatile_write##size, size, WRITE)            \
	ACCESS(unaligned_volatile_read##size, size, READ)    \
	ACCESS(unaligned_volatile_write##size, size, WRITE)

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

/* gcc: accesses of other sizes, and copies of structs. */
static inline __attribute__((always_inline)) void
range(uintptr_t a, size_t size, uint32_t reads, uint32_t writes)
{
	if (LIKELY(size - 1 < 16))
		one(a, size, reads * READ + writes * WRITE);
	else
		__memmon_range((void *)a, size, reads, writes);
}

EXPORT void __tsan_read_range(void *p, size_t size);
EXPORT void
__tsan_read_range(void *p, size_t size)
{
	range((uintptr_t)p, size, 1, 0);
}

EXPORT void __tsan_write_range(void *p, size_t size);
EXPORT void
__tsan_write_range(void *p, size_t size)
{
	range((uintptr_t)p, size, 0, 1);
}

/* C++: a pointer to a table of virtual functions. */
ACCESS(vptr_read, sizeof(void *), READ)

EXPORT void __tsan_vptr_update(void **p, void *to);
EXPORT void
__tsan_vptr_update(void **p, void *to)
{
	(void)to;
	one((uintptr_t)p, sizeof(*p), WRITE);
}

/* Each object file's constructor, before any of its accesses or after some. */
EXPORT void __tsan_init(void);
EXPORT void
__tsan_init(void)
{
	if (!(mmi_here_ways() & MONOUT_W_CALLS))
		__memmon_way(MONOUT_W_CALLS);
}

extern __typeof__(__tsan_init) own_init
	__attribute__((alias("__tsan_init"), visibility("hidden")));

const char *
mmi_calls_conflict(void)
{
	void *theirs = dlsym(RTLD_DEFAULT, "__tsan_init");

	if (!theirs || theirs == (void *)own_init)
		return NULL;
	return "libtsan is linked in, it took the accesses";
}
