/* SPDX-License-Identifier: MIT */
/* Lines and pages with live blocks. */
#ifndef MEMMON_CACHE_LINES_H
#define MEMMON_CACHE_LINES_H

#include "monitor/costs/cost.h"

/*
 * What a look finds: bytes of live blocks; lines of 64 bytes, and pages, that
 * have any of them; and of the lines those with blocks of several threads:
 * passive, where one of these stands at an address that had been another's.
 */
struct mmi_cache_lines {
	uint64_t at, bytes;
	uint64_t lines, pages;
	uint64_t active, passive;
	uint64_t guessed; /* blocks whose own size isn't known: see the .c */
};

/*
 * The lines with blocks of several threads in which a call path has one: its
 * node, which is 0 for those of others, of which there were too many.
 */
struct mmi_cache_lines_of {
	uint32_t node;
	uint64_t active, passive;
};

/* What the last look found of them: *n, and the first.  ctx: slow. */
const struct mmi_cache_lines_of *mmi_cache_lines_of(unsigned *n);

/*
 * Walk through all live blocks; fills in all of *l but `at'.  Blocks that come
 * or go meanwhile may be missed.  ctx: slow, one at a time.
 */
void mmi_cache_lines_look(struct mmi_cache_lines *l);

#endif
