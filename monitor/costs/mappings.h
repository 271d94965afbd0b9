/* SPDX-License-Identifier: MIT */
/*
 * The memory that the allocator got from the kernel: sorted ranges, which
 * follow the allocator's system calls.
 */
#ifndef MEMMON_MAPPINGS_H
#define MEMMON_MAPPINGS_H

#include "monitor/base/internal.h"

/*
 * [from, to) belongs to the allocator, or doesn't any more.  These never wait
 * for long: if a range can't be noted, all of the memory becomes unknown.  ctx:
 * any, signals blocked.
 */
void mmi_mappings_add(uintptr_t from, uintptr_t to);
void mmi_mappings_remove(uintptr_t from, uintptr_t to);

/*
 * If a, the address of a block, is in no known mapping, the allocator mapped it
 * before its system calls were seen: ask the kernel for the mapping.  One at a
 * time.  ctx: event.
 */
void mmi_mappings_learn(uintptr_t a);

/* Bytes of all ranges; UINT64_MAX: unknown.  ctx: any. */
uint64_t mmi_mappings_bytes(void);

/*
 * Bytes of all ranges that are in memory, by mincore(2); UINT64_MAX: unknown.
 * ctx: slow, one at a time.
 */
uint64_t mmi_mappings_resident(void);

/* From now on they are unknown.  ctx: any. */
void mmi_mappings_unknown(void);

/*
 * If another thread was changing the ranges during the fork, they are unknown.
 * ctx: fork.
 */
void mmi_mappings_fork(void);

#endif
