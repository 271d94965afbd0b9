/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A quick walk over the entries of a unit of debug information, parents before
 * children.  Attributes of entries that aren't wanted are skipped, not read.
 * libdw takes a few hundred instructions for each entry that it skips, and most
 * entries in a hundred megabytes of debug information are parameters, members
 * and declarations.
 */
#ifndef MEMMON_REDUCE_SCAN_H
#define MEMMON_REDUCE_SCAN_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/base/hash.h"

/* Entries that are nested deeper are skipped; compilers nest some tens deep. */
#define SCAN_DEPTH 400u

/* Parts of an entry, found by its abbreviation. */
enum {
	SCAN_CODE = 1,	      /* addresses: DW_AT_low_pc or DW_AT_ranges */
	SCAN_DECLARATION = 2, /* DW_AT_declaration */
	SCAN_SIZE = 4,	      /* DW_AT_byte_size */
	SCAN_ORIGIN = 8,      /* DW_AT_abstract_origin */
	SCAN_CHILDREN = 16
};

struct scan_shape; /* an abbreviation */
struct scan_step;  /* skips some of its attributes */

/* All zero means no unit yet. */
struct scan {
	/*
	 * The present entry is at [depth], its parents are below; 0 is the
	 * unit's own entry.
	 */
	unsigned depth;
	unsigned has; /* SCAN_* */
	const unsigned char *addr[SCAN_DEPTH];
	int tag[SCAN_DEPTH];
	uint64_t seen; /* entries passed so far, of all units */

	/* The rest is private to scan.c. */
	bool (*wanted)(int tag);
	Dwarf_CU *cu;
	const unsigned char *at, *end; /* the bytes that are still to be read */
	unsigned inside; /* depth of the next entry; may be beyond SCAN_DEPTH */
	unsigned addr_size, offset_size, version;
	struct scan_shape *shapes;
	size_t nshapes, shapes_room;
	struct scan_step *steps;
	size_t nsteps, steps_room;
	struct hash codes; /* large abbreviation codes -> shape */
	uint32_t *small;   /* small abbreviation codes -> shape */
};

/*
 * Start at the unit's own entry, which scan_next() returns first.  A struct
 * scan can be used for one unit after another.  wanted() says by tag at which
 * entries scan_next() stops.  A unit that can't be read has no entries.
 */
void scan_start(struct scan *s, const Dwarf_Die *unit, bool (*wanted)(int tag));

/*
 * Go to the next wanted entry.  False at the end of the unit, or if it can't be
 * read any further.
 */
bool scan_next(struct scan *s);

/* The entry at that depth: the present entry or one of its parents. */
Dwarf_Die scan_die(const struct scan *s, unsigned depth);

void scan_fini(struct scan *s);

#endif
