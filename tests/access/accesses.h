/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of accesses share: accesses_trace.c follows the program,
 * accesses_file.c reads the data file, accesses_sums.c keeps the account of
 * both, accesses.c compares them.
 */
#ifndef ACCESSES_H
#define ACCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "monitor/monout.h"
#include "tests/access/numbered.h"

#define GRANULE MONOUT_GRANULE

/* How often, by granule, and the last place; [0]: reads, [1]: writes. */
struct granule {
	uint64_t n[2], pc[2];
	uint64_t soon; /* reads before a store to the same bytes */
	uint64_t exchanged; /* reads by exchanges, which may be stores */
};

struct block {
	uint64_t start, size, code;
	struct granule *granule;
	uint64_t cut[2]; /* in granules that realloc cut off */
};

enum { MACHINE, FILE_, SIDES };

/* All blocks of one allocation. */
struct sums {
	uint64_t blocks, bytes, n[2], span, cover, span_used, cover_used;
	uint64_t flag[MONOUT_READ_ONLY + 1];
	bool excused; /* the reads of one of its granules */
	uint64_t handed; /* passed to unrecorded code */
};
extern struct sums *sums[SIDES]; /* by code */

/* Blocks of one allocation and size: reads and writes of each granule. */
struct fields {
	uint64_t code, size, blocks[SIDES];
	struct granule *granule[SIDES];
};

extern bool joins; /* -j */
extern const volatile struct numbered_log *log_;

/* Ends the program with status 2. */
_Noreturn void die(const char *what);

/* Returns zeroed memory for n objects of `size' bytes; it is never freed. */
void *room(size_t n, size_t size);

/* accesses_trace.c: reads the trace from standard input; adds up its blocks. */
void trace_read(void);

/* accesses_file.c: adds up the contents of a data file. */
void file_read(const char *name);

/* accesses_sums.c */
void sums_init(void);
struct fields *fields_of(uint64_t code, uint64_t size);
void sums_add(const struct block *b);
void fields_each(void (*f)(const struct fields *));

static inline uint64_t
granules(uint64_t size)
{
	return (size + GRANULE - 1) / GRANULE;
}

/* The number of granules that the file counts. */
static inline uint64_t
counted(uint64_t size)
{
	return granules(size < MONOUT_FIELDS_MAX ? size : MONOUT_FIELDS_MAX);
}

#endif
