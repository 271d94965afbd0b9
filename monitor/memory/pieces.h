/* SPDX-License-Identifier: MIT */
/*
 * What is mapped into the process, as /proc/self/smaps lists it: pieces of
 * addresses, each of one kind.  All ctx: exit, one thread at a time.
 */
#ifndef MEMMON_PIECES_H
#define MEMMON_PIECES_H

#include "monitor/base/internal.h"

/* glibc's arenas but the first begin at a multiple of it. */
#define MMI_PIECES_HEAP ((uintptr_t)64 << 20)

enum mmi_piece_kind {
	MMI_PIECE_OTHER, /* vdso, devices, memory without write access */
	MMI_PIECE_OWN,	 /* memmon's */
	MMI_PIECE_CODE,	 /* code and data of the program and its libraries */
	MMI_PIECE_FILE,	 /* another file */
	MMI_PIECE_SHARED, /* shared memory that no file backs */
	MMI_PIECE_STACK,
	MMI_PIECE_BRK,	/* [heap] */
	MMI_PIECE_PROGRAM, /* private, by the program's own calls */
	MMI_PIECE_ANON, /* private memory of anybody */
	MMI_PIECE_KINDS
};

/*
 * [start, end); `resident' bytes of the piece are in memory.  `there' has a bit
 * for each page that is in memory, `taken' for each page with a live block;
 * NULL: mmi_pieces_look() has not set them.  All members are words, for
 * mmi_sort().
 */
struct mmi_piece {
	uintptr_t start, end;
	uint64_t kind, resident, blocks;
	uint64_t *there, *taken;
	struct mmi_page *page; /* NULL: there was no memory */
};

/*
 * A page: the bytes of blocks, with what the allocator adds to them; and the
 * number of blocks.  The lower half of `blocks' counts down later; then the
 * upper half has the number.
 */
struct mmi_page {
	uint32_t used, blocks;
};

struct mmi_pieces {
	struct mmi_piece *piece; /* in order; NULL: not known */
	size_t n, near;
	uint64_t resident, swapped, pss; /* bytes in all, by the kernel */
	uint64_t *bits;		    /* nbits words, for all pieces */
	size_t nbits, bits_used;
	struct mmi_page *pages; /* one for each two bits; NULL: none */
};

/*
 * Read what is mapped now; `pages': pieces have a struct for each page.  False:
 * that can't be known; there are no pieces then.  mmi_pieces_free() gives back
 * what it took, in either case.
 */
bool mmi_pieces_read(struct mmi_pieces *p, bool pages);
void mmi_pieces_free(struct mmi_pieces *p);

/* The piece with address a; NULL: there is none. */
struct mmi_piece *mmi_pieces_at(struct mmi_pieces *p, uintptr_t a);

/* Set the bits of a piece.  False: there is no memory for these. */
bool mmi_pieces_look(struct mmi_pieces *p, struct mmi_piece *x);

/*
 * Bytes of the pages that begin in [a, end) and are in memory.  Of a file, or
 * shared memory, that is mapped in several pieces: pages that are in memory for
 * any process, as far as the piece has so many.
 */
uint64_t mmi_pieces_resident(struct mmi_pieces *p, uintptr_t a, uintptr_t end);

#endif
