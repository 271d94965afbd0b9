/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Find the chunks of a log.
 *
 * The chunks of a segment follow each other.  A gap remains if a process was
 * killed before it wrote a chunk that it had reserved a place for: then the
 * next chunk is searched for.  Old chunks of a reused segment have another
 * number.
 */
#include "reduce/base/crc32.h"
#include "reduce/base/sort.h"
#include "reduce/log/log.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that one read looks through. */
enum { WINDOW = 65536 };

struct scan {
	struct log *g;
	FILE *f;
	unsigned char *payload; /* MONLOG_PLAIN_MAX */
	unsigned char *window;	/* WINDOW */
	uint64_t wasted;	/* bytes of payloads that can't be read */
};

/* Is h, at `off' of a segment, the head of a chunk of this log? */
static bool
scan_head(const struct scan *s, const struct monlog_chunk *h, uint64_t off)
{
	return h->magic == MONLOG_CHUNK && h->id == s->g->head.id &&
	       (uint64_t)h->at * MONLOG_ALIGN == off &&
	       h->plain <= MONLOG_PLAIN_MAX && h->packed <= h->plain &&
	       h->kind >= MONLOG_SEGMENT && h->kind <= MONLOG_OWNERS &&
	       h->count <= MONLOG_BLOCKS_MAX &&
	       off + sizeof(*h) + h->packed <= s->g->head.segment;
}

/* Is its payload whole? */
static bool
scan_payload(struct scan *s, const struct monlog_chunk *h, uint64_t at)
{
	uint32_t crc = crc32_add(0, h, offsetof(struct monlog_chunk, crc));

	if (fseeko(s->f, (off_t)(at + sizeof(*h)), SEEK_SET) == 0 &&
	    fread(s->payload, 1, h->packed, s->f) == h->packed &&
	    crc32_add(crc, s->payload, h->packed) == h->crc)
		return true;
	s->wasted += h->packed + sizeof(*h);
	return false;
}

/* Note a chunk of the log. */
static void
scan_take(struct scan *s, const struct monlog_chunk *h, uint64_t at)
{
	struct log *g = s->g;
	struct log_chunk c = { at,	  h->kind, h->count,  h->plain,
			       h->packed, h->crc,  h->number, h->blocks };
	bool owners = h->kind == MONLOG_OWNERS;
	struct log_chunk **list = owners ? &g->owners : &g->chunks;
	size_t *n = owners ? &g->nowners_chunks : &g->nchunks, *room;

	if (h->kind != MONLOG_FREED && (!g->dumped || h->dump != g->dump))
		return;
	room = owners ? &g->owners_room : &g->room;
	ARRAY_ADD(*list, *room, *n, c);
}

/*
 * Read the chunk with head h at `off'.  Returns its size in bytes; 0: it isn't
 * a chunk of segment *number.  *number < 0: of any; it is set.
 */
static uint64_t
scan_at(struct scan *s, uint64_t base, uint64_t off, int64_t *number,
	const struct monlog_chunk *h)
{
	struct log *g = s->g;

	if (!scan_head(s, h, off) || (*number >= 0 && h->number != *number) ||
	    s->wasted > 2 * g->size + (1u << 24) ||
	    !scan_payload(s, h, base + off))
		return 0;
	*number = h->number;
	if (h->kind == MONLOG_SEGMENT) {
		if (h->blocks > g->folded)
			g->folded = h->blocks;
		if (h->high > g->until)
			g->until = h->high;
	} else
		scan_take(s, h, base + off);
	return (sizeof(*h) + h->packed + MONLOG_ALIGN - 1) &
	       -(uint64_t)MONLOG_ALIGN;
}

/* The next head at `off' or behind it that may be one; `end': none. */
static uint64_t
scan_next(struct scan *s, uint64_t base, uint64_t off, uint64_t end)
{
	struct monlog_chunk h;
	size_t n, i;

	for (; off < end; off += n) {
		if (fseeko(s->f, (off_t)(base + off), SEEK_SET))
			return end;
		n = end - off < WINDOW ? end - off : WINDOW;
		n = fread(s->window, 1, n, s->f);
		for (i = 0; i + sizeof(h) <= n; i += MONLOG_ALIGN) {
			memcpy(&h, s->window + i, sizeof(h));
			if (scan_head(s, &h, off + i))
				return off + i;
		}
		if (n < sizeof(h))
			return end;
		n -= n % MONLOG_ALIGN;
	}
	return end;
}

static void
scan_segment(struct scan *s, uint64_t base)
{
	struct log *g = s->g;
	uint64_t end = g->size - base, off = 0, n;
	int64_t number = -1;
	struct monlog_chunk h;

	end = end < g->head.segment ? end : g->head.segment;
	while (off + sizeof(h) <= end) {
		n = 0;
		if (fseeko(s->f, (off_t)(base + off), SEEK_SET) == 0 &&
		    fread(&h, sizeof(h), 1, s->f) == 1)
			n = scan_at(s, base, off, &number, &h);
		off = n ? off + n : scan_next(s, base, off + MONLOG_ALIGN, end);
	}
}

SORT_BY(scan_compare, struct log_chunk, SORT_UP(number) SORT_UP(at))

/* Is the head a log's?  Returns the problem, or NULL. */
static const char *
scan_header(struct log *g, FILE *f)
{
	struct monlog_header *h = &g->head;

	if (fread(h, sizeof(*h), 1, f) != 1 ||
	    memcmp(h->magic, MONLOG_MAGIC, sizeof(h->magic)) != 0)
		return "isn't a log of memmon";
	if (h->order != MONLOG_ORDER || h->version != MONLOG_VERSION)
		return "is of another version of memmon; use the mpreduce of "
		       "that version";
	if (crc32_add(0, h, offsetof(struct monlog_header, crc)) != h->crc ||
	    h->segment < MONLOG_SEGMENT_MIN ||
	    h->segment > MONLOG_SEGMENT_MAX || h->segment % MONLOG_ALIGN ||
	    !h->segments || h->segments > MONLOG_SEGMENTS_MAX)
		return "is damaged at its beginning";
	return NULL;
}

const char *
log_scan(struct log *g, FILE *f)
{
	struct scan s = { .g = g, .f = f };
	const char *problem = scan_header(g, f);
	uint64_t base = MONLOG_FIRST;
	uint32_t i;

	if (problem)
		return problem;
	s.payload = heap_new(MONLOG_PLAIN_MAX);
	s.window = heap_new(WINDOW);
	for (i = 0; i < g->head.segments && base < g->size; i++) {
		scan_segment(&s, base);
		base += g->head.segment;
	}
	free(s.payload);
	free(s.window);
	SORT(g->chunks, g->nchunks, scan_compare);
	SORT(g->owners, g->nowners_chunks, scan_compare);
	return NULL;
}
