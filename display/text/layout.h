/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layout of a type, or of blocks of one size, made into rows: members with
 * the granules whose accesses stand for them.  Accesses are known by granule
 * only, so what several members share is never divided among them.
 */
#ifndef MEMMON_LAYOUT_H
#define MEMMON_LAYOUT_H

#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a granule and, for most CPUs, of a cache line. */
enum { LAYOUT_GRANULE = 16, LAYOUT_LINE = 64 };

/* Hot granules are those most accessed that have this percentage together. */
enum { LAYOUT_SHARE = 90 };

enum layout_heat { LAYOUT_NEVER, LAYOUT_COLD, LAYOUT_HOT };

/* A row, with the figures of granules first to end - 1, if there are any. */
struct layout_row {
	const struct member *member; /* NULL: no member is known here */
	uint64_t offset, size;	     /* bytes */
	size_t first, end;
	bool whole;		/* members follow that are parts of it */
	bool shared;		/* begins in a granule of a row above */
	uint64_t reads, writes; /* of its granules */
	enum layout_heat heat;	/* the greatest of its granules */
};

struct layout {
	const struct fields *f;
	struct layout_row *row;
	size_t n;
	bool members;	   /* rows are members, not ranges of bytes */
	uint64_t accesses; /* reads and writes of all granules */
	uint64_t hot;	   /* a granule with as many is hot; 0 if none is */
};

/*
 * Make the rows of f, which must live as long as *l.  Where members aren't
 * known there are at most `most' rows, or one for each granule if that is 0.
 * 0, or -1 when out of memory; *l needs layout_fini() in any case.
 */
int layout_init(struct layout *l, const struct fields *f, size_t most);
void layout_fini(struct layout *l);

/* Bytes of granule i: 16, or what the block has left there. */
uint64_t layout_bytes(const struct fields *f, size_t i);

/* How much the granule is accessed. */
enum layout_heat layout_heat(const struct layout *l, size_t i);

#endif
