/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The items in the records of mon.out: from bytes to the tables of a mon. */
#ifndef MEMMON_REDUCE_ITEMS_H
#define MEMMON_REDUCE_ITEMS_H

#include "reduce/file/cursor.h"
#include "reduce/file/emit.h"
#include "reduce/file/mon.h"

/* Where the reading of a file stands; items_fini() frees what it has. */
struct items {
	struct mon *mon;
	uint64_t plain; /* bytes of the file, with what was unpacked so far */
	uint64_t next[MON_NKIND]; /* lowest number not yet seen */
	/* What was left out. */
	uint64_t bad_records;	 /* wrong CRC, or not a table */
	uint64_t bad[MON_NKIND]; /* items that are impossible */
	uint64_t lost_rows;	 /* of a site that isn't there */
	uint64_t left_out;	 /* the sum of these items */
	uint64_t lost_nodes;	 /* nodes without parent */
	uint64_t lost_sites;	 /* sites without node */
	/* The item that is being read. */
	uint64_t number;
	uint64_t length; /* bytes of its text */
	bool lost;   /* it is of a site that isn't there */
	bool failed; /* out of memory */
	void *list;  /* its list; bytes: */
	size_t list_room;
	struct mon_snapshot snapshot; /* the last item of this record */
};

/*
 * What an item of a form (monrec.h) is read into, and written from: a struct
 * with the fields of its table.  The number of a site becomes its place in
 * mon.sites.
 */
#define ITEMS_PLAIN(item) struct mon_##item
#define ITEMS_LIST(item) struct mon_##item
#define ITEMS_OWN(item) struct monrec_##item
#define ITEMS_PART(item) struct monrec_##item

/* What becomes of an item. */
enum items_end {
	ITEMS_TAKEN,
	ITEMS_BAD,    /* no monitor could have counted that */
	ITEMS_LOST,   /* what it is of isn't there */
	ITEMS_BROKEN, /* nor can what follows it in the record be read */
	ITEMS_FAILED  /* out of memory */
};

/*
 * items_module() and so on: take an item, number it->number of its table, into
 * it->mon if that could be.  This is what a record means; items_chains.c,
 * items_cells.c, items_times.c and items_use.c have them.
 */
#define R(name, item, list, form, ...) \
	enum items_end items_##item(struct items *it, \
				    const ITEMS_##form(item) * x);
MONREC_TABLES(R)
#undef R

/* items_put_module() and so on: write an item of the table that is open. */
#define R(name, item, list, form, ...) \
	void items_put_##item(struct emit *e, const ITEMS_##form(item) * x);
MONREC_TABLES(R)
#undef R

/* The same of what became of a site's blocks. */
void items_put_of_life(struct emit *e, uint64_t site, const struct life *x);

/* Make room up to module n; what wasn't there gets path NULL.  0 or -1. */
int items_module_room(struct mon *m, size_t n);

/* "modules" and so on; of n of them: "module" of one. */
const char *items_name(enum mon_kind kind);
const char *items_name_of(enum mon_kind kind, uint64_t n);

/* The key of the totals with the number of items of a table, 0 if none is. */
enum monout_total items_claim(enum mon_kind kind);

/*
 * Take the items of one record, whose head is r and whose payload is of
 * r->length bytes; in the file it takes `stored'.  What can't be taken is
 * counted in it.  Returns 0, or -1 when out of memory.
 */
int items_take(struct items *it, const struct monout_record *r,
	       const unsigned char *payload, size_t stored);

/*
 * after the last record: see which parents, nodes and modules aren't there.
 * Returns 0, or -1 when out of memory.
 */
int items_finish(struct items *it);

void items_fini(struct items *it);

/* As it is in struct mon; what is too large becomes MON_MISSING. */
static inline uint32_t
items_small(uint64_t number)
{
	return number > MON_NUMBER_MAX ? MON_MISSING : (uint32_t)number;
}

#endif
