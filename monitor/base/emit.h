/* SPDX-License-Identifier: MIT */
/* Records of the data file: made in memory, written when full. */
#ifndef MEMMON_EMIT_H
#define MEMMON_EMIT_H

#include "monitor/base/internal.h"

/*
 * A table on its way to the file being written.  There is one file at a time;
 * mmi_out_write() sees to it.
 * Invariant: `used' bytes of payload belong to the record `head'.
 */
struct mmi_emit {
	struct mmi_emit *after; /* see mmi_emit_table_after(); NULL: none */
	int fd;
	int failed; /* errno: a write went wrong, nothing more is written */
	/*
	 * The payload of a MONOUT_PACKED for one of *n bytes of a record of
	 * that tag, until the next call; *n becomes its length.  It gives NULL
	 * for what stays as it is.  NULL: all does.
	 */
	const uint8_t *(*pack)(uint32_t tag, const uint8_t *payload,
			       uint32_t *n);
	struct monout_record head;
	uint32_t used;
	uint8_t payload[MONOUT_PAYLOAD_MAX];
};

/* Begin the file on fd: its header.  ctx: exit, as all here. */
void mmi_emit_begin(struct mmi_emit *o, int fd);

/*
 * Begin a table of records with this tag, whose items are numbered from first.
 */
void mmi_emit_table(struct mmi_emit *o, uint32_t tag, uint64_t first);

/*
 * The same in the file of `of', beside whose table it is made: its items refer
 * to those of that table, which is never behind it in the file.
 */
void mmi_emit_table_after(struct mmi_emit *o, struct mmi_emit *of,
			  uint32_t tag);

/*
 * That table is complete; what went wrong with it went wrong with `of'.
 * Returns how many items it has.
 */
uint64_t mmi_emit_end(struct mmi_emit *o);

/*
 * One item follows, of at most `most' bytes: there is room for it in this
 * record or in a new one.  False when it is larger than any record.
 */
bool mmi_emit_item(struct mmi_emit *o, size_t most);

/*
 * Where that item begins in its record, for one that tells by what it differs
 * from the one before.
 */
uint32_t mmi_emit_room(struct mmi_emit *o, size_t most);

/* Parts of an item. */
void mmi_emit_number(struct mmi_emit *o, uint64_t v);

/* Items of key/value records. */
void mmi_emit_key_number(struct mmi_emit *o, unsigned key, uint64_t v);
void mmi_emit_key_bytes(struct mmi_emit *o, unsigned key, const void *p,
			size_t n);

/* CRC-32 of n bytes at p, after others; to be made ready once.  ctx: any. */
void mmi_emit_crc_init(void);
uint32_t mmi_emit_crc(uint32_t crc, const void *p, size_t n);

/* The table is complete. */
void mmi_emit_flush(struct mmi_emit *o);

/* The longest varint, in bytes. */
#define MMI_EMIT_NUMBER 10u

#endif
