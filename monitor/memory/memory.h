/* SPDX-License-Identifier: MIT */
/*
 * Where the memory of the process is when a data file is written, and at other
 * moments (moments.h).  The lines add up to the resident memory, as the kernel
 * counts it.  Call mmi_memory_begin(), then mmi_memory_block() for each live
 * block, then mmi_memory_put() or mmi_memory_lines().  All ctx: exit, one
 * thread at a time.
 */
#ifndef MEMMON_MEMORY_H
#define MEMMON_MEMORY_H

#include "monitor/base/emit.h"

/* pins: mmi_memory_pins() may follow. */
void mmi_memory_begin(bool pins);

/* A live block of `size' bytes at a; doesn't access the block. */
void mmi_memory_block(uintptr_t a, uint64_t size);

/*
 * If mmi_memory_pins() is true, call mmi_memory_pin() for each block again,
 * with its node: it counts the memory that the block keeps the allocator from
 * returning.  Then the table PINS, site by site; mmi_memory_end_table() returns
 * the number of items.
 */
bool mmi_memory_pins(void);
void mmi_memory_pin(uintptr_t a, uint64_t size, uint32_t node);
void mmi_memory_begin_table(struct mmi_emit *o);
void mmi_memory_site(uint64_t number, uint32_t node);
uint64_t mmi_memory_end_table(void);

/*
 * The bytes of each line, line[MONREC_MEMORY_COUNT]; false: not known.  And the
 * names of the lines, as in mon.out(5).
 */
bool mmi_memory_lines(uint64_t *line);
extern HIDDEN const char *const mmi_memory_name[];

/*
 * Writes to the table MEMORY, which is open; nothing if the lines aren't known.
 */
void mmi_memory_put(struct mmi_emit *o);

#endif
