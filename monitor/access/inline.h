/* SPDX-License-Identifier: MIT */
/* Counts an access, as instrumented code does it inline.  ctx: hook. */
#ifndef MEMMON_ACCESS_INLINE_H
#define MEMMON_ACCESS_INLINE_H

#include <stdbool.h>

#include "monitor/abi.h"

/* Accesses of the library itself don't count as a way to record accesses. */
#ifdef MEMMON_ACCESS
#define MMI_ACCESS_SLOW mmi_access_slow
void mmi_access_slow(uint64_t *cell);
#else
#define MMI_ACCESS_SLOW __memmon_touch
#endif

#define MMI_ACCESS_READ (1ull * MEMMON_READ)
#define MMI_ACCESS_WRITE (1ull * MEMMON_WRITE)

/* Bits of a word ^ `now' that must be 0 for the word to be added to. */
#define MMI_ACCESS_WATCH (~0ull << MEMMON_GUARD_SHIFT)

typedef uint32_t __attribute__((may_alias)) mmi_access_half;

/* May *cell, of a thread with this `now', be added to at once? */
static inline __attribute__((always_inline)) bool
mmi_access_fits(const uint64_t *cell, const uint64_t *now)
{
	return ((const volatile mmi_access_half *)cell)[1] ==
	       ((const volatile mmi_access_half *)now)[1];
}

/* The word of address a. */
static inline __attribute__((always_inline)) uint64_t *
mmi_access_cell(const struct memmon_access_state *h, uintptr_t a)
{
	uint64_t *cells = h->cells;

	return &cells[a >> MEMMON_GRANULE_SHIFT & cells[-1]];
}

/*
 * Only samples are recorded, and none lies at address a or above (abi.h,
 * `limit')?
 */
static inline __attribute__((always_inline)) bool
mmi_access_beyond(const struct memmon_access_state *h, uintptr_t a)
{
	return __builtin_expect(a >= h->limit, 0);
}

/* Counts `add', one of the two above, in the granule of address a. */
static inline __attribute__((always_inline)) void
mmi_access_add(uintptr_t a, uint64_t add)
{
	struct memmon_access_state *h = __link_with_lmemmon_access_v6;
	uint64_t *cell = mmi_access_cell(h, a);

	if (mmi_access_beyond(h, a))
		return;
	if (__builtin_expect(!mmi_access_fits(cell, &h->now), 0)) {
		if (mmi_access_fits(cell, &h->skip))
			return;
		MMI_ACCESS_SLOW(cell);
	}
	*cell += add;
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
