/* SPDX-License-Identifier: MIT */
/*
 * Cells: the counts of one counter owner for blocks of one size from one node
 * (a thread has a counter owner, see owners.h).  The size is the cell's, so
 * bytes needn't be counted, nor bins: both follow from the counts of blocks.
 *
 * A program that asks for ever new sizes would get ever new cells.  Once a
 * thread has some of a node, a new size goes to a cell for all sizes of its
 * class, whose blocks carry their size in their timed-block record.
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

/* The first lifetimes stand here. */
#define MMI_FEW 4u

/*
 * What became of the blocks of several cells of one owner and node: of `cell',
 * which was the first to need it, and mostly of all that were made after it.
 */
struct mmi_fate {
	uint64_t by_others, reallocs, moved, copied;
	uint32_t longest, timed;
	uint64_t few[MMI_FEW];	 /* lifetimes in ns, each of weight 1 */
	struct mmi_lives *lives; /* NULL: few[] holds all that were timed */
	uint32_t cell;
	uint32_t unused;
};

/* What only some cells need. */
struct mmi_extra {
	/* A cell for all sizes: bytes, and of the peak's blocks. */
	uint64_t bytes, freed;
	int64_t held_bytes;
	/* Of allocs and frees, blocks that went to another cell instead, as the
	 * program named their type, and their bytes if it is for all sizes. */
	uint64_t away, away_bytes;
};

/* The upper 24 bits of a cell's .looked are blocks, the rest bytes. */
#define MMI_CELLS_LOOKED_SHIFT 40u
#define MMI_CELLS_LOOKED_BYTES ((1ull << MMI_CELLS_LOOKED_SHIFT) - 1)

/*
 * Counts of blocks.  Of the peak: `held' is how many were live when `epoch' was
 * the number of the peak; if another peak came since, what is live now is what
 * was live then.  Frees of blocks that another thread allocated are in a cell
 * of the thread that freed them.
 */
struct mmi_cell {
	/* .parent: node and generation; .to: its rank, see below. */
	struct mmi_item item;
	uint64_t allocs, frees;
	int64_t held;
	uint64_t epoch;
	uint64_t temps, near;
	/* Blocks whose usable size was asked for, and by how many bytes it was
	 * larger than what they were allocated for; see mmi_cells_looked(). */
	uint64_t looked;
	struct mmi_fate *fate;	 /* NULL: all 0 */
	struct mmi_extra *extra; /* likewise */
	uint32_t sibling;	 /* next cell of the node, or 0 */
	uint32_t number;	 /* its own */
#ifdef MEMMON_ACCESS
	struct mmi_use *use;  /* how its blocks were used; NULL: none gone */
	struct mmi_use *late; /* of those that were live at the end, likewise */
	struct mmi_grow *grow; /* of a node's cells; NULL: one size only */
	uint64_t last; /* the newest block, if grow is NULL; as there */
#endif
};

/* Cells are numbered below this; 0 isn't a cell. */
#define MMI_CELLS_MAX (1u << 26)

/* Of a cell's key and parent. */
#define MMI_CELL_SIZE_BITS 44u
#define MMI_CELL_SIZE_MASK ((1ull << MMI_CELL_SIZE_BITS) - 1)
/* Sizes from here on mean: all sizes of class (size - MMI_CELL_ANY). */
#define MMI_CELL_ANY (MMI_CELL_SIZE_MASK - MONOUT_NCLASS)

/*
 * How many cells its owner had of the node when it was made, with it; and
 * whether blocks of others were freed in it.
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

/* Read before frees and allocs, which have it in them. */
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

/* Whose it is, as owners.h has it. */
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
 * The thread's cell for blocks of `size' bytes from a node; 0: no memory.
 * mmi_cells_slow() is for those it doesn't remember.  ctx: hook.
 */
uint32_t mmi_cells_slow(struct mmi_thread *t, uint32_t node, uint64_t size);

/* The same of those in which it counts what isn't its own. */
uint32_t mmi_cells_others(struct mmi_thread *t, uint32_t node, uint64_t size);

/*
 * The thread's cell in which it counts the free of another's block.  Where
 * there is no memory it comes from a reserve; 0: that is used up, too.  ctx:
 * hook.
 */
uint32_t mmi_cells_for_free(struct mmi_thread *t, uint32_t node, uint64_t size);

extern HIDDEN struct mmi_trie mmi_cells;

#define MMI_CELLS_SHIFT 7u
extern HIDDEN void *mmi_cells_dir[MMI_CELLS_MAX >> MMI_CELLS_SHIFT];

/* Cell i, from 1, which mmi_cells_find() gave. */
static inline struct mmi_cell *
mmi_cells_at(uint32_t i)
{
	struct mmi_cell *c = LOAD_ACQ(&mmi_cells_dir[i >> MMI_CELLS_SHIFT]);

	return c + (i & ((1u << MMI_CELLS_SHIFT) - 1));
}

_Static_assert(MMI_CELL_CACHE == 4096, "twelve bits of hash");

/* Where the thread remembers that cell, if it does. */
static inline uint32_t *
mmi_cells_place(struct mmi_thread *t, uint32_t node, uint64_t size)
{
	uint32_t h = (node * 0x9e3779b1u + (uint32_t)size) * 0x85ebca6bu;

	return &t->cells[h >> 20];
}

/* The same, if the thread remembers it and it is for one size; else NULL. */
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

/* Is it from before the last fork, or reset?  And is it from before a fork? */
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
 * A cell was made: if its thread has others of the node, sizes vary.  Defined
 * in use/grow.c.  ctx: hook.
 */
void mmi_cells_made(struct mmi_thread *t, struct mmi_cell *c, uint32_t node);
#endif

/*
 * The cell's extra, or fate, made when there is none; NULL: no memory, or only
 * such as must be kept for what is needed (`must').  ctx: hook.
 */
struct mmi_extra *mmi_cells_extra(struct mmi_thread *t, struct mmi_cell *c,
				  bool must);
struct mmi_fate *mmi_cells_fate(struct mmi_thread *t, struct mmi_cell *c,
				bool must);

/* The fate of the cell if no other cell before it has the same, else NULL. */
static inline const struct mmi_fate *
mmi_cell_fate(const struct mmi_cell *c)
{
	const struct mmi_fate *f = LOAD_ACQ(&c->fate);

	return f && f->cell == c->number ? f : NULL;
}

/*
 * A block of the cell lived for `ns', and stands for `weight' blocks.  ctx:
 * hook.
 */
void mmi_cells_lived(struct mmi_thread *t, struct mmi_cell *c, uint64_t ns,
		     uint32_t weight);

/*
 * A block of the cell has `more' usable bytes than it was allocated for.
 * False: it has been enough.  ctx: hook.
 */
bool mmi_cells_looked(struct mmi_cell *c, uint64_t more);

/* One lifetime of `ns' into *l, whose min was UINT64_MAX at first. */
void mmi_cells_life(struct mmi_lives *l, uint64_t ns, uint32_t weight);

/* The node's first cell, or the one after c; NULL: no more.  ctx: any. */
struct mmi_cell *mmi_cells_of(uint32_t node);
struct mmi_cell *mmi_cells_next(const struct mmi_cell *c);

/*
 * All go into the image that was just made.  True: there were some, which have
 * other addresses now.  ctx: init, slow.
 */
bool mmi_cells_share(struct mmi_thread *t);

/* All are inherited, and none is found any more.  ctx: fork. */
void mmi_cells_fork(void);

/* The same, after the epoch of control.h rose; threads run.  ctx: any. */
void mmi_cells_reset(void);

/*
 * After a reset, while no thread has an event: what cells from before it take
 * is for new ones, but for those of live blocks, whose sizes they tell, and
 * their neighbours.  blocks: no need to know any of these.  ctx: slow.
 */
void mmi_cells_forget(bool blocks);

#endif
