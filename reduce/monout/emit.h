/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Write the format of mon.out(5) into memory: numbers, items, records with
 * their CRCs.  Used for mon.sum and by tests/monmake.c.
 *
 * Call emit_header().  For each table call emit_open(); for each item write its
 * numbers and call emit_item(); then emit_close().  Finally use data and
 * length.
 *
 * A table is split into as many records as its items need.  An error stays
 * set: check `failed' once at the end.
 */
#ifndef MEMMON_REDUCE_EMIT_H
#define MEMMON_REDUCE_EMIT_H

#include "monitor/monout.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The caller owns it; all zero is an empty file. */
struct emit {
	unsigned char *data;
	size_t length, room; /* bytes */
	bool failed;	     /* an item is too long */
	/* For the open record: */
	uint32_t tag;
	uint32_t count; /* finished items */
	uint64_t first; /* number of the first item */
	uint32_t most;	/* the most items in a record; 0: no limit */
	size_t record;	/* offset of the record */
	size_t item;	/* offset of the unfinished item */
};

void emit_header(struct emit *e, uint32_t flags);

/* Start a table whose items are numbered from `first'. */
void emit_open(struct emit *e, uint32_t tag, uint64_t first);

/* Append to the item. */
void emit_number(struct emit *e, uint64_t v);
void emit_bytes(struct emit *e, const void *p, size_t n);
/* The length as a number, then the bytes. */
void emit_string(struct emit *e, const void *p, size_t n);

/* End the item. */
void emit_item(struct emit *e);

/* Whole items of key/value records. */
void emit_key_number(struct emit *e, uint64_t key, uint64_t v);
void emit_key_string(struct emit *e, uint64_t key, const void *p, size_t n);

/* Start another record for the items that follow. */
void emit_next(struct emit *e);

/* End the table.  A record without items is removed. */
void emit_close(struct emit *e);

/* Set the CRC of the header again. */
void emit_header_crc(struct emit *e);

void emit_fini(struct emit *e);

#endif
