/* SPDX-License-Identifier: MIT */
/* Counting an access, as instrumented code does it inline.  ctx: hook. */
#ifndef MEMMON_ACCESS_INLINE_H
#define MEMMON_ACCESS_INLINE_H

#include "monitor/abi.h"

/* What the library does itself doesn't count as a way to record accesses. */
#ifdef MEMMON_ACCESS
#define MMI_ACCESS_SLOW mmi_access_slow
uint64_t mmi_access_slow(uint64_t *cell);
#else
#define MMI_ACCESS_SLOW __memmon_touch
#endif

#define MMI_ACCESS_READ (1ull << MEMMON_READ_SHIFT)
#define MMI_ACCESS_WRITE (1ull << MEMMON_WRITE_SHIFT)

/* Count `add', of the two above, in the granule of address a. */
static inline __attribute__((always_inline)) void
mmi_access_add(uintptr_t a, uint64_t add)
{
	struct memmon_access_state *h = __link_with_lmemmon_access_v1;
	uint64_t *cell = &h->cells[a >> MEMMON_GRANULE_SHIFT & h->mask];
	uint64_t v = *cell;

	if (__builtin_expect(((v ^ h->now) & h->watch) != 0, 0))
		v = MMI_ACCESS_SLOW(cell);
	*cell = v + add;
}

/* The same for an access of `size' bytes, 1 to 16, which may be unaligned. */
static inline __attribute__((always_inline)) void
mmi_access_one(uintptr_t a, size_t size, uint64_t add)
{
	mmi_access_add(a, add);
	if (__builtin_expect((a & 15) + size > 16, 0))
		mmi_access_add(a + size - 1, add);
}

#endif
