/* SPDX-License-Identifier: MIT */
/*
 * Which memory is the monitor's own: all that it has mapped.  It is full of
 * addresses of the program's blocks, which a leak check mustn't take for
 * pointers of the program's.
 */
#ifndef MEMMON_OWN_MAPPINGS_H
#define MEMMON_OWN_MAPPINGS_H

#include "monitor/base/internal.h"

/* [start, start + size); size 0: none. */
struct mmi_own_mapping {
	uintptr_t start;
	size_t size;
	bool data; /* private, and can be written: RLIMIT_DATA counts it */
};

/*
 * `size' bytes of data at p were mapped.  False: there is no place for it.
 * ctx: slow.
 */
bool mmi_own_add(const void *p, size_t size);

/*
 * The same of what isn't data, and stays mapped even so: then not all are
 * known.  ctx: slow.
 */
void mmi_own_add_or_miss(const void *p, size_t size);

/*
 * `size' bytes at p, the first or the last of what was added in one piece, are
 * about to be given back.  ctx: slow.
 */
void mmi_own_remove(const void *p, size_t size);

/*
 * Called after each change; and, with a size, before another try to map what
 * the kernel has refused.  NULL: nothing to call.
 */
extern HIDDEN void (*mmi_own_moved)(size_t wanted); /* atomic */

/* How many there are, with those of size 0; 0: not all are known.  ctx: any. */
uint32_t mmi_own_count(void);

/* The one with number i, from 0.  ctx: any. */
struct mmi_own_mapping mmi_own_at(uint32_t i);

/*
 * The module that the monitor is, when that is a library; start 0: it is part
 * of the program.  ctx: any.
 */
struct mmi_own_mapping mmi_own_module(void);

#endif
