/* SPDX-License-Identifier: MIT */
/*
 * The memory that the allocator has from the kernel: ranges, in order, as its
 * system calls make and unmake them.
 */
#ifndef MEMMON_MAPPINGS_H
#define MEMMON_MAPPINGS_H

#include "monitor/base/internal.h"

/*
 * [from, to) is the allocator's, or isn't any more.  Nobody waits for long:
 * what can't be noted makes all of it unknown.  ctx: any, signals blocked.
 */
void mmi_mappings_add(uintptr_t from, uintptr_t to);
void mmi_mappings_remove(uintptr_t from, uintptr_t to);

/*
 * If a, the address of a block, is in no mapping that is known, the
 * allocator had it before its system calls were seen: ask the kernel what
 * mapping it is in.  One at a time.  ctx: event.
 */
void mmi_mappings_learn(uintptr_t a);

/* Bytes of them; UINT64_MAX: not known.  ctx: any. */
uint64_t mmi_mappings_bytes(void);

/*
 * Bytes of them that are in memory, by mincore(2); UINT64_MAX: not known.  ctx:
 * slow, one at a time.
 */
uint64_t mmi_mappings_resident(void);

/* From now on they aren't known.  ctx: any. */
void mmi_mappings_unknown(void);

/* If a thread was at it that didn't come along, they aren't.  ctx: fork. */
void mmi_mappings_fork(void);

#endif
