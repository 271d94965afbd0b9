/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The items in the records of mon.out: turn bytes into the tables of a struct
 * mon.
 */
#ifndef MEMMON_REDUCE_ITEMS_H
#define MEMMON_REDUCE_ITEMS_H

#include "reduce/monout/cursor.h"
#include "reduce/monout/emit.h"
#include "reduce/monout/mon.h"

/* The state of reading a file.  items_fini() frees what it owns. */
struct items {
	struct mon *mon;
	uint64_t plain; /* bytes of the file, plus those unpacked so far */
	uint64_t next[MON_NKIND]; /* lowest number not yet seen */
	/* What was left out: */
	uint64_t bad_records;	 /* wrong CRC, or not a table */
	uint64_t bad[MON_NKIND]; /* items that are impossible */
	uint64_t lost_rows;	 /* rows of a site that is missing */
	uint64_t left_out;	 /* sum of the left-out items */
	uint64_t lost_nodes;	 /* nodes without a parent */
	uint64_t lost_sites;	 /* sites without a node */
	/* The item that is being read: */
	uint64_t number;
	uint64_t length; /* bytes of its text */
	bool lost; /* its site is missing */
	void *list;  /* its list; its size in bytes: */
	size_t list_room;
	struct mon_snapshot snapshot; /* the previous item of this record */
};

/*
 * The struct for an item, by its form (monrec.h), for reading and writing.  It
 * has the fields of the table.  The number of a site becomes its place in
 * mon.sites.
 */
#define ITEMS_PLAIN(item) struct mon_##item
#define ITEMS_LIST(item) struct mon_##item
#define ITEMS_SUMMED(item) struct mon_##item
#define ITEMS_OWN(item) struct monrec_##item
#define ITEMS_PART(item) struct monrec_##item

/* The result of reading an item. */
enum items_end {
	ITEMS_TAKEN,
	ITEMS_BAD,    /* no monitor could have counted this */
	ITEMS_LOST,   /* the site or other item that it belongs to is missing */
	ITEMS_BROKEN  /* the rest of the record can't be read, either */
};

/*
 * items_module() and so on: check an item, number it->number of its table, and
 * add it to it->mon if it is possible.  These functions define what a record
 * means.  They are in items_chains.c, items_cells.c, items_times.c and
 * items_use.c.
 */
#define R(name, item, list, form, ...) \
	enum items_end items_##item(struct items *it, \
				    const ITEMS_##form(item) * x);
MONREC_TABLES(R)
#undef R

/* items_put_module() and so on: write an item of the open table. */
#define R(name, item, list, form, ...) \
	void items_put_##item(struct emit *e, const ITEMS_##form(item) * x);
MONREC_TABLES(R)
#undef R

/* The same for the lifetimes of a site's blocks. */
void items_put_of_life(struct emit *e, uint64_t site, const struct life *x);

/*
 * Make room for modules up to n.  New ones get path NULL.
 */
void items_module_room(struct mon *m, size_t n);

/* "modules" and so on; for n = 1, "module". */
const char *items_name(enum mon_kind kind);
const char *items_name_of(enum mon_kind kind, uint64_t n);

/*
 * The key of the totals that has the number of items of a table; 0 if there is
 * none.
 */
enum monout_total items_claim(enum mon_kind kind);

/*
 * Read the items of one record.  r: its head; payload: r->length bytes; stored:
 * bytes that it takes in the file.  Items that can't be used are counted in
 * *it.
 */
void items_take(struct items *it, const struct monout_record *r,
		const unsigned char *payload, size_t stored);

/*
 * Call this after the last record: find missing parents, nodes and modules.
 */
void items_finish(struct items *it);

void items_fini(struct items *it);

/*
 * A number as it is stored in struct mon.  A number that is too large becomes
 * MON_MISSING.
 */
static inline uint32_t
items_small(uint64_t number)
{
	return number > MON_NUMBER_MAX ? MON_MISSING : (uint32_t)number;
}

#endif
