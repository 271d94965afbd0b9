/* SPDX-License-Identifier: MIT */
/*
 * Which memory is the monitor's: all that it has mapped.  It is full of
 * addresses of the program's blocks, which a leak check must not take for the
 * program's pointers.
 */
#ifndef MEMMON_OWN_MAPPINGS_H
#define MEMMON_OWN_MAPPINGS_H

#include "monitor/base/internal.h"

/* [start, start + size); size 0: none. */
struct mmi_own_mapping {
	uintptr_t start;
	size_t size;
	bool data; /* private and writable: RLIMIT_DATA counts it */
};

/*
 * `size' bytes of data at p were mapped.  False: the list is full.  ctx: slow.
 */
bool mmi_own_add(const void *p, size_t size);

/*
 * The same for memory that isn't data, and that stays mapped even if the list
 * is full: then the list is incomplete.  ctx: slow.
 */
void mmi_own_add_or_miss(const void *p, size_t size);

/*
 * `size' bytes at p are about to be given back: the first or the last bytes of
 * a range that was added as one.  ctx: slow.
 */
void mmi_own_remove(const void *p, size_t size);

/*
 * Called after each change; and, with a size, before the monitor tries again to
 * map memory that the kernel has refused.  NULL: nothing to call.
 */
extern HIDDEN void (*mmi_own_moved)(size_t wanted); /* atomic */

/*
 * The number of ranges, also those of size 0; 0: the list is incomplete.
 * ctx: any.
 */
uint32_t mmi_own_count(void);

/* Range i, from 0.  ctx: any. */
struct mmi_own_mapping mmi_own_at(uint32_t i);

/*
 * The monitor's library; start 0: the monitor is part of the program.
 * ctx: any.
 */
struct mmi_own_mapping mmi_own_module(void);

#endif
