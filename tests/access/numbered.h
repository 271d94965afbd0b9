/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The records that numbered.c writes for accesses.c, in a file that both have
 * mapped.  The writer stores to `bell' when a record is complete.  That store
 * is in the trace of memory accesses, at its place among the program's own.
 */
#ifndef NUMBERED_H
#define NUMBERED_H

#include <stdint.h>

#define NUMBERED_BITS 6 /* of a digit */
#define NUMBERED_DIGITS 3
#define NUMBERED_RADIX (1 << NUMBERED_BITS)
#define NUMBERED_CODES (1 << NUMBERED_BITS * NUMBERED_DIGITS)
#define NUMBERED_EARLY 0 /* the code of all blocks before the log */

enum numbered_kind {
	NUMBERED_MADE,	/* a block of `size' bytes at p; old: realloc's, or 0 */
	NUMBERED_FREED, /* the block at p */
	NUMBERED_READ,	/* a function of libc reads [p, p + size) */
	NUMBERED_WRITE	/* writes it */
};

struct numbered_record {
	uint64_t kind, p, size, old;
	uint64_t code; /* for MADE: the allocation, below _CODES */
};

struct numbered_log {
	uint64_t self; /* its address in the program */
	uint64_t bell;
	/* Start and end of the program's own code, and of the atomic functions
	 * that gcc and clang call for it.  Copies of both follow the room for
	 * records. */
	uint64_t text[2][2];
	uint64_t bias;	  /* an address minus this: its address in the file */
	uint64_t room;	  /* records */
	/* Functions, in ld-linux-numbered.so's file. */
	uint64_t digit[NUMBERED_RADIX];
	struct numbered_record record[];
};

#endif
