/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A quick walk over the entries of a unit of debug information: parents before
 * children, no look at the attributes of entries that nobody asks for.  libdw
 * takes some hundred instructions for each entry that it goes by, and most of
 * hundred millions of bytes is parameters, members and declarations.
 */
#ifndef MEMMON_REDUCE_SCAN_H
#define MEMMON_REDUCE_SCAN_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/base/hash.h"

/* Entries nested deeper are passed over; compilers nest tens of them. */
#define SCAN_DEPTH 400u

/* What an entry has, by its abbreviation. */
enum {
	SCAN_CODE = 1,	      /* addresses: DW_AT_low_pc or DW_AT_ranges */
	SCAN_DECLARATION = 2, /* DW_AT_declaration */
	SCAN_SIZE = 4,	      /* DW_AT_byte_size */
	SCAN_ORIGIN = 8,      /* DW_AT_abstract_origin */
	SCAN_CHILDREN = 16
};

struct scan_shape; /* an abbreviation */
struct scan_step;  /* over some of its attributes */

/* All zero has no unit yet. */
struct scan {
	/* The entry: [depth], and those it stands in; 0 is the unit's own. */
	unsigned depth;
	unsigned has; /* SCAN_* */
	const unsigned char *addr[SCAN_DEPTH];
	int tag[SCAN_DEPTH];
	uint64_t seen; /* entries gone by, of all units */

	/* Its own. */
	bool (*wanted)(int tag);
	Dwarf_CU *cu;
	const unsigned char *at, *end; /* what is still to be read */
	unsigned inside; /* depth of the next entry; may be beyond SCAN_DEPTH */
	unsigned addr_size, offset_size, version;
	struct scan_shape *shapes;
	size_t nshapes, shapes_room;
	struct scan_step *steps;
	size_t nsteps, steps_room;
	struct hash codes; /* abbreviation code -> shape, of large codes */
	uint32_t *small;   /* the same of small ones */
};

/*
 * Start at the unit's own entry, which scan_next() gives first; a struct scan
 * that was used for another unit can be used again.  wanted() tells by the tag
 * which entries scan_next() is to stop at.  0, or -1 when out of memory; a unit
 * that can't be read has no entries.
 */
int scan_start(struct scan *s, const Dwarf_Die *unit, bool (*wanted)(int tag));

/*
 * Go to the next entry wanted.  1; 0 at the end of the unit, or where it can't
 * be read any further; -1 when out of memory.
 */
int scan_next(struct scan *s);

/* The entry at that depth, of those that the present one stands in, or it. */
Dwarf_Die scan_die(const struct scan *s, unsigned depth);

void scan_fini(struct scan *s);

#endif
