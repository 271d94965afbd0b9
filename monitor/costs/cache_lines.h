/* SPDX-License-Identifier: MIT */
/* Cache lines and pages with live blocks. */
#ifndef MEMMON_CACHE_LINES_H
#define MEMMON_CACHE_LINES_H

#include "monitor/costs/cost.h"

/*
 * The result of a look: bytes of live blocks; lines of 64 bytes and pages with
 * live blocks; lines with blocks of several threads: passive, if one of these
 * blocks is at an address that another thread's block had before; else active.
 */
struct mmi_cache_lines {
	uint64_t at, bytes;
	uint64_t lines, pages;
	uint64_t active, passive;
	uint64_t guessed; /* blocks whose own size isn't known: see the .c */
};

/*
 * How many lines with blocks of several threads have a block of a call path.
 * node 0: the sum for all other call paths, if there are too many.
 */
struct mmi_cache_lines_of {
	uint32_t node;
	uint64_t active, passive;
};

/* These rows of the last look: the first row, and *n rows.  ctx: slow. */
const struct mmi_cache_lines_of *mmi_cache_lines_of(unsigned *n);

/*
 * Walk through all live blocks, and fill in *l except `at'.  Blocks that are
 * allocated or freed meanwhile may be missed.  ctx: slow, one at a time.
 */
void mmi_cache_lines_look(struct mmi_cache_lines *l);

#endif
