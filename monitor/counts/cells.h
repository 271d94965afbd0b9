/* SPDX-License-Identifier: MIT */
/*
 * Cells: the counts of one counter owner for blocks of one size from one node
 * (each thread has a counter owner, see owners.h).  All blocks of a cell have
 * the same size, so bytes and bins follow from the counts of blocks.
 *
 * A program that asks for new sizes all the time would get new cells all the
 * time.  Once a thread has some cells of a node, a new size is counted in a
 * cell for all sizes of its class, and each of its blocks has a timed-block
 * record with its size.
 */
#ifndef MEMMON_CELLS_H
#define MEMMON_CELLS_H

#include "monitor/base/thread.h"
#include "monitor/chain/trie.h"

/* Lifetimes of a cell's blocks, once there are more than a few. */
struct mmi_lives {
	uint64_t weight, sum, min, max; /* as in monout.h; times in ns */
	uint64_t bin[MONOUT_LIFE_BINS];
};

/* How many lifetimes a fate stores singly. */
#define MMI_FEW 4u

/*
 * How the blocks of several cells of one owner and node ended: of `cell', the
 * first cell that needed a fate, and of nearly all cells made after it.
 */
struct mmi_fate {
	uint64_t by_others, reallocs, moved, copied;
	uint32_t longest, timed;
	uint64_t few[MMI_FEW];	 /* lifetimes in ns, each of weight 1 */
	struct mmi_lives *lives; /* NULL: few[] holds all that were timed */
	uint32_t cell;
	uint32_t unused;
	struct monimg_figure *figures; /* NULL: all are 0 */
};

/* What only some cells need. */
struct mmi_extra {
	/* For a cell for all sizes: bytes; held_bytes: those of the peak. */
	uint64_t bytes, freed;
	int64_t held_bytes;
	/* The part of allocs and frees that moved to another cell because the
	 * program named the blocks' type; away_bytes for cells of all sizes. */
	uint64_t away, away_bytes;
};

/* The upper 24 bits of a cell's .looked are blocks, the rest bytes. */
#define MMI_CELLS_LOOKED_SHIFT 40u
#define MMI_CELLS_LOOKED_BYTES ((1ull << MMI_CELLS_LOOKED_SHIFT) - 1)

/*
 * Counts of blocks.  `held' is how many were live at the peak number `epoch';
 * if there was another peak since, the blocks that are live now were live at
 * that peak, too.  The free of another thread's block is counted in a cell of
 * the thread that freed it.
 */
struct mmi_cell {
	/* .parent: node and generation; .to: its rank, see below. */
	struct mmi_item item;
	uint64_t allocs, frees;
	int64_t held;
	uint64_t epoch;
	uint64_t temps, near;
	/* Blocks whose usable size the monitor asked for, and by how many bytes
	 * it was larger than requested; see mmi_cells_looked(). */
	uint64_t looked;
	struct mmi_fate *fate;	 /* NULL: all 0 */
	struct mmi_extra *extra; /* NULL: all 0 */
	uint32_t sibling;	 /* next cell of the node, or 0 */
	uint32_t number;	 /* the cell's own number */
#ifdef MEMMON_ACCESS
	struct mmi_use *use;  /* use of its blocks that are gone, or NULL */
	struct mmi_use *late; /* use of its blocks live at the end, or NULL */
	struct mmi_grow *grow; /* all cells of a node; NULL: one size only */
	uint64_t last; /* the newest block, as in grow; if grow is NULL */
#endif
};

/* Cells are numbered below this; 0 isn't a cell. */
#define MMI_CELLS_MAX (1u << 26)

/* Parts of a cell's key. */
#define MMI_CELL_SIZE_BITS 44u
#define MMI_CELL_SIZE_MASK ((1ull << MMI_CELL_SIZE_BITS) - 1)
/* Sizes from here on mean: all sizes of class (size - MMI_CELL_ANY). */
#define MMI_CELL_ANY (MMI_CELL_SIZE_MASK - MONOUT_NCLASS)

/*
 * The rank: how many cells its owner had of the node when it was made, with
 * this cell.  MMI_CELL_BY_OTHERS: frees of other threads' blocks are counted in
 * it.
 */
#define MMI_CELL_BY_OTHERS (1u << 31)
static inline uint32_t
mmi_cell_rank(const struct mmi_cell *c)
{
	return LOAD(&c->item.to) & ~MMI_CELL_BY_OTHERS;
}

static inline uint64_t
mmi_cell_size(const struct mmi_cell *c)
{
	return c->item.key & MMI_CELL_SIZE_MASK;
}

/* Read it before frees and allocs, which contain it. */
static inline uint64_t
mmi_cell_away(const struct mmi_extra *x)
{
	return x ? LOAD_ACQ(&x->away) : 0;
}

static inline unsigned
mmi_cell_class(const struct mmi_cell *c)
{
	uint64_t size = mmi_cell_size(c);

	return size >= MMI_CELL_ANY ? (unsigned)(size - MMI_CELL_ANY)
				    : mmi_class(size);
}

/* The cell's counter owner, see owners.h. */
static inline uint64_t
mmi_cell_owner(const struct mmi_cell *c)
{
	return c->item.key >> MMI_CELL_SIZE_BITS;
}

static inline uint32_t
mmi_cell_node(const struct mmi_cell *c)
{
	return c->item.parent & ((1u << 26) - 1);
}

/*
 * The thread's cell for blocks of `size' bytes from a node; 0: no memory.  Call
 * mmi_cells_slow() for cells that the thread doesn't remember.  ctx: hook.
 */
uint32_t mmi_cells_slow(struct mmi_thread *t, uint32_t node, uint64_t size);

/* mmi_cells_slow() of the cells that count what isn't the thread's own. */
uint32_t mmi_cells_others(struct mmi_thread *t, uint32_t node, uint64_t size);

/*
 * The thread's cell that counts the free of another thread's block.  When
 * memory is used up, the cell comes from a reserve; 0: the reserve is empty,
 * too.  ctx: hook.
 */
uint32_t mmi_cells_for_free(struct mmi_thread *t, uint32_t node, uint64_t size);

extern HIDDEN struct mmi_trie mmi_cells;

#define MMI_CELLS_SHIFT 7u
extern HIDDEN void *mmi_cells_dir[MMI_CELLS_MAX >> MMI_CELLS_SHIFT];

/* Cell i, from 1; mmi_cells_find() returned i. */
static inline struct mmi_cell *
mmi_cells_at(uint32_t i)
{
	struct mmi_cell *c = LOAD_ACQ(&mmi_cells_dir[i >> MMI_CELLS_SHIFT]);

	return c + (i & ((1u << MMI_CELLS_SHIFT) - 1));
}

_Static_assert(MMI_CELL_CACHE == 4096, "twelve bits of hash");

/* The place where the thread remembers that cell, if it does. */
static inline uint32_t *
mmi_cells_place(struct mmi_thread *t, uint32_t node, uint64_t size)
{
	uint32_t h = (node * 0x9e3779b1u + (uint32_t)size) * 0x85ebca6bu;

	return &t->cells[h >> 20];
}

/* The remembered cell if it counts one size; else NULL. */
static inline struct mmi_cell *
mmi_cells_known(struct mmi_thread *t, uint32_t node, uint64_t size)
{
	uint32_t i = *mmi_cells_place(t, node, size);
	struct mmi_cell *c;

	if (UNLIKELY(!i))
		return NULL;
	c = mmi_cells_at(i);
	return LIKELY(mmi_cell_size(c) == size && mmi_cell_node(c) == node &&
		      mmi_cell_owner(c) == t->owner)
		       ? c
		       : NULL;
}

static inline uint32_t
mmi_cells_find(struct mmi_thread *t, uint32_t node, uint64_t size)
{
	const struct mmi_cell *c = mmi_cells_known(t, node, size);

	return LIKELY(c != NULL) ? c->number : mmi_cells_slow(t, node, size);
}

/*
 * Is it from before the last fork or reset?  mmi_cells_forked: the first cell
 * after the last fork.
 */
extern uint32_t mmi_cells_forked;
static inline bool
mmi_cells_inherited(uint32_t i)
{
	return i < mmi_shared.cells_first;
}

#ifdef MEMMON_ACCESS
/*
 * A cell without blocks, of the node and of c's thread, that is found at once;
 * NULL: no memory.  ctx: hook.
 */
struct mmi_cell *mmi_cells_aside(struct mmi_thread *t, const struct mmi_cell *c,
				 uint32_t node);

/*
 * A cell was made: if its thread has other cells of the node, its sizes vary.
 * Defined in use/grow.c.  ctx: hook.
 */
void mmi_cells_made(struct mmi_thread *t, struct mmi_cell *c, uint32_t node);
#endif

/*
 * The cell's extra, or fate, made if there is none; NULL: no memory, or only
 * the memory that is reserved for callers with `must'.  ctx: hook.
 */
struct mmi_extra *mmi_cells_extra(struct mmi_thread *t, struct mmi_cell *c,
				  bool must);
struct mmi_fate *mmi_cells_fate(struct mmi_thread *t, struct mmi_cell *c,
				bool must);

/*
 * The figures of the cell's fate, by enum monout_figure, made if there are
 * none; NULL: no memory.  ctx: hook.
 */
struct monimg_figure *mmi_cells_figures(struct mmi_thread *t,
					struct mmi_cell *c);

/*
 * The cell's fate if the cell is the first of those that share it, else NULL.
 */
static inline const struct mmi_fate *
mmi_cell_fate(const struct mmi_cell *c)
{
	const struct mmi_fate *f = LOAD_ACQ(&c->fate);

	return f && f->cell == c->number ? f : NULL;
}

/*
 * A block of the cell lived for `ns' and represents `weight' blocks.  ctx:
 * hook.
 */
void mmi_cells_lived(struct mmi_thread *t, struct mmi_cell *c, uint64_t ns,
		     uint32_t weight);

/*
 * A block of the cell has `more' usable bytes than it was allocated for.
 * False: the cell's count is full.  ctx: hook.
 */
bool mmi_cells_looked(struct mmi_cell *c, uint64_t more);

/* Add one lifetime of `ns' to *l, whose min was UINT64_MAX at first. */
void mmi_cells_life(struct mmi_lives *l, uint64_t ns, uint32_t weight);

/* The node's first cell, or the next one after c; NULL: no more.  ctx: any. */
struct mmi_cell *mmi_cells_of(uint32_t node);
struct mmi_cell *mmi_cells_next(const struct mmi_cell *c);

/*
 * Move all cells into the image, which was just made.  True: there were some,
 * and their addresses have changed.  ctx: init, slow.
 */
bool mmi_cells_share(struct mmi_thread *t);

/* All cells are the parent's, and none is found any more.  ctx: fork. */
void mmi_cells_fork(void);

/* The same after the epoch of control.h rose, while threads run.  ctx: any. */
void mmi_cells_reset(void);

/*
 * After a reset, while no thread has an event: reuse the memory of cells from
 * before the reset.  Keeps the cells of live blocks, which tell their sizes,
 * and their neighbours.  blocks: keep none of these.  ctx: slow.
 */
void mmi_cells_forget(bool blocks);

#endif
