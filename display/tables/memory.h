/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the process's memory, for tables that print some of them. */
#ifndef MEMMON_DISPLAY_MEMORY_H
#define MEMMON_DISPLAY_MEMORY_H

#include "reduce/profile/profile.h"

/* The bytes of a line of p; 0: no such line. */
uint64_t memory_bytes(const struct profile *p, const char *name);

/* Are the bytes known that the program itself maps, with these filters? */
bool memory_mapped_known(const struct profile *p);

/* Bytes in memory that the program itself maps; 0: none, or unknown. */
uint64_t memory_mapped(const struct profile *p);

/*
 * The parts of RSS at a snapshot that aren't empty, each with a name, largest
 * first.  Returns their number.  They add up to RSS.
 */
enum { MEMORY_KINDS = 11 };
struct memory_part {
	const char *words;
	uint64_t bytes;
	bool beside; /* neither live blocks nor code */
};
size_t memory_parts(const struct profile *p, const struct memory_snapshot *m,
		    struct memory_part part[MEMORY_KINDS]);

/*
 * The name of the largest part of memory beside live blocks; *bytes gets its
 * size; NULL: unknown.  m: at that snapshot; NULL: when the data file was
 * written.
 */
const char *memory_most(const struct profile *p,
			const struct memory_snapshot *m, uint64_t *bytes);

/* The snapshot with the largest RSS; p must have snapshots. */
const struct memory_snapshot *memory_most_snapshot(const struct profile *p);

/* Are the bytes known that call paths pin, with the current filters? */
bool memory_pins_known(const struct profile *p);

/* Why some live blocks are unknown; NULL: all are known. */
const char *memory_partial(const struct profile *p);

#endif
