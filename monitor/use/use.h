/* SPDX-License-Identifier: MIT */
/*
 * How blocks were used.  What is known of a block stands in its shadow while it
 * lives; when it goes it is added to sums, and at the end so are those that are
 * left.  Nothing is kept of a single block.
 *
 * Sums are of blocks of one size (or all sizes of a class, as a cell's are) and
 * one partial path (paths.h), by the struct mmi_thread of who adds to them: so
 * they have one writer, and are no more where there are more chains.
 *
 * The lifetime score needs groups of allocations that were near in time (Memoro
 * 4.1): no gap of more than 0.1% of the run.  What is so now will be so at the
 * end, so blocks are put into groups when they go; see groups.h.
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
 * blocks live for less than a step of the clock, and small ones are touched all
 * over: of these only `quick' counts how many were read (its index has bit 0),
 * written (bit 1) and shared (bit 2); all were brief, and those that were
 * accessed were so all their lives.
 */
#define MMI_USE_READ 1u
#define MMI_USE_WRITTEN 2u
#define MMI_USE_SHARED 4u
#define MMI_USE_QUICK 8u

/* Where there is more than one size: the bytes of what mmi_use counts. */
struct mmi_use_bytes {
	uint64_t flag[MONOUT_NFLAG];
	uint64_t quick[MMI_USE_QUICK], partial[2];
	uint64_t blocks, handed;
};

struct mmi_use {
	/* .parent: its path; .key: who adds to it, and the size. */
	struct mmi_item item;
	uint64_t *grain; /* reads and writes of each granule, of large
			  * blocks the first ones: see mmi_use_grains(); or
			  * NULL */
	struct mmi_use_time *time; /* of more sizes, too */
	struct mmi_use_bytes *bytes; /* NULL: it is of one size */
	/* Not of those in `quick'. */
	uint64_t blocks, useful, life;
	/* Of those in `quick' only if they weren't touched all over; [1]: were
	 * both read and written. */
	uint64_t span[2], cover[2];
	uint64_t partial[2]; /* such blocks in `quick' */
	/* Of `blocks', the ones handed over (handed.h): they are in reads,
	 * writes, life and three flags, and in nothing else. */
	uint64_t handed;
	uint32_t next; /* another of the path, or 0 */
	uint32_t unused;
	uint64_t quick[MMI_USE_QUICK];
	uint64_t flag[MONOUT_NFLAG]; /* but LOW_COVER is of all */
	uint64_t reads, writes;	     /* that aren't in `grain' */
	/* Of samples: sums of the squares of each block's reads, writes. */
	unsigned __int128 squares[2];
} __attribute__((aligned(64)));

/* A block as it goes adds to few cache lines. */
_Static_assert(offsetof(struct mmi_use, span) == 64 &&
		       offsetof(struct mmi_use, quick) == 128 &&
		       offsetof(struct mmi_use, flag) == 192,
	       "lines");

/* When the blocks of a path were made and went. */
struct mmi_use_time {
	uint64_t pending; /* blocks of epoch `tick' that aren't in a group */
	uint32_t tick;
	uint32_t sizes; /* above MMI_USE_SMALL that have sums of their own */
	uint32_t file;	/* the last one that has it: see file/accesses.c */
	uint32_t unused;
	struct mmi_groups groups;
};

/* Use i, of those that were given; and its size, as mmi_cell_size() has it. */
struct mmi_use *mmi_use_at(uint32_t i);
static inline uint64_t
mmi_use_key_size(const struct mmi_use *u)
{
	return u->item.key & MMI_CELL_SIZE_MASK;
}

/* How many granules `grain' counts, if it isn't NULL. */
static inline uint64_t
mmi_use_grains(const struct mmi_use *u)
{
	uint64_t n = mmi_shadow_granules(mmi_use_key_size(u));

	return n < MMI_SHADOW_GRAINS ? n : MMI_SHADOW_GRAINS;
}

/* Flags that are true whatever else accesses the block. */
#define MMI_USE_SURE \
	(1u << MONOUT_BRIEF | 1u << MONOUT_GROWING | 1u << MONOUT_SHARED)

/*
 * The most bytes of a block that is small, so that it is added to sums inline;
 * and of one that is at least set up so.
 */
#define MMI_USE_SMALL 128u

/*
 * Of larger ones a path has sums by size for the first that go; all others of a
 * class have theirs together, so that sums are no more where sizes are many.
 */
#define MMI_USE_SIZES 64u
#define MMI_USE_MEDIUM 512u

/* Blocks that went, but aren't in any sums: see mmi_use_unfolded().  Atomic. */
extern uint64_t mmi_use_lost, mmi_use_odd;

void mmi_use_made_slow(struct mmi_thread *t, const void *p, uint64_t size,
		       bool growing, const struct mmi_carry *carry);
void mmi_use_gone_slow(struct mmi_thread *t, struct mmi_cell *c, const void *p,
		       uint64_t size);
void mmi_use_partial(struct mmi_use *u, uint64_t i, unsigned kind,
		     uint64_t size);
unsigned mmi_use_more(struct mmi_use *u, uint64_t i, unsigned n);
void mmi_use_tick(struct mmi_thread *t, struct mmi_use_time *w, uint32_t epoch);

/* One more that was made and goes at `epoch'. */
static inline void
mmi_use_pending(struct mmi_thread *t, struct mmi_use_time *w, uint32_t epoch)
{
	if (UNLIKELY(w->tick != epoch))
		mmi_use_tick(t, w, epoch);
	STORE(&w->pending, w->pending + 1);
}

/* Its second granule's word, when the block is new. */
static inline uint64_t
mmi_use_info(uint64_t word)
{
	return MMI_SHADOW_INFO | mmi_word_stamp(word);
}

/*
 * The words of n granules from *c on: not touched.  Most n are few, and no
 * branch depends on which: some words are written twice.
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
 * A new block, of a past or (NULL) without, is in the map.  `growing': it is
 * at least the RUN_MIN'th in a row of ever larger ones of its site.  ctx: hook.
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
 * The block is going: to the sums of its cell; or with c NULL nowhere.  ctx:
 * hook.
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
 * The sums of a cell's blocks for who adds to them, which is whose->index or
 * MMI_USE_LATE; NULL: no memory, which is t's.
 */
#define MMI_USE_LATE ((1u << (64 - MMI_CELL_SIZE_BITS)) - 1)
struct mmi_use *mmi_use_of(struct mmi_thread *t, const struct mmi_cell *c,
			   uint32_t whose);

/* A block of what *f tells, and of `size' bytes, ends at `epoch': add it. */
bool mmi_use_add(struct mmi_thread *t, struct mmi_use *u,
		 const struct mmi_found *f, uint64_t size, uint32_t epoch);

/*
 * A sample begins at p: nothing that was counted there before it is its own.
 */
void mmi_use_sampled(const void *p, uint64_t size);

/* Of the block at p not all accesses will be known, as of one handed over. */
void mmi_use_unknown(const void *p);

/* A sample at granule i, of which INFO says `info', and u counts by granule. */
void mmi_use_square(struct mmi_use *u, uint64_t i, uint64_t size,
		    uint64_t info);

/* Where the accesses of a block are counted by granule; NULL: nowhere. */
static inline uint64_t *
mmi_use_grain(const struct mmi_use *u, uint64_t info)
{
	return LIKELY(!(info & MMI_SHADOW_HANDED)) ? u->grain : NULL;
}

/*
 * Fold what is live into cells' `late' sums, which begin anew with each file.
 * ctx: exit.
 */
void mmi_use_end(struct mmi_thread *t);

/* Bytes of a live block, from its entry (live.h).  ctx: hook. */
uint64_t mmi_use_size(uint64_t entry);

/*
 * The first granule of the live block that has granule i, and its size in bytes
 * to *size.  UINT64_MAX: the shadow has no such block.  ctx: any.
 */
uint64_t mmi_use_block(uint64_t i, uint64_t *size);

/*
 * Blocks that scores lack, live ones as of the last mmi_use_end(): for want of
 * memory; and as they don't stand in the shadow (mmi_shadow_takes()).  ctx:
 * exit.
 */
uint64_t mmi_use_unfolded(void);
uint64_t mmi_use_unplaced(void);

/* Counts start anew.  ctx: any; of the second: fork. */
void mmi_use_reset(void);
void mmi_use_fork(void);

#endif
