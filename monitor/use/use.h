/* SPDX-License-Identifier: MIT */
/*
 * How blocks were used.  The data of a block are in its shadow while it lives.
 * When it is freed, they are added to sums; at the end the data of live blocks
 * are added, too.  Nothing is stored for a single block.
 *
 * A sum has the blocks of one size (or, as in a cell, of all sizes of a class)
 * and of one partial path (paths.h).  Each struct mmi_thread adds to sums of
 * its own, so each sum has one writer.  More call paths don't make more sums.
 *
 * The lifetime score needs groups of allocations that were near in time (Memoro
 * 4.1): without a gap of more than 0.1% of the run.  Allocations that are near
 * now are near at the end, too, so a block is added to its group when it is
 * freed; see groups.h.
 */
#ifndef MEMMON_USE_H
#define MEMMON_USE_H

#include "monitor/base/sampling.h"
#include "monitor/counts/cells.h"
#include "monitor/shadow/access_state.h"
#include "monitor/shadow/ranges.h"
#include "monitor/shadow/read_shadow.h"
#include "monitor/shadow/shadow.h"
#include "monitor/use/carry.h"
#include "monitor/use/groups.h"
#include "monitor/use/paths.h"

/*
 * Sums over blocks; as in monout.h, but times are in units of the clock.  Most
 * blocks live for less than a step of the clock, and most small ones are
 * accessed in all granules.  Such blocks are only in `quick': its index has bit
 * 0 if they were read, bit 1 if written, bit 2 if accessed by several threads.
 * All of them were brief; those that were accessed were in use all their lives.
 */
#define MMI_USE_READ 1u
#define MMI_USE_WRITTEN 2u
#define MMI_USE_SHARED 4u
#define MMI_USE_QUICK 8u

/* For sums of several sizes: the bytes of the blocks that mmi_use counts. */
struct mmi_use_bytes {
	uint64_t flag[MONOUT_NFLAG];
	uint64_t quick[MMI_USE_QUICK], partial[2];
	uint64_t blocks, handed;
};

struct mmi_use {
	/* .parent: its path; .key: the thread that adds to it, and the size. */
	struct mmi_item item;
	uint64_t *grain; /* reads and writes of each granule (large blocks: the
			  * first ones, see mmi_use_grains()); or NULL */
	struct mmi_use_time *time; /* for all sizes of the path */
	struct mmi_use_bytes *bytes; /* NULL: one size only */
	/* Without the blocks in `quick'. */
	uint64_t blocks, useful, life;
	/* With the blocks in `quick' that weren't accessed in all granules;
	 * [1]: blocks that were both read and written. */
	uint64_t span[2], cover[2];
	uint64_t partial[2]; /* these blocks in `quick' */
	/* How many of `blocks' were passed to unrecorded code (handed.h): these
	 * are only in reads, writes, life and three flags. */
	uint64_t handed;
	uint32_t next; /* next use of the path, or 0 */
	uint32_t unused;
	uint64_t quick[MMI_USE_QUICK];
	uint64_t flag[MONOUT_NFLAG]; /* LOW_COVER also has `quick' */
	uint64_t reads, writes;	     /* those not in `grain' */
	/* Samples: sums of the squares of each block's reads, writes. */
	unsigned __int128 squares[2];
} __attribute__((aligned(64)));

/* A freed block adds to few cache lines. */
_Static_assert(offsetof(struct mmi_use, span) == 64 &&
		       offsetof(struct mmi_use, quick) == 128 &&
		       offsetof(struct mmi_use, flag) == 192,
	       "lines");

/* When the blocks of a path were made and freed. */
struct mmi_use_time {
	uint64_t pending; /* blocks of epoch `tick' that aren't in a group */
	uint32_t tick;
	uint32_t sizes; /* above MMI_USE_SMALL that have sums of their own */
	uint32_t file;	/* the last file with it: see file/accesses.c */
	uint32_t unused;
	struct mmi_groups groups;
};

/* Use i; and its size as in mmi_cell_size(). */
struct mmi_use *mmi_use_at(uint32_t i);
static inline uint64_t
mmi_use_key_size(const struct mmi_use *u)
{
	return u->item.key & MMI_CELL_SIZE_MASK;
}

/* The number of granules that `grain' counts, if it isn't NULL. */
static inline uint64_t
mmi_use_grains(const struct mmi_use *u)
{
	uint64_t n = mmi_shadow_granules(mmi_use_key_size(u));

	return n < MMI_SHADOW_GRAINS ? n : MMI_SHADOW_GRAINS;
}

/* Flags that stay true if unrecorded code accesses the block. */
#define MMI_USE_SURE \
	(1u << MONOUT_BRIEF | 1u << MONOUT_GROWING | 1u << MONOUT_SHARED)

/* The largest blocks, in bytes, that are added to sums inline. */
#define MMI_USE_SMALL 128u

/*
 * A path has separate sums for the first MMI_USE_SIZES larger sizes that are
 * freed.  All other sizes of a class share one sum, which limits the number of
 * sums.
 */
#define MMI_USE_SIZES 64u
/* The largest blocks, in bytes, whose words are set up inline. */
#define MMI_USE_MEDIUM 512u

/* Freed blocks that aren't in any sums: see mmi_use_unfolded().  Atomic. */
extern uint64_t mmi_use_lost, mmi_use_odd;

void mmi_use_made_slow(struct mmi_thread *t, const void *p, uint64_t size,
		       bool growing, const struct mmi_carry *carry);
void mmi_use_gone_slow(struct mmi_thread *t, struct mmi_cell *c, const void *p,
		       uint64_t size);
void mmi_use_partial(struct mmi_use *u, uint64_t i, unsigned kind,
		     uint64_t size);
unsigned mmi_use_more(struct mmi_use *u, uint64_t i, unsigned n);
void mmi_use_tick(struct mmi_thread *t, struct mmi_use_time *w, uint32_t epoch);

/* Counts one more block that was made and freed in epoch `epoch'. */
static inline void
mmi_use_pending(struct mmi_thread *t, struct mmi_use_time *w, uint32_t epoch)
{
	if (UNLIKELY(w->tick != epoch))
		mmi_use_tick(t, w, epoch);
	STORE(&w->pending, w->pending + 1);
}

/* The word of the second granule of a new block. */
static inline uint64_t
mmi_use_info(uint64_t word)
{
	return MMI_SHADOW_INFO | mmi_word_stamp(word);
}

/*
 * Sets the words of n granules from *c on: not accessed yet.  Most n are small,
 * so no branch depends on n: some words are written twice.
 */
static inline void
mmi_use_clear(uint64_t *c, uint64_t n, uint64_t word)
{
	const mmi_words two = { word, word };

	if (n < 2) {
		if (n)
			STORE(c, word);
		return;
	}
	*(mmi_words *)c = two;
	*(mmi_words *)(c + n - 2) = two;
	if (n <= 4)
		return;
	*(mmi_words *)(c + 2) = two;
	*(mmi_words *)(c + n - 4) = two;
	for (uint64_t k = 4; k + 4 < n; k += 2)
		*(mmi_words *)(c + k) = two;
}

/*
 * A new block is in the map.  carry: data of the block that it replaces, or
 * NULL.  growing: the block is at least the RUN_MIN'th in a run of ever larger
 * blocks of its site.  ctx: hook.
 */
static inline __attribute__((always_inline)) void
mmi_use_made(struct mmi_thread *t, const void *p, uint64_t size, bool growing,
	     const struct mmi_carry *carry)
{
	uint64_t i = mmi_shadow_granule((uintptr_t)p), word = mmi_state_word(t);

	if (UNLIKELY(!mmi_shadow_takes(p, size)))
		return;
	if (UNLIKELY(size - 1 >= MMI_USE_MEDIUM || growing || carry) ||
	    mmi_sample_on()) {
		mmi_use_made_slow(t, p, size, growing, carry);
		return;
	}
	STORE(&mmi_shadow.blocks[i + 1], mmi_use_info(word));
	mmi_use_clear(&mmi_shadow.cells[i], mmi_shadow_granules(size), word);
}

/*
 * The block is freed: adds it to the sums of its cell, or with c NULL to none.
 * ctx: hook.
 */
static inline __attribute__((always_inline)) void
mmi_use_gone(struct mmi_thread *t, struct mmi_cell *c, const void *p,
	     uint64_t size)
{
	uint64_t i = mmi_shadow_granule((uintptr_t)p), word = mmi_state_word(t);
	struct mmi_use *u = c ? c->use : NULL;
	const uint64_t *cell = &mmi_shadow.cells[i], *end;
	uint64_t odd = 0, v, *grain;
	uint32_t reads = 0, writes = 0, r, w;
	unsigned n = (unsigned)mmi_shadow_granules(size), kind;
	bool gaps = false;

	if (UNLIKELY(!u || size - 1 >= MMI_USE_SMALL || !u->grain) ||
	    UNLIKELY(mmi_shadow.blocks[i + 1] != mmi_use_info(word))) {
		mmi_use_gone_slow(t, c, p, size);
		return;
	}
	STORE(&mmi_shadow.blocks[i + 1], 0);
	grain = u->grain;
	for (end = cell + n; cell < end; cell++, grain += 2) {
		v = LOAD(cell);
		odd |= v ^ word;
		gaps |= !(v & MMI_WORD_TOUCHED);
		reads |= r = mmi_word_reads(v);
		writes |= w = mmi_word_writes(v);
		grain[0] += r;
		grain[1] += w;
	}
	kind = (reads ? MMI_USE_READ : 0) | (writes ? MMI_USE_WRITTEN : 0);
	if (UNLIKELY(odd & (MMI_WORD_WHOSE | MMI_WORD_OVERFLOW)))
		kind |= mmi_use_more(u, i, n);
	if (UNLIKELY(gaps) && kind)
		mmi_use_partial(u, i, kind, size);
	STORE(&u->quick[kind], u->quick[kind] + 1);
	mmi_use_pending(t, u->time, mmi_word_stamp(word));
}

/*
 * The sums of a cell's blocks to which `whose' adds: a thread's index or
 * MMI_USE_LATE; NULL: no memory of t.
 */
#define MMI_USE_LATE ((1u << (64 - MMI_CELL_SIZE_BITS)) - 1)
struct mmi_use *mmi_use_of(struct mmi_thread *t, const struct mmi_cell *c,
			   uint32_t whose);

/*
 * Adds a block of `size' bytes with the data *f, which ends at `epoch'.  False:
 * no memory for its group.
 */
bool mmi_use_add(struct mmi_thread *t, struct mmi_use *u,
		 const struct mmi_found *f, uint64_t size, uint32_t epoch);

/* A sample begins at p: deletes counts of earlier blocks there. */
void mmi_use_sampled(const void *p, uint64_t size);

/*
 * The accesses of the block at p will be incomplete, as if it was passed to
 * unrecorded code.
 */
void mmi_use_unknown(const void *p);

/*
 * Adds squares for a sample at granule i with INFO `info'; u counts by granule.
 */
void mmi_use_square(struct mmi_use *u, uint64_t i, uint64_t size,
		    uint64_t info);

/* Where accesses of a block are counted by granule; NULL: nowhere. */
static inline uint64_t *
mmi_use_grain(const struct mmi_use *u, uint64_t info)
{
	return LIKELY(!(info & MMI_SHADOW_HANDED)) ? u->grain : NULL;
}

/*
 * Adds live blocks to the `late' sums of cells, which begin again with each
 * file.  ctx: exit.
 */
void mmi_use_end(struct mmi_thread *t);

/* Size in bytes of a live block, from its entry (live.h).  ctx: hook. */
uint64_t mmi_use_size(uint64_t entry);

/*
 * The first granule of the live block that contains granule i; *size: its size
 * in bytes.  UINT64_MAX: the shadow has no such block.  ctx: any.
 */
uint64_t mmi_use_block(uint64_t i, uint64_t *size);

/*
 * The number of blocks that are missing in scores; live blocks as of the last
 * mmi_use_end().  unfolded: for lack of memory; unplaced: because they aren't
 * in the shadow (mmi_shadow_takes()).  ctx: exit.
 */
uint64_t mmi_use_unfolded(void);
uint64_t mmi_use_unplaced(void);

/* Begin the counts again.  ctx: any; mmi_use_fork(): fork. */
void mmi_use_reset(void);
void mmi_use_fork(void);

#endif
