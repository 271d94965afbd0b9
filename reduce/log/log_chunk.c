/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One chunk of a log. */
#include "reduce/base/crc32.h"
#include "reduce/monout/cursor.h"
#include "reduce/log/log.h"
#include "reduce/model/counts.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

void
log_reader_init(struct log_reader *r, FILE *f)
{
	*r = (struct log_reader){ .f = f };
	r->context = ZSTD_createDCtx();
	r->packed = heap_new(MONLOG_PLAIN_MAX + sizeof(struct monlog_chunk));
	r->plain = heap_new(MONLOG_PLAIN_MAX);
	r->block = heap_new(MONLOG_BLOCKS_MAX * sizeof(*r->block));
	if (!r->context)
		heap_out();
}

void
log_reader_fini(struct log_reader *r)
{
	ZSTD_freeDCtx(r->context);
	free(r->packed);
	free(r->plain);
	free(r->block);
}

bool
log_reader_plain(struct log_reader *r, const struct log_chunk *c)
{
	size_t head = sizeof(struct monlog_chunk), n = c->packed;
	const unsigned char *from = r->packed + head;
	struct monlog_chunk h;
	uint32_t crc;

	if (n > MONLOG_PLAIN_MAX || c->plain > MONLOG_PLAIN_MAX ||
	    fseeko(r->f, (off_t)c->at, SEEK_SET) ||
	    fread(r->packed, 1, head + n, r->f) != head + n)
		return false;
	memcpy(&h, r->packed, head);
	crc = crc32_add(0, r->packed, offsetof(struct monlog_chunk, crc));
	if (crc32_add(crc, from, n) != h.crc || h.crc != c->crc)
		return false;
	if (n == c->plain) {
		memcpy(r->plain, from, n);
		return true;
	}
	return ZSTD_decompressDCtx(r->context, r->plain, MONLOG_PLAIN_MAX, from,
				   n) == c->plain;
}

static uint32_t
small(struct cursor *c)
{
	uint64_t v = cursor_number(c);

	c->bad |= v > UINT32_MAX;
	return (uint32_t)v;
}

/* The columns that all blocks have. */
static void
log_chunk_columns(struct cursor *c, struct log_block *b, size_t n)
{
	uint64_t before = 0;
	size_t i;

	for (i = 0; i < n; i++)
		b[i].node = small(c);
	for (i = 0; i < n; i++)
		b[i].size = cursor_number(c);
	for (i = 0; i < n; i++)
		b[i].address = before = before + cursor_zigzag(c);
	for (i = 0, before = 0; i < n; i++)
		b[i].end = before = before + cursor_zigzag(c);
	for (i = 0; i < n; i++)
		b[i].life = cursor_number(c);
	for (i = 0; i < n; i++)
		b[i].owner = small(c);
	for (i = 0; i < n; i++)
		b[i].other = small(c);
	for (i = 0; i < n; i++)
		b[i].flags = small(c);
}

static void
log_chunk_accesses(struct cursor *c, struct log_block *b, size_t n, bool places)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (b[i].flags & MONLOG_B_USED)
			b[i].reads = cursor_number(c);
	for (i = 0; i < n; i++)
		if (b[i].flags & MONLOG_B_USED)
			b[i].writes = cursor_number(c);
	for (i = 0; i < n; i++)
		if (b[i].flags & MONLOG_B_USED)
			b[i].first = cursor_number(c);
	for (i = 0; i < n; i++)
		if (b[i].flags & MONLOG_B_USED)
			b[i].last = cursor_number(c);
	for (i = 0; i < n && places; i++)
		if (b[i].flags & MONLOG_B_USED)
			b[i].low = cursor_number(c);
	for (i = 0; i < n && places; i++)
		if (b[i].flags & MONLOG_B_USED)
			b[i].span = cursor_number(c);
}

bool
log_reader_blocks(struct log_reader *r, const struct log_chunk *k,
		  uint32_t flags)
{
	struct cursor c;
	struct log_block *b = r->block;
	size_t i;

	if (k->count > MONLOG_BLOCKS_MAX || !log_reader_plain(r, k))
		return false;
	c = (struct cursor){ r->plain, r->plain + k->plain, false };
	memset(b, 0, k->count * sizeof(*b));
	log_chunk_columns(&c, b, k->count);
	if (flags & MONLOG_F_ACCESS)
		log_chunk_accesses(&c, b, k->count, flags & MONLOG_F_PLACES);
	if (c.bad || c.p != c.end)
		return false;
	for (i = 0; i < k->count; i++) {
		if (k->kind == MONLOG_LIVE) {
			b[i].born = b[i].end;
			b[i].end = UINT64_MAX;
		} else if (b[i].life > b[i].end || b[i].end == UINT64_MAX) {
			return false;
		} else {
			b[i].born = b[i].end - b[i].life;
		}
		b[i].first = counts_capped(b[i].born, b[i].first);
		b[i].last = counts_capped(b[i].first, b[i].last);
	}
	return true;
}
