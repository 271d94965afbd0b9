/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the allocator's table. */
#ifndef MEMMON_DISPLAY_ALLOCATOR_H
#define MEMMON_DISPLAY_ALLOCATOR_H

#include "display/grid/table.h"

/* Cycles as ns. */
uint64_t allocator_ns(const struct allocator *a, uint64_t cycles);

/* The name of a class of operation, in buf of n bytes. */
void allocator_name(char *buf, size_t n, unsigned of);

/* What is wrong, with its figures; nothing if nothing is. */
void allocator_verdict(struct tables *t);

/* The allocator's memory.  0, or -1 when out of memory. */
int allocator_memory(struct tables *t);

#endif
