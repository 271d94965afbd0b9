/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The items in the records of mon.out: from bytes to the tables of a mon. */
#ifndef MEMMON_REDUCE_ITEMS_H
#define MEMMON_REDUCE_ITEMS_H

#include "reduce/file/cursor.h"
#include "reduce/file/mon.h"

/* Where the reading of a file stands. */
struct items {
	struct mon *mon;
	uint64_t next[MON_NKIND]; /* lowest number not yet seen */
	/* What was left out. */
	uint64_t bad_records; /* wrong CRC, or their content is no table */
	uint64_t bad_nodes;   /* twice there, or of an impossible module */
	uint64_t bad_sites;   /* impossible counts */
	uint64_t bad_bins;
	uint64_t bad_rows;   /* of peaks, lives and threads: impossible */
	uint64_t bad_uses;   /* the same of uses, groups, fields, handed */
	uint64_t bad_more;   /* the same of marks and leaks */
	uint64_t bad_cells;  /* the same of cells, vtables and types */
	uint64_t bad_times;  /* the same of changes and moments */
	uint64_t lost_rows;  /* of those by site: of a site not there */
	uint64_t lost_nodes; /* nodes without parent */
	uint64_t lost_sites; /* sites without node */
	struct mon_moment moment; /* the last item of this record */
};

/* How many items were left out, whole records aside. */
static inline uint64_t
items_left_out(const struct items *it)
{
	return it->bad_nodes + it->bad_sites + it->bad_bins + it->bad_rows +
	       it->bad_uses + it->bad_more + it->bad_cells + it->bad_times +
	       it->lost_rows;
}

enum mon_kind items_kind(uint32_t tag);

/*
 * Take the items of one record, whose head is r and whose payload is of
 * r->length bytes.  What can't be taken is counted in it.  Returns 0, or -1
 * when out of memory.
 */
int items_take(struct items *it, const struct monout_record *r,
	       const unsigned char *payload);

/*
 * After the last record: settle which parents, nodes and modules aren't there.
 * Returns 0, or -1 when out of memory.
 */
int items_finish(struct items *it);

/*
 * items_after.c: take one item of PEAKS, LIVES, THREADS at c.  What can't be
 * taken is counted in it, or c's bad is set.  0, or -1 when out of memory.
 */
int items_peak(struct items *it, struct cursor *c);
int items_life(struct items *it, struct cursor *c);
int items_thread(struct items *it, struct cursor *c, uint64_t number);

/* The site of that number in the file, or NULL. */
struct mon_site *items_find_site(const struct mon *m, uint64_t number);

/* items_use.c: the same for USES, GROUPS, FIELDS, HANDED. */
int items_use(struct items *it, struct cursor *c);
int items_group(struct items *it, struct cursor *c);
int items_field(struct items *it, struct cursor *c);
int items_handed(struct items *it, struct cursor *c);

/* items_more.c: the same for MARKS, LEAKS. */
int items_mark(struct items *it, struct cursor *c);
int items_leak(struct items *it, struct cursor *c);

/* items_cells.c: the same for TYPES, CELLS, VTABLES. */
int items_type(struct items *it, struct cursor *c, uint64_t number);
int items_cell(struct items *it, struct cursor *c);
int items_vtable(struct items *it, struct cursor *c);
int items_error(struct items *it, struct cursor *c);

/* items_times.c: the same for CHANGES, MOMENTS. */
int items_change(struct items *it, struct cursor *c);
int items_moment(struct items *it, struct cursor *c);

/* A number that may be below 0, as its two's complement. */
uint64_t items_zigzag(struct cursor *c);

#endif
