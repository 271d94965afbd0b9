/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing the format of mon.out(5) into memory: numbers, items, records with
 * their CRCs.  Used for mon.sum and by tests/monmake.c.
 *
 *	emit_header(); then for each table emit_open(), for each item its
 *	numbers and emit_item(), emit_close(); at last take data and length.
 *
 * Items are put into as many records as they need.  Errors stick: look at
 * `failed' once at the end.
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
	bool failed;	     /* out of memory, or an item too long */
	/* Of the record that is open. */
	uint32_t tag;
	uint32_t count; /* items that are finished */
	uint64_t first; /* number of the first of them */
	uint32_t most;	/* items a record may have, 0: any */
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

/* The items that follow go to a record of their own. */
void emit_next(struct emit *e);

/* End the table.  One without items leaves no record. */
void emit_close(struct emit *e);

/* Set the CRC of the header anew. */
void emit_header_crc(struct emit *e);

void emit_fini(struct emit *e);

#endif
