/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Write the format of mon.out(5) into memory. */
#include "reduce/monout/emit.h"
#include "reduce/base/arena.h"
#include "reduce/base/crc32.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	       "structs are written as they are in memory");

void
emit_bytes(struct emit *e, const void *p, size_t n)
{
	size_t need;

	if (e->failed || !n)
		return;
	if (__builtin_add_overflow(e->length, n, &need)) {
		e->failed = true;
		return;
	}
	ARRAY_ROOM(e->data, e->room, need);
	memcpy(e->data + e->length, p, n);
	e->length = need;
}

void
emit_number(struct emit *e, uint64_t v)
{
	unsigned char b[10];
	size_t n = 0;

	do {
		b[n++] = (unsigned char)((v & 0x7f) | (v > 0x7f ? 0x80 : 0));
		v >>= 7;
	} while (v);
	emit_bytes(e, b, n);
}

void
emit_string(struct emit *e, const void *p, size_t n)
{
	emit_number(e, n);
	emit_bytes(e, p, n);
}

void
emit_header_crc(struct emit *e)
{
	size_t at = offsetof(struct monout_header, crc);
	uint32_t crc;

	if (e->failed || e->length < sizeof(struct monout_header))
		return;
	crc = crc32_add(0, e->data, at);
	memcpy(e->data + at, &crc, sizeof(crc));
}

void
emit_header(struct emit *e, uint32_t flags)
{
	struct monout_header h = {
		.major = MONOUT_MAJOR,
		.minor = MONOUT_MINOR,
		.order = MONOUT_ORDER,
		.flags = flags,
	};

	memcpy(h.magic, MONOUT_MAGIC, sizeof(h.magic));
	emit_bytes(e, &h, sizeof(h));
	emit_header_crc(e);
}

/* Leave room for the head of the record; emit_end() fills it in. */
static void
emit_begin(struct emit *e)
{
	struct monout_record r = { 0 };

	e->record = e->length;
	e->count = 0;
	emit_bytes(e, &r, sizeof(r));
	e->item = e->length;
}

/* Fill in the head of the record.  Bytes from e->item on aren't part of it. */
static void
emit_end(struct emit *e)
{
	struct monout_record r = {
		.tag = e->tag,
		.count = e->count,
		.first = e->first,
	};

	if (e->failed)
		return;
	r.length = (uint32_t)(e->item - e->record - sizeof(r));
	r.crc = crc32_add(0, &r, offsetof(struct monout_record, crc));
	r.crc = crc32_add(r.crc, e->data + e->record + sizeof(r), r.length);
	memcpy(e->data + e->record, &r, sizeof(r));
	e->first += e->count;
}

void
emit_open(struct emit *e, uint32_t tag, uint64_t first)
{
	e->tag = tag;
	e->first = first;
	emit_begin(e);
}

void
emit_next(struct emit *e)
{
	if (!e->count)
		return;
	emit_end(e);
	emit_begin(e);
}

/*
 * Close the record before the unfinished item, and open another for the item.
 */
static void
emit_split(struct emit *e)
{
	size_t n = e->length - e->item;
	unsigned char *item = heap_new(n);

	memcpy(item, e->data + e->item, n);
	e->length = e->item;
	emit_end(e);
	emit_begin(e);
	emit_bytes(e, item, n);
	free(item);
}

void
emit_item(struct emit *e)
{
	size_t head = sizeof(struct monout_record);

	if (e->failed)
		return;
	if (e->length - e->item > MONOUT_PAYLOAD_MAX) {
		e->failed = true;
		return;
	}
	if (e->count && (e->count == e->most ||
			 e->length - e->record - head > MONOUT_PAYLOAD_MAX))
		emit_split(e);
	e->count++;
	e->item = e->length;
}

void
emit_key_number(struct emit *e, uint64_t key, uint64_t v)
{
	uint64_t n = 1, rest;

	for (rest = v >> 7; rest; rest >>= 7)
		n++;
	emit_number(e, key);
	emit_number(e, n);
	emit_number(e, v);
	emit_item(e);
}

void
emit_key_string(struct emit *e, uint64_t key, const void *p, size_t n)
{
	emit_number(e, key);
	emit_string(e, p, n);
	emit_item(e);
}

void
emit_close(struct emit *e)
{
	if (e->failed)
		return;
	if (e->count)
		emit_end(e);
	else
		e->length = e->record;
}

void
emit_fini(struct emit *e)
{
	free(e->data);
	*e = (struct emit){ 0 };
}
