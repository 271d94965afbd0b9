/* SPDX-License-Identifier: MIT */
/* What history.c notes, for history_read.c to read. */
#ifndef MEMMON_HISTORY_NOTES_H
#define MEMMON_HISTORY_NOTES_H

#include "monitor/base/shared.h"

/* What a cell had counted at a snapshot. */
struct mmi_note {
	uint64_t snapshot; /* its number */
	uint64_t allocs, frees;
	uint64_t bytes, freed; /* of a cell for all sizes */
};

/*
 * Notes are a list of pieces of bytes: of each its numbers, less those of the
 * one before.
 */
struct mmi_piece {
	uint32_t next;
	uint8_t byte[28];
};
#define MMI_PIECE 28u

/*
 * A cell's notes.  Its thread writes; who writes the file reads `word', and the
 * pieces while `packs' stays the same.
 */
struct mmi_head {
	uint64_t word;	      /* number of the first piece << 32 | bytes */
	struct mmi_note note; /* the last one */
	uint32_t last;	      /* piece */
	uint32_t packs;	      /* how often other pieces replaced these */
	uint32_t next;	      /* cell of the thread's list, 0 ends it */
	uint32_t listed;      /* 1: it is in it */
};

/* NULL if there is none. */
struct mmi_head *mmi_history_head(uint32_t cell);
struct mmi_piece *mmi_history_piece(uint32_t i);

struct mmi_notes {
	unsigned n;
	struct mmi_note note[MMI_SNAPSHOTS + 2];
};

/*
 * Add notes of a head (any: of a cell for all sizes) to *to.  Those whose
 * snapshots place() makes the same are one, the last.  Returns how many were
 * read; UINT_MAX: they were replaced meanwhile.
 */
unsigned mmi_history_read(struct mmi_notes *to, const struct mmi_head *h,
			  bool any, uint64_t (*place)(uint64_t number));
void mmi_history_add(struct mmi_notes *to, struct mmi_note n,
		     uint64_t (*place)(uint64_t number));

/* Is nothing missing of what was to be noted?  ctx: any. */
bool mmi_history_whole(void);

#endif
