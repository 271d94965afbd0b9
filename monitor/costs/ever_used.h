/* SPDX-License-Identifier: MIT */
/*
 * Which addresses have been in a block since the kernel gave their page: a bit
 * for each 8 bytes of the address space, in leaves of 64 MB, and a byte for
 * each 16 that says whose block it was last.  So it takes a 12th of the heap,
 * besides the part of the table of leaves that is touched.
 */
#ifndef MEMMON_EVER_USED_H
#define MEMMON_EVER_USED_H

#include "monitor/base/internal.h"

/*
 * The n bytes at p become a block of a thread's, which is one in 256 by `who'.
 * Was the first of them in a block before?  Without memory for the table: no.
 * ctx: slow.
 */
bool mmi_ever_used_add(uintptr_t p, uint64_t n, uint8_t who);

/* [p, p + n) goes back to the kernel: what is there next is new.  ctx: slow. */
void mmi_ever_used_unmap(uintptr_t p, uint64_t n);

/* Has the address been in a block?  ctx: any. */
bool mmi_ever_used(uintptr_t p);

/* Was the last block at p one of `who'?  ctx: any. */
bool mmi_ever_used_by(uintptr_t p, uint8_t who);

/* Of the block at p: was its address another thread's before?  ctx: any. */
bool mmi_ever_used_passed(uintptr_t p);

/* The last block that is in part where none was before, or 0.  ctx: any. */
uintptr_t mmi_ever_used_newest(void);

/* Bytes that have been in a block.  ctx: any. */
uint64_t mmi_ever_used_bytes(void);

#endif
