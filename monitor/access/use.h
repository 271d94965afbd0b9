/* SPDX-License-Identifier: MIT */
/*
 * How blocks were used.  What is known of a block stands in its shadow while it
 * lives; when it goes it is added to the sums of its cell, and at the end so
 * are those that are left.  Nothing is kept of a single block.
 *
 * The lifetime score needs groups of allocations that were near in time (Memoro
 * 4.1): no gap of more than 0.1% of the run.  What is so now will be so at the
 * end, so blocks are put into groups when they go; see groups.h.
 */
#ifndef MEMMON_ACCESS_USE_H
#define MEMMON_ACCESS_USE_H

#include "monitor/access/groups.h"
#include "monitor/access/shadow.h"
#include "monitor/cells.h"

/* Sums over blocks; as in monout.h, but times are in units of the clock. */
struct mmi_use {
	uint64_t blocks, bytes, reads, writes, span, cover;
	uint64_t span_used, cover_used, useful, life;
	uint64_t flag[MONOUT_NFLAG];
	uint64_t *flag_bytes; /* of a cell for all sizes; else NULL */
	uint64_t *grain;      /* reads and writes of each granule, or NULL */
	struct mmi_groups groups;
	struct mmi_use *late; /* of the blocks that were live at the end */
};

/* What of a block goes over from one place to another when it is resized. */
struct mmi_past {
	uint64_t *words;       /* of its shadow, saved; NULL: still in place */
	uint64_t granules;     /* how many they are */
	uint64_t mapped;       /* bytes of `words' when they are a mapping */
	uint64_t from;	       /* its first granule */
	uint64_t info;	       /* as it was */
	uint32_t birth, first; /* epochs; birth 0: nothing is known */
	uint64_t few[64];
};

/*
 * A new block, of a past or (NULL) without, is in the map.  `run': how many
 * ever larger ones of its site there were, this one included.  ctx: hook.
 */
void mmi_use_made(struct mmi_thread *t, const void *p, uint64_t size,
		  unsigned run, const struct mmi_past *past);

/*
 * The block is going: to the sums of its cell; or with c NULL nowhere.  ctx:
 * hook.
 */
void mmi_use_gone(struct mmi_thread *t, struct mmi_cell *c, const void *p,
		  uint64_t size);

/*
 * It is going to be resized: what is known of it, which is in *past only from
 * here on.  Or there is none; or it stays as it was after all.  The block is at
 * `new' now and mmi_use_made() has been told: what *past took goes back.  ctx:
 * hook.
 */
void mmi_use_past(struct mmi_past *past, const void *old, uint64_t size);
void mmi_use_past_none(struct mmi_past *past);
void mmi_use_past_restore(const struct mmi_past *past, const void *old);
void mmi_use_past_free(const struct mmi_past *past, const void *old,
		       const void *new);

/* Fold what is live into cells' `late' sums.  ctx: exit. */
void mmi_use_end(struct mmi_thread *t);

/* Blocks that weren't folded.  ctx: any. */
uint64_t mmi_use_unfolded(void);

/* Counts start anew.  ctx: fork. */
void mmi_use_fork(void);

#endif
