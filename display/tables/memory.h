/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the memory of the process was, for tables that say a part of it. */
#ifndef MEMMON_DISPLAY_MEMORY_H
#define MEMMON_DISPLAY_MEMORY_H

#include "reduce/profile/profile.h"

/* The bytes of a line of p; 0 if there is none. */
uint64_t memory_bytes(const struct profile *p, const char *name);

/* Whether the profile, as it is shown, says what the program maps by itself. */
bool memory_mapped_known(const struct profile *p);

/* What the program maps by itself, bytes in memory; 0: none, or not known. */
uint64_t memory_mapped(const struct profile *p);

/*
 * What RSS was at a snapshot, in a word or two for each part that has any of
 * it, largest first; how many.  They add up to RSS.
 */
enum { MEMORY_KINDS = 11 };
struct memory_part {
	const char *words;
	uint64_t bytes;
	bool beside; /* something else than live blocks and code */
};
size_t memory_parts(const struct profile *p, const struct memory_snapshot *m,
		    struct memory_part part[MEMORY_KINDS]);

/*
 * What has most of the memory beside live blocks, in a word or two, and how
 * many bytes; NULL: not known.  At that snapshot; NULL: when the data file was
 * written.
 */
const char *memory_most(const struct profile *p,
			const struct memory_snapshot *m, uint64_t *bytes);

/* The snapshot with the largest RSS; p has snapshots. */
const struct memory_snapshot *memory_most_snapshot(const struct profile *p);

/* Is it known of call paths what they pin, as the profile is shown? */
bool memory_pins_known(const struct profile *p);

/* Why not all live blocks are known; NULL: they are. */
const char *memory_partial(const struct profile *p);

#endif
