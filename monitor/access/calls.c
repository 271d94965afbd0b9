/* SPDX-License-Identifier: MIT */
/*
 * The portable way: the functions that gcc and clang call for each access when
 * they compile with -fsanitize=thread.  The program contains nothing else of
 * that sanitizer.  These functions are in the library, and also, as calls.o, in
 * all files that memmon-cc links: a call within a program or library is
 * cheaper.  Each access costs the call and 13 to 15 instructions.  ctx: hook.
 */
#include "monitor/access/calls.h"
#include "monitor/access/inline.h"
#include "monitor/base/internal.h"

/* A build that repeats the compiler's link command may link calls.o twice. */
#ifdef MEMMON_CALLS
#undef EXPORT
#define EXPORT __attribute__((weak))
#endif

/*
 * Counts an access of `size' bytes at a; apart: it may touch two granules.  It
 * needs no frame: the rare cases are in another function.  Adding in one
 * instruction keeps the counts of a signal handler that runs in between.
 */
static inline __attribute__((always_inline)) void
one(uintptr_t a, size_t size, uint64_t add, bool apart)
{
	struct memmon_access_state *h = __link_with_lmemmon_access_v6;
	uint64_t *cell = mmi_access_cell(h, a);

	if (mmi_access_beyond(h, a))
		return;
	if (UNLIKELY(apart) || UNLIKELY(!mmi_access_fits(cell, &h->now)))
		__memmon_one(a, size, add);
	else
		arch_add_local(cell, add);
}

/* Does an access of `size' bytes, 1 to 16, touch two granules? */
#define APART(a, size) (((a)&15) + (size) > 16)
/* Includes all of these, with less work, for accesses that should be
 * aligned. */
#define ODD(a, size) (((a) & ((size)-1)) != 0)

#define READ MMI_ACCESS_READ
#define WRITE MMI_ACCESS_WRITE

#define ACCESS(name, size, add, apart) \
	EXPORT void __tsan_##name(void *); \
	EXPORT void __tsan_##name(void *p) \
	{ \
		one((uintptr_t)p, size, add, apart((uintptr_t)p, size)); \
	}

#define ACCESSES(size) \
	ACCESS(read##size, size, READ, ODD) \
	ACCESS(write##size, size, WRITE, ODD) \
	ACCESS(read_write##size, size, READ + WRITE, ODD) \
	ACCESS(unaligned_read##size, size, READ, APART) \
	ACCESS(unaligned_write##size, size, WRITE, APART) \
	ACCESS(unaligned_read_write##size, size, READ + WRITE, APART) \
	ACCESS(volatile_read##size, size, READ, ODD) \
	ACCESS(volatile_write##size, size, WRITE, ODD) \
	ACCESS(unaligned_volatile_read##size, size, READ, APART) \
	ACCESS(unaligned_volatile_write##size, size, WRITE, APART)

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
		one(a, size, reads * READ + writes * WRITE, APART(a, size));
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

/* C++: accesses to an object's vtable pointer. */
ACCESS(vptr_read, sizeof(void *), READ, ODD)

EXPORT void __tsan_vptr_update(void **p, void *to);
EXPORT void
__tsan_vptr_update(void **p, void *to)
{
	(void)to;
	one((uintptr_t)p, sizeof(*p), WRITE, ODD((uintptr_t)p, sizeof(*p)));
}
