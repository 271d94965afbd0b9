/* SPDX-License-Identifier: MIT */
/* What cells had counted at snapshots: notes are written and packed. */
#include "monitor/counts/history.h"

#include <string.h>

#include "monitor/base/arena.h"
#include "monitor/counts/history_notes.h"
#include "monitor/counts/snapshots.h"
#include "monitor/image/image.h"

/*
 * Memory for notes: LEAST and a sixteenth of all that the monitor uses, at most
 * MOST; and at most a sixteenth of the limit that MEMMON_MAXMEM sets.
 */
#define LEAST ((uint64_t)1 << 20)
#define MOST ((uint64_t)8 << 20)

#define PIECES_SHIFT 9u
static void *dir[1u << 13];
static struct mmi_array pieces = {
	.chunk = dir,
	.chunks = 1u << 13,
	.shift = PIECES_SHIFT,
	.size = sizeof(struct mmi_piece),
	.used = 1,
	.home = &mmi_image_home,
	.kind = MONIMG_PIECES,
};

/* The structs of monimg.h have the same layout. */
_Static_assert(sizeof(struct mmi_head) == sizeof(struct monimg_notes) &&
		       offsetof(struct mmi_head, note) ==
			       offsetof(struct monimg_notes, last) &&
		       offsetof(struct mmi_head, packs) ==
			       offsetof(struct monimg_notes, packs) &&
		       sizeof(struct mmi_piece) == sizeof(struct monimg_piece),
	       "notes");

/* 256 heads fill a slot of the image.  A part points to 1,024 such slots. */
#define HEADS_SHIFT 8u
#define HEADS_SIZE (sizeof(struct mmi_head) << HEADS_SHIFT)
#define PART_SHIFT 10u
#define PART_SIZE (sizeof(struct mmi_head *) << PART_SHIFT)
static struct mmi_head **parts[MMI_CELLS_MAX >> (HEADS_SHIFT + PART_SHIFT)];
static uint32_t given; /* cells below this have no heads */

/*
 * Free pieces: the number of the first, and above it a count that tells one
 * state of the list from another.
 */
static uint64_t idle;

static uint64_t bytes_used; /* atomic, bytes */
static uint64_t trigger;    /* atomic: notes are packed from this many bytes
			     * on */
static uint32_t packing;    /* atomic: rises when all threads are to pack */

/* The longest note: five numbers of at most 10 bytes. */
#define NOTE_MOST (5 * 10u)

static uint64_t
budget(void)
{
	uint64_t n = LEAST + mmi_arena_used() / 16, limit = mmi_arena_limited();

	if (n > MOST)
		n = MOST;
	return limit && n > limit / 16 ? limit / 16 : n;
}

/* The place of the pointer to the heads of cell i; NULL: not made yet. */
static struct mmi_head **
heads_of(uint32_t i)
{
	struct mmi_head **part =
		LOAD_ACQ(&parts[i >> (HEADS_SHIFT + PART_SHIFT)]);

	return part ? &part[i >> HEADS_SHIFT & ((1u << PART_SHIFT) - 1)] : NULL;
}

struct mmi_head *
mmi_history_head(uint32_t i)
{
	struct mmi_head **p = heads_of(i), *h = p ? LOAD_ACQ(p) : NULL;

	return h ? h + (i & ((1u << HEADS_SHIFT) - 1)) : NULL;
}

static COLD struct mmi_head **
part_make(uint32_t i)
{
	struct mmi_head **part = mmi_arena_map(PART_SIZE), **none = NULL;

	if (part && !CAS(&parts[i >> (HEADS_SHIFT + PART_SHIFT)], &none, part))
		mmi_arena_unmap(part, PART_SIZE);
	return heads_of(i);
}

/* Give back heads that no thread uses and that are all 0. */
static void
heads_give(struct mmi_head *h)
{
	if (mmi_image_home.give(h))
		mmi_arena_uncommit(HEADS_SIZE);
	else
		mmi_arena_unmap(h, HEADS_SIZE);
}

static COLD bool
heads_make(uint32_t i)
{
	uint32_t first = i >> HEADS_SHIFT << HEADS_SHIFT;
	struct mmi_head *h, *none = NULL, **p = heads_of(i);
	bool inside;

	if (mmi_arena_tight() || (!p && !(p = part_make(i))))
		return false;
	h = mmi_image_home.take(MONIMG_NOTES, first, HEADS_SIZE);
	inside = h != NULL;
	if (!h && !(h = mmi_arena_map(HEADS_SIZE)))
		return false;
	if (!CAS(p, &none, h)) {
		heads_give(h);
		return true;
	}
	FETCH_ADD(&bytes_used, HEADS_SIZE);
	if (!inside)
		mmi_image_outside(MONIMG_NOTES, 1u << HEADS_SHIFT);
	return true;
}

/* --------------------------------------------------------------- pieces -- */

struct mmi_piece *
mmi_history_piece(uint32_t i)
{
	return i ? mmi_array_at(&pieces, i) : NULL;
}

static uint32_t
idle_take(void)
{
	uint64_t head = LOAD_ACQ(&idle), next;

	do {
		if (!(uint32_t)head)
			return 0;
		next = ((head >> 32) + 1) << 32 |
		       LOAD(&mmi_history_piece((uint32_t)head)->next);
	} while (!CAS(&idle, &head, next));
	return (uint32_t)head;
}

static void
idle_give(uint32_t i)
{
	uint64_t head = LOAD_ACQ(&idle);

	do
		STORE(&mmi_history_piece(i)->next, (uint32_t)head);
	while (!CAS(&idle, &head, ((head >> 32) + 1) << 32 | i));
	FETCH_ADD(&bytes_used, -sizeof(struct mmi_piece));
}

/* Another piece; 0: no room. */
static uint32_t
piece_new(void)
{
	uint32_t i = idle_take();

	if (!i && (mmi_arena_tight() || !mmi_array_add(&pieces, &i)))
		return 0;
	FETCH_ADD(&bytes_used, sizeof(struct mmi_piece));
	return i;
}

/* Give back all pieces that `bytes' bytes take, from the first on. */
static void
pieces_give(uint32_t i, uint32_t bytes)
{
	uint32_t n = (bytes + MMI_PIECE - 1) / MMI_PIECE, next;

	for (; n-- > 0 && i; i = next) {
		next = n ? mmi_history_piece(i)->next : 0;
		idle_give(i);
	}
}

/* ---------------------------------------------------------------- notes -- */

/* Negative values are stored as zigzag numbers. */
static unsigned
put_signed(uint8_t *to, uint64_t v)
{
	unsigned n = 0;

	for (v = v << 1 ^ -(v >> 63); v > 0x7f; v >>= 7)
		to[n++] = (uint8_t)(v | 0x80);
	to[n++] = (uint8_t)v;
	return n;
}

/* Add n bytes after the head's bytes.  False: no room. */
static bool
append(struct mmi_head *h, const uint8_t *from, unsigned n)
{
	uint64_t word = h->word;
	uint32_t at = (uint32_t)word, first = (uint32_t)(word >> 32);
	uint32_t last = h->last, i;

	for (unsigned k = 0; k < n; k++, at++) {
		if (at % MMI_PIECE == 0) {
			i = piece_new();
			if (!i)
				return false;
			if (at)
				STORE(&mmi_history_piece(last)->next, i);
			else
				first = i;
			last = i;
		}
		mmi_history_piece(last)->byte[at % MMI_PIECE] = from[k];
	}
	h->last = last;
	STORE_REL(&h->word, (uint64_t)first << 32 | at);
	return true;
}

/* Add a note, which is the last one then.  False: no room. */
static bool
note_add(struct mmi_head *h, const struct mmi_note *n, bool any)
{
	uint8_t bytes[NOTE_MOST];
	unsigned k = 0;

	k += put_signed(bytes, n->snapshot - h->note.snapshot);
	k += put_signed(bytes + k, n->allocs - h->note.allocs);
	k += put_signed(bytes + k, n->frees - h->note.frees);
	if (any) {
		k += put_signed(bytes + k, n->bytes - h->note.bytes);
		k += put_signed(bytes + k, n->freed - h->note.freed);
	}
	if (!append(h, bytes, k))
		return false;
	h->note = *n;
	return true;
}

/* The counts of the cell at present. */
static void
read_cell(const struct mmi_cell *c, struct mmi_note *n)
{
	const struct mmi_extra *x = c->extra;
	uint64_t away = x ? x->away : 0;
	bool any = mmi_cell_size(c) >= MMI_CELL_ANY && x;

	n->allocs = c->allocs - away;
	n->frees = c->frees - away;
	n->bytes = any ? x->bytes - x->away_bytes : 0;
	n->freed = any ? x->freed - x->away_bytes : 0;
}

/* The cell's head, made if there is none; NULL: no room. */
static struct mmi_head *
head_of(struct mmi_thread *t, uint32_t i)
{
	struct mmi_head *h = mmi_history_head(i);

	if (!h && heads_make(i))
		h = mmi_history_head(i);
	if (h && !h->listed) {
		h->listed = 1;
		h->next = t->noted;
		t->noted = i;
	}
	return h;
}

static bool
note(struct mmi_thread *t, struct mmi_cell *c, const struct mmi_note *n)
{
	struct mmi_head *h = head_of(t, c->number);

	if (!h)
		return false;
	if (h->note.allocs == n->allocs && h->note.frees == n->frees)
		return true;
	t->notes++;
	return note_add(h, n, mmi_cell_size(c) >= MMI_CELL_ANY);
}

/* ---------------------------------------------------------------- pack -- */

/* Guarded by mmi_snapshots_hold(). */
static struct mmi_notes packed;

/* Keep only notes of snapshots that still exist. */
static void
head_pack(struct mmi_head *h, bool any)
{
	struct mmi_head new = { 0 };
	uint64_t word = h->word;
	bool ok = true;

	packed.n = 0;
	if (mmi_history_read(&packed, h, any, mmi_snapshots_kept) == packed.n)
		return;
	for (unsigned i = 0; i < packed.n && ok; i++)
		ok = note_add(&new, &packed.note[i], any);
	if (!ok) {
		pieces_give((uint32_t)(new.word >> 32), (uint32_t) new.word);
		return;
	}
	h->last = new.last;
	h->note = new.note;
	STORE_REL(&h->word, new.word);
	/* Readers of the old pieces notice it now. */
	__atomic_store_n(&h->packs, h->packs + 1, __ATOMIC_SEQ_CST);
	pieces_give((uint32_t)(word >> 32), (uint32_t)word);
}

/* Pack all notes of the thread; thin: first delete snapshots. */
static void
pack(struct mmi_thread *t, bool thin)
{
	const struct mmi_head *h;

	if (!mmi_snapshots_hold())
		return;
	if (thin) {
		mmi_snapshots_thin_all();
		STORE(&packing, packing + 1);
	}
	t->packed = LOAD(&packing);
	for (uint32_t i = t->noted; i; i = h->next) {
		h = mmi_history_head(i);
		head_pack((struct mmi_head *)h,
			  mmi_cell_size(mmi_cells_at(i)) >= MMI_CELL_ANY);
	}
	mmi_snapshots_release();
}

/* There are too many bytes of notes: delete some. */
static COLD void
make_room(struct mmi_thread *t)
{
	uint64_t most = budget(), n;

	if (!LOAD(&trigger))
		STORE(&trigger, most);
	if (LOAD(&bytes_used) >= LOAD(&trigger)) {
		pack(t, true);
		n = LOAD(&bytes_used) + LOAD(&bytes_used) / 4;
		STORE(&trigger, n > most ? n : most);
	} else if (t->packed != LOAD(&packing)) {
		pack(t, false);
	}
	if (LOAD(&bytes_used) > 2 * most)
		STORE(&mmi_shared.snapshots.notes_lost, 1);
}

COLD void
mmi_history_note(struct mmi_thread *t, struct mmi_cell *c)
{
	struct mmi_note n;

	if (!(c->allocs | c->frees) || LOAD(&mmi_shared.snapshots.notes_lost))
		return;
	if (UNLIKELY(LOAD(&bytes_used) >= LOAD(&trigger) ||
		     t->packed != LOAD(&packing)))
		make_room(t);
	read_cell(c, &n);
	/*
	 * The cell has changed since it saw a snapshot, but not after the next
	 * one.
	 */
	n.snapshot = (c->epoch >> MMI_HEAP_SNAPSHOT) + 1;
	if (!note(t, c, &n))
		STORE(&mmi_shared.snapshots.notes_lost, 1);
}

bool
mmi_history_whole(void)
{
	return !LOAD(&mmi_shared.snapshots.notes_lost);
}

uint64_t
mmi_history_notes(void)
{
	const struct mmi_thread *t = NULL;
	uint64_t n = 0;

	while ((t = mmi_thread_next(t)))
		n += LOAD(&t->notes);
	return n;
}

void
mmi_history_drop(struct mmi_thread *t)
{
	struct mmi_head *h;
	uint64_t word;

	for (uint32_t i = t->noted; i; i = h->next) {
		h = mmi_history_head(i);
		word = h->word;
		STORE_REL(&h->word, 0);
		__atomic_store_n(&h->packs, h->packs + 1, __ATOMIC_SEQ_CST);
		pieces_give((uint32_t)(word >> 32), (uint32_t)word);
	}
	t->noted = 0;
}

void
mmi_history_reset(void)
{
	STORE(&trigger, 0);
	STORE(&mmi_shared.snapshots.notes_lost, 0);
}

void
mmi_history_forget(uint32_t first)
{
	struct mmi_thread *t = NULL;
	struct mmi_head **p;

	while ((t = (struct mmi_thread *)mmi_thread_next(t)))
		mmi_history_drop(t);
	for (; given < first >> HEADS_SHIFT; given++) {
		p = heads_of(given << HEADS_SHIFT);
		if (!p || !*p)
			continue;
		memset(*p, 0, HEADS_SIZE);
		heads_give(*p);
		*p = NULL;
		FETCH_ADD(&bytes_used, -HEADS_SIZE);
	}
}

void
mmi_history_fork(void)
{
	struct mmi_thread *t = NULL;
	struct mmi_head **p;

	while ((t = (struct mmi_thread *)mmi_thread_next(t)))
		t->noted = 0;
	/* The existing pieces belong to the parent, in its image. */
	mmi_array_skip(&pieces);
	p = heads_of(mmi_cells.items.used);
	if (p)
		*p = NULL;
	given = mmi_cells.items.used >> HEADS_SHIFT;
	idle = bytes_used = trigger = 0;
	mmi_shared.snapshots.notes_lost = 0;
}

bool
mmi_history_any(void)
{
	return LOAD(&bytes_used) != 0;
}
