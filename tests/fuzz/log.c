/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libFuzzer on logs of blocks.  An input is a row of chunks, which get their
 * places and CRCs here.  For each: its kind, two bytes of its count, one of
 * flags (1 pack it, 2 a wrong CRC, 4 another log's, 8 in the next segment, 16
 * the payload is the head itself), one of its length, and that number of bytes.
 */
#include "reduce/base/crc32.h"
#include "reduce/log/log.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SEGMENTS = 3, SEGMENT = MONLOG_SEGMENT_MIN, LONGEST = 255 };
enum { PACK = 1, WRONG = 2, OTHER = 4, NEXT = 8, HEAD = 16 };

static unsigned char file[MONLOG_FIRST + SEGMENTS * SEGMENT];

struct place {
	size_t segment, at, most;
};

static void
begin(struct monlog_header *h)
{
	*h = (struct monlog_header){
		.version = MONLOG_VERSION,
		.order = MONLOG_ORDER,
		.id = 1,
		.segment = SEGMENT,
		.segments = SEGMENTS,
		.flags = MONLOG_F_ACCESS,
	};
	memcpy(h->magic, MONLOG_MAGIC, sizeof h->magic);
	h->crc = crc32_add(0, h, offsetof(struct monlog_header, crc));
	memcpy(file, h, sizeof *h);
}

/* Writes the chunk to its place, as `how' says. */
static void
put(struct place *p, const uint8_t *head, const uint8_t *payload, size_t n)
{
	struct monlog_chunk h = { .magic = MONLOG_CHUNK };
	unsigned char packed[ZSTD_COMPRESSBOUND(LONGEST)], *to;
	unsigned how = head[3];

	if (how & NEXT && p->segment + 1 < SEGMENTS) {
		p->segment++;
		p->at = 0;
	}
	h.kind = head[0];
	h.id = how & OTHER ? 2 : 1;
	h.number = (uint32_t)p->segment;
	h.at = (uint32_t)(p->at / MONLOG_ALIGN);
	h.count = head[1] | (uint32_t)head[2] << 8;
	h.plain = (uint32_t)n;
	if (how & PACK) {
		n = ZSTD_compress(packed, sizeof packed, payload, n, 1);
		payload = packed;
	} else if (how & HEAD) {
		memcpy(&h, payload, n < sizeof h ? n : sizeof h);
		n = 0;
	}
	if (!(how & HEAD))
		h.packed = (uint32_t)n;
	h.crc = crc32_add(0, &h, offsetof(struct monlog_chunk, crc));
	h.crc = crc32_add(h.crc, payload, n) ^ !!(how & WRONG);
	if (p->at + 2 * (sizeof h + n + MONLOG_ALIGN) > SEGMENT)
		return;
	to = file + MONLOG_FIRST + p->segment * SEGMENT + p->at;
	memcpy(to, &h, sizeof h);
	memcpy(to + sizeof h, payload, n);
	p->at += (sizeof h + n + MONLOG_ALIGN - 1) & -(size_t)MONLOG_ALIGN;
	p->most = MONLOG_FIRST + p->segment * SEGMENT + p->at;
}

/* Must hold for each block. */
static void
check(const struct log_reader *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (r->block[i].born > r->block[i].end ||
		    r->block[i].first > r->block[i].last)
			abort();
}

static void
read_log(size_t size)
{
	FILE *f = fmemopen(file, size, "r");
	struct log g = { .size = size, .dumped = true };
	struct log_reader r;

	if (!f || log_scan(&g, f))
		abort();
	log_reader_init(&r, f);
	for (size_t i = 0; i < g.nchunks; i++)
		if (log_reader_blocks(&r, &g.chunks[i], true))
			check(&r, g.chunks[i].count);
	for (size_t i = 0; i < g.nowners_chunks; i++)
		log_reader_plain(&r, &g.owners[i]);
	log_reader_fini(&r);
	log_fini(&g);
	fclose(f);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct place p = { .most = MONLOG_FIRST };
	struct monlog_header h;
	size_t n;

	begin(&h);
	while (size >= 5) {
		n = data[4] < size - 5 ? data[4] : size - 5;
		put(&p, data, data + 5, n);
		data += 5 + n;
		size -= 5 + n;
	}
	read_log(p.most);
	for (size_t i = 0; i <= p.segment; i++)
		memset(file + MONLOG_FIRST + i * SEGMENT, 0,
		       i < p.segment ? SEGMENT : p.at);
	return 0;
}
