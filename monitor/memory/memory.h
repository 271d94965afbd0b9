/* SPDX-License-Identifier: MIT */
/*
 * Where the memory of the process is when a data file is written.  The lines
 * add up to the resident memory, as the kernel counts it.  First
 * mmi_memory_begin(), then mmi_memory_block() for each live block, then
 * mmi_memory_put().  All ctx: exit, one thread at a time.
 */
#ifndef MEMMON_MEMORY_H
#define MEMMON_MEMORY_H

#include "monitor/base/emit.h"

void mmi_memory_begin(void);

/* A live block of `size' bytes at a; it is not touched. */
void mmi_memory_block(uintptr_t a, uint64_t size);

/*
 * Then, if that is true, each again, with its node: what it keeps the allocator
 * from returning.  Into the table PINS, site by site; how many items.
 */
bool mmi_memory_pins(void);
void mmi_memory_pin(uintptr_t a, uint64_t size, uint32_t node);
void mmi_memory_begin_table(struct mmi_emit *o);
void mmi_memory_site(uint64_t number, uint32_t node);
uint64_t mmi_memory_end_table(void);

/* Into the table MEMORY, which is open; nothing where nothing is known. */
void mmi_memory_put(struct mmi_emit *o);

#endif
