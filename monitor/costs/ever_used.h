/* SPDX-License-Identifier: MIT */
/*
 * Which addresses have been in a block since the kernel gave their page.  There
 * is a bit for each 8 bytes of the address space, in leaves of 64 MB, and a
 * byte for each 16 bytes with the thread of the last block.  So this takes a
 * 12th of the heap, and in addition the touched part of the table of leaves.
 */
#ifndef MEMMON_EVER_USED_H
#define MEMMON_EVER_USED_H

#include "monitor/base/internal.h"

/*
 * The n bytes at p become a block of a thread; `who' is the thread's number
 * modulo 256.  Returns whether the first byte was in a block before; without
 * memory for the table: false.  ctx: slow.
 */
bool mmi_ever_used_add(uintptr_t p, uint64_t n, uint8_t who);

/* The kernel takes back [p, p + n): later memory there is new.  ctx: slow. */
void mmi_ever_used_unmap(uintptr_t p, uint64_t n);

/* Has the address been in a block?  ctx: any. */
bool mmi_ever_used(uintptr_t p);

/* Was the last block at p allocated by `who'?  ctx: any. */
bool mmi_ever_used_by(uintptr_t p, uint8_t who);

/* Did another thread's block have the address of the block at p?  ctx: any. */
bool mmi_ever_used_passed(uintptr_t p);

/* The last block that took some unused memory, or 0.  ctx: any. */
uintptr_t mmi_ever_used_newest(void);

/* Bytes that have been in a block.  ctx: any. */
uint64_t mmi_ever_used_bytes(void);

#endif
