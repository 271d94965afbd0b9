/* SPDX-License-Identifier: MIT */
/*
 * What is mapped into the process, as /proc/self/smaps lists it: pieces of
 * addresses, each of one kind.  All ctx: exit, one thread at a time.
 */
#ifndef MEMMON_PIECES_H
#define MEMMON_PIECES_H

#include "monitor/base/internal.h"

enum mmi_piece_kind {
	MMI_PIECE_OTHER, /* vdso, devices, memory that nobody may write to */
	MMI_PIECE_OWN,	 /* memmon's */
	MMI_PIECE_CODE,	 /* code and data of the program and its libraries */
	MMI_PIECE_FILE,	 /* another file */
	MMI_PIECE_SHARED, /* shared memory that no file backs */
	MMI_PIECE_STACK,
	MMI_PIECE_BRK,	/* [heap] */
	MMI_PIECE_ANON, /* private memory of anybody */
	MMI_PIECE_KINDS
};

/*
 * [start, end), of which `resident' bytes are in memory.  For blocks: a bit a
 * page, is the page in memory, and does a live block touch it; NULL: not looked
 * at yet.  All members are words, for mmi_sort().
 */
struct mmi_piece {
	uintptr_t start, end;
	uint64_t kind, resident, blocks;
	uint64_t *there, *taken;
	struct mmi_page *page; /* NULL: no room for them */
};

/*
 * Of a page: bytes of blocks and of what the allocator adds to them; and how
 * many blocks, twice: the upper half is set when the lower one begins to fall.
 */
struct mmi_page {
	uint32_t used, blocks;
};

struct mmi_pieces {
	struct mmi_piece *piece; /* in order; NULL: not known */
	size_t n, near;
	uint64_t resident, swapped; /* bytes in all, by the kernel */
	uint64_t *bits;		    /* of pieces, so many words in all */
	size_t nbits, bits_used;
	struct mmi_page *pages; /* likewise, one for each two bits; or NULL */
};

/*
 * Read what is mapped now.  False: that can't be known; there are no pieces
 * then.  mmi_pieces_free() gives back what it took, in either case.
 */
bool mmi_pieces_read(struct mmi_pieces *p);
void mmi_pieces_free(struct mmi_pieces *p);

/* The piece with address a; NULL: there is none. */
struct mmi_piece *mmi_pieces_at(struct mmi_pieces *p, uintptr_t a);

/* Set the piece's bits.  False: there is no room for them. */
bool mmi_pieces_look(struct mmi_pieces *p, struct mmi_piece *x);

#endif
