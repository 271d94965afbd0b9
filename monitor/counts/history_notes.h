/* SPDX-License-Identifier: MIT */
/* Notes that history.c writes and history_read.c reads. */
#ifndef MEMMON_HISTORY_NOTES_H
#define MEMMON_HISTORY_NOTES_H

#include "monitor/base/shared.h"

/* The counts of a cell at a snapshot. */
struct mmi_note {
	uint64_t snapshot; /* its number */
	uint64_t allocs, frees;
	uint64_t bytes, freed; /* for a cell for all sizes */
};

/*
 * Notes are a list of pieces of bytes.  Each note is stored as the differences
 * between its numbers and those of the note before.
 */
struct mmi_piece {
	uint32_t next;
	uint8_t byte[28];
};
#define MMI_PIECE 28u

/*
 * A cell's notes.  The cell's thread writes them.  The thread that writes the
 * file reads `word', and the pieces as long as `packs' stays the same.
 */
struct mmi_head {
	uint64_t word;	      /* number of the first piece << 32 | bytes */
	struct mmi_note note; /* the last one */
	uint32_t last;	      /* piece */
	uint32_t packs;	      /* how often the pieces were replaced */
	uint32_t next;	      /* next cell in the thread's list, 0 ends it */
	uint32_t listed;      /* 1: the cell is in that list */
};

/* NULL if there is none. */
struct mmi_head *mmi_history_head(uint32_t cell);
struct mmi_piece *mmi_history_piece(uint32_t i);

struct mmi_notes {
	unsigned n;
	struct mmi_note note[MMI_SNAPSHOTS + 2];
};

/*
 * Add the notes of a head (any: of a cell for all sizes) to *to.  If place()
 * returns the same number for several notes, only the last is kept.  Returns
 * how many notes were read; UINT_MAX: the pieces were replaced during the read.
 */
unsigned mmi_history_read(struct mmi_notes *to, const struct mmi_head *h,
			  bool any, uint64_t (*place)(uint64_t number));
void mmi_history_add(struct mmi_notes *to, struct mmi_note n,
		     uint64_t (*place)(uint64_t number));

/* Was everything noted that had to be noted?  ctx: any. */
bool mmi_history_whole(void);

#endif
