/* SPDX-License-Identifier: MIT */
/*
 * Which addresses the allocator has handed out: a bit for each 8 bytes of the
 * address space, in leaves of 64 MB, and a byte for each 16 of whose they were.
 * So it takes a 12th of the heap, besides what of the table of leaves is
 * touched.
 */
#ifndef MEMMON_HANDED_H
#define MEMMON_HANDED_H

#include "monitor/base/internal.h"

/*
 * The n bytes at p are handed out to a thread, one in 256 by `who'.  Was the
 * first of them before, since its page came from the kernel?  Without memory
 * for the table: no.  ctx: slow.
 */
bool mmi_handed_out(uintptr_t p, uint64_t n, uint8_t who);

/* The kernel has [p, p + n) again: what is there next is new.  ctx: slow. */
void mmi_handed_back(uintptr_t p, uint64_t n);

/* Was the address handed out, and not given back since?  ctx: any. */
bool mmi_handed_is(uintptr_t p);

/* Is the block at p one that was handed out to `who'?  ctx: any. */
bool mmi_handed_to(uintptr_t p, uint8_t who);

/* Of the block at p: was its address another thread's before?  ctx: any. */
bool mmi_handed_passed(uintptr_t p);

/* The last block that is in part where none was; 0: none.  ctx: any. */
uintptr_t mmi_handed_newest(void);

/* Bytes that were handed out and not given back since.  ctx: any. */
uint64_t mmi_handed_bytes(void);

#endif
