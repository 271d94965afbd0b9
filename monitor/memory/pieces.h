/* SPDX-License-Identifier: MIT */
/*
 * The mappings of the process, as /proc/self/smaps lists them: pieces of
 * addresses, each of one kind.  All ctx: exit, one thread at a time.
 */
#ifndef MEMMON_PIECES_H
#define MEMMON_PIECES_H

#include "monitor/base/internal.h"

/* glibc's arenas, except the first, begin at a multiple of this. */
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
	MMI_PIECE_ANON, /* any other private memory */
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
	struct mmi_page *page; /* NULL: no memory for it */
};

/*
 * A page: `used' bytes of blocks and of the allocator's additions to them; and
 * the number of blocks.  Later the upper half of `blocks' has the number, and
 * the lower half counts down.
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
 * read: reads the present mappings; `pages': pieces have a struct for each
 * page.  False: it failed, and there are no pieces.  In both cases free gives
 * back the memory.
 */
bool mmi_pieces_read(struct mmi_pieces *p, bool pages);
void mmi_pieces_free(struct mmi_pieces *p);

/* The piece that contains address a, or NULL. */
struct mmi_piece *mmi_pieces_at(struct mmi_pieces *p, uintptr_t a);

/* Sets the bits of a piece.  False: no memory for the bits. */
bool mmi_pieces_look(struct mmi_pieces *p, struct mmi_piece *x);

/*
 * Bytes of pages that begin in [a, end) and are in memory.  If a file or shared
 * memory is mapped in several pieces, pages that any process has in memory
 * count, up to the piece's number of resident bytes.
 */
uint64_t mmi_pieces_resident(struct mmi_pieces *p, uintptr_t a, uintptr_t end);

#endif
