/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layout of a type, or of blocks of one size, as rows: members, and the
 * accesses to their granules.  Accesses are known by granule only, so those to
 * a granule with several members are never divided among the members.
 */
#ifndef MEMMON_LAYOUT_H
#define MEMMON_LAYOUT_H

#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes in a granule and, for most CPUs, in a cache line. */
enum { LAYOUT_GRANULE = 16, LAYOUT_LINE = 64 };

/*
 * The hot granules are the most accessed ones of those that are read, with this
 * percentage of their accesses together.
 */
enum { LAYOUT_SHARE = 90 };

enum layout_heat {
	LAYOUT_NEVER,
	LAYOUT_WRITE_ONLY, /* written, never read */
	LAYOUT_COLD,
	LAYOUT_HOT
};

/* A row, with the figures of granules first to end - 1, if any. */
struct layout_row {
	const struct member *member; /* NULL: no member is known here */
	uint64_t offset, size;	     /* bytes */
	size_t first, end;
	bool whole;		/* its parts follow as members */
	bool shared;		/* begins in a granule of an earlier row */
	uint64_t reads, writes; /* to its granules */
	enum layout_heat heat;	/* the highest of its granules */
};

struct layout {
	const struct fields *f;
	struct layout_row *row;
	size_t n;
	bool members;	   /* rows are members, not byte ranges */
	uint64_t accesses; /* reads and writes of the whole block */
	uint64_t hot;	   /* accesses that make a granule hot; 0: none is
			    * hot */
};

/*
 * Make the rows of f, which must live as long as *l.  If members are unknown,
 * make at most `most' rows, or a row for each granule if `most' is 0.  0, or -1
 * when out of memory; call layout_fini() in both cases.
 */
int layout_init(struct layout *l, const struct fields *f, size_t most);
void layout_fini(struct layout *l);

/* Bytes in granule i: 16, or fewer at the end of the block. */
uint64_t layout_bytes(const struct fields *f, size_t i);

/* How hot the granule is. */
enum layout_heat layout_heat(const struct layout *l, size_t i);

#endif
