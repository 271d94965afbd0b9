/* SPDX-License-Identifier: MIT */
/* What cells had counted at moments: noted, written. */
#include "monitor/history.h"

#include <string.h>

#include "monitor/arena.h"
#include "monitor/rows.h"
#include "monitor/times.h"

/* What a cell had counted. */
struct note {
	uint64_t moment; /* its number */
	uint64_t allocs, frees;
	uint64_t bytes, freed; /* of a cell for all sizes */
};

/*
 * Notes are a list of pieces of bytes: numbers, each note's less those of the
 * one before.
 */
struct piece {
	uint32_t next;
	uint8_t byte[28];
};
#define PIECE sizeof(((struct piece *)NULL)->byte)

/* A cell's notes.  Its thread writes; who writes the file reads `word'. */
struct head {
	uint64_t word; /* number of the first piece << 32 | bytes in all */
	uint64_t allocs, frees, bytes, freed; /* as noted last */
	uint32_t moment, last; /* the last note's, the last piece */
};

#define SHIFT 9u
static void *dir[1u << 17];
static struct mmi_array pieces = {
	.chunk = dir,
	.chunks = 1u << 17,
	.shift = SHIFT,
	.size = sizeof(struct piece),
	.used = 1,
};

#define HEADS_SHIFT 8u
static struct head *heads[MMI_CELLS_MAX >> HEADS_SHIFT];

/* Memory for it: so much, and an eighth of all that there is, to a limit. */
#define LEAST ((uint64_t)4 << 20)
#define MOST ((uint64_t)48 << 20)
static uint64_t used; /* bytes */
static int lost;      /* atomic: something isn't noted */

/* The longest note: five numbers. */
#define NOTE_MOST (5 * MMI_EMIT_NUMBER)

static bool
room(uint64_t size)
{
	uint64_t most = LEAST + mmi_arena_used() / 8;

	return LOAD(&used) + size <= (most < MOST ? most : MOST) &&
	       !mmi_arena_tight();
}

static struct head *
head_at(uint32_t i)
{
	struct head *h = LOAD_ACQ(&heads[i >> HEADS_SHIFT]);

	return h ? h + (i & ((1u << HEADS_SHIFT) - 1)) : NULL;
}

static COLD bool
heads_make(uint32_t i)
{
	size_t size = sizeof(struct head) << HEADS_SHIFT;
	struct head *h, *none = NULL;

	if (!room(size) || !(h = mmi_arena_map(size)))
		return false;
	if (CAS(&heads[i >> HEADS_SHIFT], &none, h))
		FETCH_ADD(&used, size);
	else
		mmi_arena_unmap(h, size);
	return true;
}

static struct piece *
piece_at(uint32_t i)
{
	return mmi_array_at(&pieces, i);
}

/* Another piece; 0: no room. */
static uint32_t
piece_new(void)
{
	uint32_t i;

	if (!room(sizeof(struct piece)) || !mmi_array_add(&pieces, &i))
		return 0;
	FETCH_ADD(&used, sizeof(struct piece));
	return i;
}

/* Below 0 is two's complement. */
static unsigned
put_signed(uint8_t *to, uint64_t v)
{
	unsigned n = 0;

	for (v = v << 1 ^ -(v >> 63); v > 0x7f; v >>= 7)
		to[n++] = (uint8_t)(v | 0x80);
	to[n++] = (uint8_t)v;
	return n;
}

/* n bytes behind those that the head has.  False: no room. */
static bool
append(struct head *h, const uint8_t *from, unsigned n)
{
	uint64_t word = h->word;
	uint32_t at = (uint32_t)word, first = (uint32_t)(word >> 32);
	uint32_t last = h->last, i;

	for (unsigned k = 0; k < n; k++, at++) {
		if (at % PIECE == 0) {
			/* That of a note which found no room is used. */
			i = piece_new();
			if (!i)
				return false;
			if (at)
				STORE(&piece_at(last)->next, i);
			else
				first = i;
			last = i;
		}
		piece_at(last)->byte[at % PIECE] = from[k];
	}
	h->last = last;
	STORE_REL(&h->word, (uint64_t)first << 32 | at);
	return true;
}

/* What the cell has counted by now. */
static void
read_cell(const struct mmi_cell *c, struct note *n)
{
	const struct mmi_extra *x = c->extra;
	uint64_t away = x ? x->away : 0;
	bool any = mmi_cell_size(c) >= MMI_CELL_ANY && x;

	n->allocs = c->allocs - away;
	n->frees = c->frees - away;
	n->bytes = any ? x->bytes - x->away_bytes : 0;
	n->freed = any ? x->freed - x->away_bytes : 0;
}

static bool
note(struct mmi_cell *c, const struct note *n)
{
	struct head *h = head_at(c->number);
	uint8_t bytes[NOTE_MOST];
	unsigned k = 0;

	if (!h && !(heads_make(c->number) && (h = head_at(c->number))))
		return false;
	if (h->allocs == n->allocs && h->frees == n->frees)
		return true;
	k += put_signed(bytes, n->moment - h->moment);
	k += put_signed(bytes + k, n->allocs - h->allocs);
	k += put_signed(bytes + k, n->frees - h->frees);
	if (mmi_cell_size(c) >= MMI_CELL_ANY) {
		k += put_signed(bytes + k, n->bytes - h->bytes);
		k += put_signed(bytes + k, n->freed - h->freed);
	}
	if (!append(h, bytes, k))
		return false;
	h->moment = (uint32_t)n->moment;
	h->allocs = n->allocs;
	h->frees = n->frees;
	h->bytes = n->bytes;
	h->freed = n->freed;
	return true;
}

COLD void
mmi_history_note(struct mmi_thread *t, struct mmi_cell *c)
{
	struct note n;

	(void)t;
	if (!(c->allocs | c->frees) || LOAD(&lost))
		return;
	read_cell(c, &n);
	/* It has changed since it heard of a moment, and not after the next. */
	n.moment = (c->epoch >> MMI_HEAP_MOMENT) + 1;
	if (!note(c, &n))
		STORE(&lost, 1);
}

void
mmi_history_clear(void)
{
	STORE(&lost, 0);
	STORE(&used, 0);
}

/* ------------------------------------------------------------- the file -- */

static struct mmi_emit out;
static uint64_t items;
static bool all; /* nothing is missing */

void
mmi_history_table(struct mmi_emit *o)
{
	out.fd = o->fd;
	out.failed = o->failed;
	items = 0;
	all = mmi_times_step() && !LOAD(&lost);
	mmi_emit_table(&out, MONOUT_CHANGES, 0);
}

void
mmi_history_lost(void)
{
	all = false;
}

/* Where the notes of a cell are read. */
struct reader {
	const struct piece *p;
	uint32_t left, at; /* bytes: in all, and of p */
};

static uint64_t
get_signed(struct reader *r)
{
	uint64_t v = 0;
	uint8_t b = 0x80;

	for (unsigned shift = 0; shift < 64 && b & 0x80; shift += 7) {
		if (!r->left || !r->p)
			return 0;
		if (r->at == PIECE) {
			r->at = 0;
			r->p = piece_at(LOAD(&r->p->next));
			if (!r->p)
				return 0;
		}
		b = r->p->byte[r->at++];
		r->left--;
		v |= (uint64_t)(b & 0x7f) << shift;
	}
	return v >> 1 ^ -(v & 1);
}

/* What goes to the file of a cell; places instead of numbers of moments. */
static struct note notes[MMI_MOMENTS + 1];
static unsigned nnotes;

/* What it had at a moment, or at the next one that is still there. */
static void
add(struct note n)
{
	n.moment = mmi_times_place(n.moment);
	if (nnotes && notes[nnotes - 1].moment >= n.moment) {
		n.moment = notes[nnotes - 1].moment;
		nnotes--;
	}
	notes[nnotes++] = n;
}

static void
read_notes(const struct mmi_cell *c)
{
	const struct head *h = head_at(c->number);
	uint64_t word = h ? LOAD_ACQ(&h->word) : 0;
	struct note n = { 0 };
	struct reader r = { .left = (uint32_t)word };

	if (!word)
		return;
	r.p = piece_at((uint32_t)(word >> 32));
	while (r.left && r.p) {
		n.moment += get_signed(&r);
		n.allocs += get_signed(&r);
		n.frees += get_signed(&r);
		if (mmi_cell_size(c) >= MMI_CELL_ANY) {
			n.bytes += get_signed(&r);
			n.freed += get_signed(&r);
		}
		add(n);
	}
}

static void
emit_signed(uint64_t v)
{
	mmi_emit_number(&out, v << 1 ^ -(v >> 63));
}

static void
put_notes(struct mmi_emit *o, uint64_t site, uint64_t thread, uint64_t size)
{
	struct note last = { 0 };

	mmi_emit_item_after(&out, o, (4 + 5 * nnotes) * MMI_EMIT_NUMBER);
	mmi_emit_number(&out, site);
	mmi_emit_number(&out, thread);
	mmi_emit_number(&out, size);
	mmi_emit_number(&out, nnotes);
	for (unsigned i = 0; i < nnotes; i++) {
		const struct note *n = &notes[i];

		mmi_emit_number(&out, n->moment - last.moment);
		emit_signed(n->allocs - last.allocs);
		emit_signed(n->frees - last.frees);
		if (size & 1) {
			emit_signed(n->bytes - last.bytes);
			emit_signed(n->freed - last.freed);
		}
		last = *n;
	}
	items++;
}

void
mmi_history_cell(struct mmi_emit *o, const struct mmi_cell *c, uint64_t site,
		 uint64_t thread, uint64_t size, const struct mmi_row *r)
{
	struct note n = { .moment = (LOAD_ACQ(&c->epoch) >> MMI_HEAP_MOMENT) + 1,
			  .allocs = r->allocs,
			  .frees = r->frees };

	if (!all || !(r->allocs | r->frees))
		return;
	if (size & 1) {
		n.bytes = r->bytes;
		n.freed = r->freed;
	}
	nnotes = 0;
	read_notes(c);
	add(n);
	put_notes(o, site, thread, size);
}

uint64_t
mmi_history_end(struct mmi_emit *o)
{
	mmi_emit_flush(&out);
	o->failed |= out.failed;
	return all ? items : UINT64_MAX;
}
