/* SPDX-License-Identifier: MIT */
/* Records of the data file: made in memory, written when full. */
#ifndef MEMMON_EMIT_H
#define MEMMON_EMIT_H

#include "monitor/base/internal.h"

/*
 * A table that is being written to the file.  There is one file at a time;
 * mmi_out_write() ensures that.  Invariant: `used' bytes of payload belong to
 * the record `head'.
 */
struct mmi_emit {
	struct mmi_emit *after; /* see mmi_emit_table_after(); NULL: none */
	int fd;
	int failed; /* errno of a failed write: nothing more is written */
	/*
	 * Returns the payload of a MONOUT_PACKED for *n bytes of a record of
	 * that tag, valid until the next call; *n becomes its length.  Before
	 * the payload there is room for the head of a record.  It returns NULL
	 * if the record stays unpacked.  NULL: no record is packed.
	 */
	uint8_t *(*pack)(uint32_t tag, const uint8_t *payload, uint32_t *n);
	struct monout_record head;
	uint32_t used, size;
	uint8_t *payload; /* `size' bytes, and room for the head before them */
};

/* A static one whose records have at most n bytes; the longest records. */
/* clang-format off */
#define MMI_EMIT_HEAD sizeof(struct monout_record)
#define MMI_EMIT(n) \
	{ .size = (n), \
	  .payload = (uint8_t[MMI_EMIT_HEAD + (n)]){ 0 } + MMI_EMIT_HEAD }
#define MMI_EMIT_FULL MMI_EMIT(MONOUT_PAYLOAD_MAX)
/* clang-format on */

/* Begins the file on fd with its header.  ctx: exit, as all functions here. */
void mmi_emit_begin(struct mmi_emit *o, int fd);

/*
 * Begins a table of records with this tag; its items are numbered from first.
 */
void mmi_emit_table(struct mmi_emit *o, uint32_t tag, uint64_t first);

/*
 * The same in the file of `of', next to whose table it is made: its items refer
 * to items of that table, which always come first in the file.
 */
void mmi_emit_table_after(struct mmi_emit *o, struct mmi_emit *of,
			  uint32_t tag);

/*
 * That table is complete; if a write of it failed, `of' has failed, too.
 * Returns the number of items.
 */
uint64_t mmi_emit_end(struct mmi_emit *o);

/*
 * One item follows, of at most `most' bytes: makes room for it in this record
 * or in a new one.  False: it is larger than any record of this table.
 */
bool mmi_emit_item(struct mmi_emit *o, size_t most);

/*
 * The same for an item that is stored as its difference from the item before.
 * Returns where the item begins in its record.
 */
uint32_t mmi_emit_room(struct mmi_emit *o, size_t most);

/* Parts of an item. */
void mmi_emit_number(struct mmi_emit *o, uint64_t v);

/* Items of key/value records. */
void mmi_emit_key_number(struct mmi_emit *o, unsigned key, uint64_t v);
void mmi_emit_key_bytes(struct mmi_emit *o, unsigned key, const void *p,
			size_t n);

/* CRC-32 of n bytes at p, continued from crc; call _init() once.  ctx: any. */
void mmi_emit_crc_init(void);
uint32_t mmi_emit_crc(uint32_t crc, const void *p, size_t n);

/* The table is complete. */
void mmi_emit_flush(struct mmi_emit *o);

/* The longest varint, in bytes. */
#define MMI_EMIT_NUMBER 10u

#endif
