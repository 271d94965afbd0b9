/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The counts of cells at the snapshots of an image.  If the notes of one cell
 * are missing or damaged, the file gets no notes.
 */
#include "reduce/image/image_reader.h"

#include <stdlib.h>
#include <string.h>

enum { NOTES_MOST = MONIMG_SNAPSHOTS + 2 };

/*
 * A running process may pack a cell's notes while they are read: then read them
 * again.
 */
enum { TRIES = 4 };

struct note {
	uint64_t snapshot, allocs, frees, bytes, freed;
};

/*
 * slot[number / items of a slot]: the slot of an item; 0 if it isn't in the
 * image.
 */
struct image_items {
	uint32_t *slot, n, size;
};

/*
 * The notes that are being read.  They contain places of snapshots, not
 * numbers.
 */
struct image_notes {
	struct image_items heads, pieces;
	uint64_t left; /* limit of pieces to read, because each is in one
			* list */
	struct note note[NOTES_MOST];
	size_t n;
	struct monrec_change put;
};

/* The bytes of a cell's notes. */
struct bytes {
	struct monimg_piece piece;
	uint32_t left, at;
	bool bad; /* some bytes are missing */
};

/* Numbers of cells and pieces are below this. */
#define NUMBERS_MOST (1u << MONIMG_NODE_BITS)

/* Find the slots that contain the items of a kind, `size' bytes each. */
static void
items_find(const struct image *g, struct image_items *t, uint32_t kind,
	   uint32_t size)
{
	uint32_t slots, per = MONIMG_SLOT / size;

	*t = (struct image_items){ .size = size };
	for (int turn = 0; turn < 2; turn++) {
		slots = 0;
		for (size_t i = 0; i < g->nslots; i++) {
			const struct image_slot *s = &g->slots[i];

			if (s->kind != kind || s->first >= NUMBERS_MOST)
				continue;
			if (s->first / per >= slots)
				slots = s->first / per + 1;
			if (turn)
				t->slot[s->first / per] = s->slot;
		}
		if (!turn)
			t->slot = heap_array(slots + 1, sizeof(*t->slot));
		t->n = slots;
	}
}

/* Read item `number'.  False if it isn't in the image. */
static bool
item_read(struct image *g, const struct image_items *t, uint64_t number,
	  void *to)
{
	uint64_t per = MONIMG_SLOT / t->size, i = number / per;

	if (i >= t->n || !t->slot[i])
		return false;
	image_source_peek(&g->from,
			  (uint64_t)t->slot[i] * MONIMG_SLOT +
				  number % per * t->size,
			  to, t->size);
	return true;
}

static void
piece_read(struct image *g, struct bytes *b, uint32_t number)
{
	b->bad = !number || !g->notes->left ||
		 !item_read(g, &g->notes->pieces, number, &b->piece);
	b->at = 0;
	g->notes->left -= !b->bad;
}

static uint64_t
number_read(struct image *g, struct bytes *b)
{
	uint64_t v = 0;
	uint8_t x = 0x80;

	for (unsigned shift = 0; shift < 64 && x & 0x80; shift += 7) {
		if (!b->bad && b->at == sizeof(b->piece.byte))
			piece_read(g, b, b->piece.next);
		b->bad |= !b->left;
		if (b->bad)
			return 0;
		x = b->piece.byte[b->at++];
		b->left--;
		v |= (uint64_t)(x & 0x7f) << shift;
	}
	return v >> 1 ^ -(v & 1);
}

/*
 * Add a note as the monitor does: a note of the same snapshot replaces the
 * earlier note.
 */
static void
note_add(const struct image *g, struct image_notes *to, struct note n)
{
	n.snapshot = image_times_place(g, n.snapshot);
	if (to->n &&
	    (to->note[to->n - 1].snapshot >= n.snapshot || to->n == NOTES_MOST))
		n.snapshot = to->note[--to->n].snapshot;
	to->note[to->n++] = n;
}

/* Read the notes up to snapshot `heard'.  False if some are missing. */
static bool
notes_read(struct image *g, struct image_notes *to,
	   const struct monimg_notes *h, bool any, uint64_t heard)
{
	struct bytes b = { .left = (uint32_t)h->word };
	struct note n = { 0 };

	if (h->word)
		piece_read(g, &b, (uint32_t)(h->word >> 32));
	while (b.left && !b.bad) {
		n.snapshot += number_read(g, &b);
		n.allocs += number_read(g, &b);
		n.frees += number_read(g, &b);
		n.bytes += any ? number_read(g, &b) : 0;
		n.freed += any ? number_read(g, &b) : 0;
		/* The process made this note after the cell was read. */
		if (n.snapshot > heard)
			break;
		note_add(g, to, n);
	}
	return !b.bad;
}

static void
notes_put(struct image *g, struct image_notes *x)
{
	struct note last = { 0 };

	for (size_t i = 0; i < x->n; i++) {
		const struct note *n = &x->note[i];

		x->put.changes[i].snapshot = n->snapshot - last.snapshot;
		x->put.changes[i].allocs = n->allocs - last.allocs;
		x->put.changes[i].frees = n->frees - last.frees;
		x->put.changes[i].bytes = n->bytes - last.bytes;
		x->put.changes[i].freed = n->freed - last.freed;
		last = *n;
	}
	x->put.n = x->n;
	items_put_change(&g->out, &x->put);
	g->t.changes++;
}

/* Read all notes of the cell.  False if some are missing. */
static bool
cell_read(struct image *g, const struct monimg_cell *c, bool any)
{
	struct image_notes *x = g->notes;
	struct monimg_notes h, now;
	bool ok;

	for (int i = 0; i < TRIES; i++) {
		x->n = 0;
		if (g->cells)
			image_source_forget(&g->from);
		if (!item_read(g, &x->heads, c->number, &h))
			return true;
		ok = notes_read(g, x, &h, any, c->epoch >> MONIMG_SNAPSHOT);
		if (!g->cells)
			return ok;
		image_source_forget(&g->from);
		if (ok && item_read(g, &x->heads, c->number, &now) &&
		    now.packs == h.packs)
			return true;
	}
	return false;
}

/* Write the changes of a cell.  0; 1 if they are unknown. */
static int
cell_put(struct image *g, const struct monimg_cell *c,
	 const struct monimg_extra *e, uint32_t site)
{
	uint64_t size = c->key & ((1ull << MONIMG_SIZE_BITS) - 1);
	bool any = size >= MONIMG_SIZE_ANY;
	struct note now = { .snapshot = (c->epoch >> MONIMG_SNAPSHOT) + 1,
			    .allocs = c->allocs - e->away,
			    .frees = c->frees - e->away };
	struct image_notes *x = g->notes;

	x->put.site = site;
	x->put.any = any;
	x->put.size = any ? size - MONIMG_SIZE_ANY : size;
	if (!cell_read(g, c, any))
		return 1;
	if (any) {
		now.bytes = e->bytes - e->away_bytes;
		now.freed = e->freed - e->away_bytes;
	}
	if (!(now.allocs | now.frees))
		return 0;
	note_add(g, x, now);
	notes_put(g, x);
	return 0;
}

/* Are the snapshots that were written still in the image? */
static bool
snapshots_stay(struct image *g)
{
	const struct monimg_snapshots *s = &g->global->snapshots;
	size_t i, k = 0;

	image_source_forget(&g->from);
	image_global(g);
	for (i = 0; i < s->n && i < MONIMG_SNAPSHOTS && k < g->nsnapshots; i++)
		k += s->snapshot[i].number == g->snapshots[k];
	return k == g->nsnapshots && !s->notes_lost;
}

/* Find the slots of the notes; in a running process, the present ones. */
static void
slots_find(struct image *g)
{
	struct image now = { .h = g->h, .from = g->from };

	if (g->cells)
		image_slots(&now);
	else
		now.slots = g->slots, now.nslots = g->nslots;
	g->from = now.from;
	items_find(&now, &g->notes->heads, MONIMG_NOTES,
		   sizeof(struct monimg_notes));
	items_find(&now, &g->notes->pieces, MONIMG_PIECES,
		   sizeof(struct monimg_piece));
	g->notes->left = (uint64_t)g->notes->pieces.n * TRIES *
			 (MONIMG_SLOT / sizeof(struct monimg_piece));
	if (g->cells)
		free(now.slots);
}

static void
notes_begin(struct image *g)
{
	struct image_notes *x = g->notes = heap_array(1, sizeof(*x));

	x->put.changes = heap_array(NOTES_MOST, sizeof(*x->put.changes));
	slots_find(g);
}

static void
notes_fini(struct image *g)
{
	free(g->notes->put.changes);
	free(g->notes->heads.slot);
	free(g->notes->pieces.slot);
	free(g->notes);
	g->notes = NULL;
}

void
image_put_notes(struct image *g)
{
	int status;

	g->t.changes = MONREC_NOT_KNOWN;
	if (g->h.outside_notes || g->global->snapshots.notes_lost ||
	    !g->t.snapshots)
		return;
	notes_begin(g);
	g->t.changes = 0;
	emit_open(&g->out, MONOUT_CHANGES, 0);
	status = image_each_cell(g, cell_put);
	emit_close(&g->out);
	if (status > 0 || (g->cells && !snapshots_stay(g)))
		g->t.changes = MONREC_NOT_KNOWN;
	notes_fini(g);
}
