/* SPDX-License-Identifier: MIT */
/* Cells: find and make them, and their extra and fate. */
#include "monitor/counts/cells.h"

#include <string.h>

#include "monitor/base/sampling.h"
#include "monitor/base/table.h"
#include "monitor/chain/sites.h"
#include "monitor/counts/live.h"
#include "monitor/image/image.h"

/* monimg.h declares the same layouts. */
_Static_assert(offsetof(struct mmi_cell, allocs) ==
			       offsetof(struct monimg_cell, allocs) &&
		       offsetof(struct mmi_cell, number) ==
			       offsetof(struct monimg_cell, number) &&
		       MMI_CELL_SIZE_BITS == MONIMG_SIZE_BITS,
	       "cells");
_Static_assert(sizeof(struct mmi_extra) == sizeof(struct monimg_extra) &&
		       offsetof(struct mmi_extra, away) ==
			       offsetof(struct monimg_extra, away) &&
		       sizeof(struct mmi_lives) == sizeof(struct monimg_lives),
	       "what hangs at cells");
_Static_assert(sizeof(struct mmi_fate) == sizeof(struct monimg_fate) &&
		       offsetof(struct mmi_fate, figures) ==
			       offsetof(struct monimg_fate, figures),
	       "what became of blocks");

/*
 * How many sizes of a node's blocks get cells of their own in a thread:
 * SIZES_FIRST while there are few cells, then SIZES_NEXT, then SIZES_LEAST,
 * which is enough for almost all nodes.
 */
#define FEW_CELLS (1u << 14)
#define MANY_CELLS (1u << 16)
#define SIZES_FIRST 1024u
#define SIZES_NEXT 64u
#define SIZES_LEAST 8u

/* How many of a node's newest cells are searched for one of an owner. */
#define SIZES_LOOK 2048u

/* A multiple of cache lines. */
#define BATCH 16u
_Static_assert(BATCH * sizeof(struct mmi_cell) % 64 == 0, "lines");

MMI_TABLE void *mmi_cells_dir[MMI_CELLS_MAX >> MMI_CELLS_SHIFT];
static uint64_t first_level[1u << MMI_TRIE_SHIFT(0)];

struct mmi_trie mmi_cells = {
	.items = {
		.chunk = mmi_cells_dir,
		.chunks = MMI_CELLS_MAX >> MMI_CELLS_SHIFT,
		.shift = MMI_CELLS_SHIFT,
		.size = sizeof(struct mmi_cell),
		.used = BATCH,
		.home = &mmi_image_home,
		.kind = MONIMG_CELLS,
	},
	.level = { first_level },
	.batch = BATCH,
};
uint32_t mmi_cells_forked = 1;

/*
 * How many forks led to this process.  It is part of a cell's parent, so cells
 * from before a fork aren't found.
 */
static uint32_t generation;
#define GENERATIONS 63u /* 63 itself is MMI_TRIE_NOWHERE's */

_Static_assert((uint64_t)MMI_SITES_MAX *GENERATIONS <= 1ull << 32,
	       "a node and a generation: 32 bits");

/*
 * The owner's newest cell of a node; NULL: the owner has no cell of the node,
 * or its newest isn't among the newest of all owners.  Cost: a walk to the
 * cell.
 */
static struct mmi_cell *
newest_of(uint64_t owner, uint32_t node)
{
	struct mmi_cell *c = mmi_cells_of(node);

	for (unsigned k = 0; c && k < SIZES_LOOK; c = mmi_cells_next(c), k++)
		if (mmi_cell_owner(c) == owner)
			return c;
	return NULL;
}

/*
 * May the owner have no more cells of the node?  `newest' is its newest cell of
 * this node.  A sampled run needs a cell for each size because weights depend
 * on the size.
 */
static bool
crowded(const struct mmi_cell *newest)
{
	uint32_t n = LOAD(&mmi_cells.items.used) - mmi_shared.cells_first;
	uint32_t most = n < FEW_CELLS	 ? SIZES_FIRST
			: n < MANY_CELLS ? SIZES_NEXT
					 : SIZES_LEAST;

	return newest && mmi_cell_rank(newest) >= most && !mmi_sample_on();
}

/* Is the cell in its node's list? */
static COLD bool
is_linked(const struct mmi_cell *c, uint32_t node)
{
	const struct mmi_cell *x = mmi_cells_of(node);

	while (x && x != c)
		x = mmi_cells_next(x);
	return x != NULL;
}

/*
 * Link the cell into its node's list.  It shares the fate of the cells that its
 * owner already has of the node.  The rank is set last: a cell without a rank
 * isn't linked yet, except (`again') when a handler has jumped out of the event
 * that was linking it.
 */
static void
cell_link(struct mmi_thread *t, struct mmi_cell *c, uint32_t i, uint32_t node,
	  bool again)
{
	struct mmi_cell *last = newest_of(mmi_cell_owner(c), node);
	struct mmi_node *n = mmi_sites_node(node);
	uint32_t head = LOAD_ACQ(&n->item.to);
	bool linked = again && is_linked(c, node);

	c->number = i;
	if (last && !linked)
		STORE_REL(&c->fate, mmi_cells_fate(t, last, false));
	if (!linked)
		do
			c->sibling = head;
		while (!CAS(&n->item.to, &head, i));
	STORE_REL(&c->item.to, (last ? mmi_cell_rank(last) : 0) + 1);
}

#ifdef MEMMON_ACCESS
/* No block has this size. */
#define ASIDE_SIZE (MMI_CELL_ANY - 1)

struct mmi_cell *
mmi_cells_aside(struct mmi_thread *t, const struct mmi_cell *c, uint32_t node)
{
	uint64_t key = (c->item.key & ~MMI_CELL_SIZE_MASK) | ASIDE_SIZE;
	bool made;
	uint32_t i =
		mmi_trie_intern(&mmi_cells, &t->batch, node | generation << 26,
				key, true, false, &made);

	return i ? mmi_cells_at(i) : NULL;
}
#endif

/* Has the thread seen the last reset? */
static bool
cell_now(const struct mmi_thread *t)
{
	return t->pub->epoch == LOAD_ACQ(&mmi_shared.control.epoch);
}

static uint32_t
cell_intern(struct mmi_thread *t, uint64_t owner, uint32_t node, uint64_t size,
	    bool absent)
{
	uint64_t key = owner << MMI_CELL_SIZE_BITS | size;
	struct mmi_cell *c;
	bool made;
	uint32_t i;

again:
	i = mmi_trie_intern(&mmi_cells, &t->batch, node | generation << 26, key,
			    true, absent, &made);
	if (!i)
		return 0;
	c = mmi_cells_at(i);
	/* A cell from before a reset is this thread's; nothing may find it. */
	if (UNLIKELY(mmi_cells_inherited(i)) && cell_now(t)) {
		/* Other threads may be about to read its node. */
		STORE(&c->item.parent, c->item.parent | MMI_TRIE_NOWHERE);
		goto again;
	}
	if (made || UNLIKELY(!mmi_cell_rank(c))) {
		cell_link(t, c, i, node, !made);
		mmi_sites_log(node);
#ifdef MEMMON_ACCESS
		mmi_cells_made(t, c, node);
#endif
	}
	if (size >= MMI_CELL_ANY)
		mmi_image_bins();
	if (made && t->batch.next == t->batch.end)
		mmi_thread_name(t);
	/* Without room for the bytes of its blocks the cell can't be used. */
	if (size >= MMI_CELL_ANY && !mmi_cells_extra(t, c, true))
		return 0;
	return i;
}

/* How many newest cells of a node are compared before the table is searched. */
#define CELLS 4u

/*
 * Search the newest cells of a node; 0: not there.  *all: those are all cells
 * of the node.
 */
static inline uint32_t
cell_near(uint64_t owner, uint32_t node, uint64_t size, bool *all)
{
	uint64_t key = owner << MMI_CELL_SIZE_BITS | size;
	const struct mmi_cell *c = mmi_cells_of(node);

	for (unsigned k = 0; c && k < CELLS; k++) {
		if (c->item.key == key)
			return c->number;
		c = mmi_cells_next(c);
	}
	*all = !c;
	return 0;
}

/* Search the table for the cell; 0: it doesn't exist. */
static uint32_t
cell_old(uint64_t owner, uint32_t node, uint64_t size)
{
	uint64_t key = owner << MMI_CELL_SIZE_BITS | size;
	uint32_t i = mmi_trie_find(&mmi_cells, node | generation << 26, key);

	/* A cell without a rank isn't complete. */
	return mmi_cells_inherited(i) || !mmi_cell_rank(mmi_cells_at(i)) ? 0
									 : i;
}

/*
 * A cell that isn't among the newest of its node: one of this size, or, once
 * the node has enough cells, the one for all sizes of the class.
 */
static COLD uint32_t
cell_far(struct mmi_thread *t, uint64_t owner, uint32_t node, uint64_t size,
	 bool absent)
{
	uint64_t any = MMI_CELL_ANY + mmi_class(size);
	uint32_t i = absent ? 0 : cell_old(owner, node, size);

	if (i || absent)
		return i ? i : cell_intern(t, owner, node, size, true);
	i = cell_old(owner, node, any);
	if (i && LIKELY(mmi_cells_at(i)->extra))
		return i;
	if (!i && !crowded(newest_of(owner, node)))
		return cell_intern(t, owner, node, size, true);
	return cell_intern(t, owner, node, any, false);
}

/* The cell of that owner, which is t's; 0: no memory. */
static inline __attribute__((always_inline)) uint32_t
cell_owned(struct mmi_thread *t, uint64_t owner, uint32_t node, uint64_t size)
{
	bool absent = false;
	uint32_t i;

	if (UNLIKELY(size >= MMI_CELL_ANY))
		return 0;
	i = cell_near(owner, node, size, &absent);
	if (!i)
		i = cell_far(t, owner, node, size, absent);
	/* Events from before a reset get no cells from after it. */
	if (UNLIKELY(!i || (!mmi_cells_inherited(i) && !cell_now(t))))
		return 0;
	return i;
}

/*
 * Chunks of cells that count frees of other threads' blocks when memory is used
 * up.
 */
#define RESERVE 32u
static struct mmi_cell reserve[RESERVE << MMI_CELLS_SHIFT]
	__attribute__((aligned(64)));
static uint32_t reserved; /* atomic: chunks that were taken */

/* Make the next chunk of cells one of the reserve; false if none is left. */
static bool
reserve_take(void)
{
	uint32_t k = LOAD(&mmi_cells.items.used) >> MMI_CELLS_SHIFT, n;
	void *none = NULL;

	if (k >= mmi_cells.items.chunks)
		return false;
	n = FETCH_ADD(&reserved, 1);
	if (n >= RESERVE) {
		FETCH_ADD(&reserved, -1u);
		return false;
	}
	if (CAS(&mmi_cells_dir[k], &none, &reserve[n << MMI_CELLS_SHIFT]))
		mmi_image_outside(MONIMG_CELLS, 1u << MMI_CELLS_SHIFT);
	return true;
}

COLD uint32_t
mmi_cells_for_free(struct mmi_thread *t, uint32_t node, uint64_t size)
{
	uint32_t i = mmi_cells_find(t, node, size);

	if (LIKELY(i) || !cell_now(t))
		return i;
	/* A cell for all sizes may need more memory than one for one size. */
	i = cell_intern(t, t->owner, node, size, false);
	if (!i && reserve_take())
		i = cell_intern(t, t->owner, node, size, false);
	return i;
}

COLD uint32_t
mmi_cells_others(struct mmi_thread *t, uint32_t node, uint64_t size)
{
	return cell_owned(t, t->owner + 1, node, size);
}

uint32_t
mmi_cells_slow(struct mmi_thread *t, uint32_t node, uint64_t size)
{
	uint32_t *place = mmi_cells_place(t, node, size), i = *place;
	uint64_t any = MMI_CELL_ANY + mmi_class(size);
	const struct mmi_cell *c = i ? mmi_cells_at(i) : NULL;

	/* A cell for all sizes that the thread remembers for this size. */
	if (c && mmi_cell_size(c) == any && mmi_cell_node(c) == node &&
	    mmi_cell_owner(c) == t->owner && size < MMI_CELL_ANY)
		return i;
	i = cell_owned(t, t->owner, node, size);
	if (LIKELY(i))
		*place = i;
	return i;
}

COLD struct mmi_fate *
mmi_cells_fate(struct mmi_thread *t, struct mmi_cell *c, bool must)
{
	struct mmi_fate *f = c->fate;

	if (f || (!must && mmi_arena_tight()))
		return f;
	f = mmi_image_take(t, sizeof(*f));
	if (f) {
		f->cell = c->number;
		STORE_REL(&c->fate, f);
	}
	return f;
}

COLD struct mmi_extra *
mmi_cells_extra(struct mmi_thread *t, struct mmi_cell *c, bool must)
{
	struct mmi_extra *x = c->extra;

	if (x || (!must && mmi_arena_tight()))
		return x;
	x = mmi_image_take(t, sizeof(*x));
	if (x)
		STORE_REL(&c->extra, x);
	return x;
}

bool
mmi_cells_looked(struct mmi_cell *c, uint64_t more)
{
	uint64_t bytes = c->looked & MMI_CELLS_LOOKED_BYTES;

	if (more > MMI_CELLS_LOOKED_BYTES - bytes ||
	    c->looked >> MMI_CELLS_LOOKED_SHIFT == (1u << 24) - 1)
		return false;
	STORE(&c->looked, c->looked + (1ull << MMI_CELLS_LOOKED_SHIFT) + more);
	return true;
}

static struct mmi_cell *
cell_known(uint32_t i)
{
	/* An event from before a reset may have linked a cell since then. */
	while (UNLIKELY(i && mmi_cells_inherited(i)))
		i = mmi_cells_at(i)->sibling;
	return i ? mmi_cells_at(i) : NULL;
}

struct mmi_cell *
mmi_cells_of(uint32_t node)
{
	return cell_known(LOAD_ACQ(&mmi_sites_node(node)->item.to));
}

struct mmi_cell *
mmi_cells_next(const struct mmi_cell *c)
{
	return cell_known(c->sibling);
}

/* Moves the cell's extra and its own fate into the image. */
static void
extra_share(struct mmi_thread *t, struct mmi_cell *c)
{
	struct mmi_extra *x = c->extra, *to;
	struct mmi_fate *f = c->fate, *fate;
	struct monimg_figure *n;
	struct mmi_lives *l;

	if (x && (to = mmi_image_take(t, sizeof(*to)))) {
		*to = *x;
		c->extra = to;
	}
	if (!mmi_cell_fate(c) || !(fate = mmi_image_take(t, sizeof(*fate))))
		return;
	*fate = *f;
	if (f->lives && (l = mmi_image_take(t, sizeof(*l)))) {
		*l = *f->lives;
		fate->lives = l;
	}
	if (f->figures && (n = mmi_image_take(t, MONOUT_NFIGURE * sizeof(*n))))
		fate->figures =
			memcpy(n, f->figures, MONOUT_NFIGURE * sizeof(*n));
	c->fate = fate;
}

bool
mmi_cells_share(struct mmi_thread *t)
{
	struct mmi_array *a = &mmi_cells.items;
	size_t size = (size_t)a->size << a->shift;
	uint32_t first = mmi_shared.cells_first >> a->shift << a->shift;
	bool moved = false;
	void *new;

	for (uint32_t i = first; i < a->used; i += 1u << a->shift) {
		if (!a->chunk[i >> a->shift])
			continue;
		new = mmi_image_chunk(MONIMG_CELLS, i, size);
		if (!new) {
			mmi_image_outside(MONIMG_CELLS, 1u << a->shift);
			continue;
		}
		memcpy(new, a->chunk[i >> a->shift], size);
		STORE_REL(&a->chunk[i >> a->shift], new);
		moved = true;
	}
	for (uint32_t i = mmi_shared.cells_first; t && i < a->used; i++) {
		struct mmi_cell *c = mmi_array_at(a, i);

		if (!c || !c->item.key)
			continue;
		extra_share(t, c);
		mmi_sites_log(mmi_cell_node(c));
	}
	for (uint32_t i = mmi_shared.cells_first; t && i < a->used; i++) {
		struct mmi_cell *c = mmi_array_at(a, i);

		if (c && c->item.key && c->fate)
			c->fate = mmi_cells_at(c->fate->cell)->fate;
	}
	return moved;
}

void
mmi_cells_fork(void)
{
	mmi_trie_fork(&mmi_cells);
	mmi_array_skip(&mmi_cells.items);
	mmi_shared.cells_first = mmi_cells_forked = mmi_cells.items.used;
	generation = (generation + 1) % GENERATIONS;
	/* Generations begin again: the oldest cells would be found. */
	if (generation == 0)
		mmi_trie_clear(&mmi_cells);
}

void
mmi_cells_reset(void)
{
	STORE_REL(&mmi_shared.cells_first, LOAD_ACQ(&mmi_cells.items.used));
	mmi_sites_reset(mmi_shared.cells_first);
}

/* Chunks that were given back are replaced by these cells. */
static const struct mmi_cell none[1u << MMI_CELLS_SHIFT]
	__attribute__((aligned(64)));

/* Chunks that are checked again because they had live blocks last time. */
#define AGAIN 1024u

/* Chunks first .. first + n - 1; which of them have cells of live blocks. */
struct chunks {
	uint32_t first, n;
	uint8_t *live;
};

static void
chunk_mark(uintptr_t a, uint64_t entry, void *arg)
{
	struct chunks *s = arg;
	uint32_t k = (mmi_live_cell(entry) >> MMI_CELLS_SHIFT) - s->first;

	(void)a;
	if (k < s->n)
		s->live[k] = 1;
}

static bool
chunk_is_ours(const struct mmi_cell *c)
{
	return c && c != none &&
	       (c < reserve || c >= reserve + (RESERVE << MMI_CELLS_SHIFT));
}

void
mmi_cells_forget(bool blocks)
{
	static uint32_t done; /* chunks below it are checked */
	uint32_t end = mmi_shared.cells_first >> MMI_CELLS_SHIFT;
	uint32_t from = (mmi_cells_forked + (1u << MMI_CELLS_SHIFT) - 1) >>
			MMI_CELLS_SHIFT;
	struct chunks s = { 0 };

	s.first = done > AGAIN ? done - AGAIN : 0;
	if (s.first < from)
		s.first = from;
	s.n = end > s.first ? end - s.first : 0;
	if (!blocks && s.n) {
		s.live = mmi_arena_map(s.n);
		if (!s.live)
			return;
		mmi_live_walk(chunk_mark, &s);
	}
	for (uint32_t k = 0; k < s.n; k++)
		if (chunk_is_ours(mmi_cells_dir[s.first + k]) &&
		    (blocks || !s.live[k]))
			mmi_array_give(&mmi_cells.items, s.first + k,
				       (void *)none);
	if (s.live)
		mmi_arena_unmap(s.live, s.n);
	done = end;
	/* All cells are from before the reset: nothing may find one. */
	if (mmi_cells.items.used == mmi_shared.cells_first)
		mmi_trie_clear(&mmi_cells);
}
