/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Places in the source, each (file, line) one: however the debug information
 * of different units spells the file.
 */
#ifndef MEMMON_REDUCE_LINES_H
#define MEMMON_REDUCE_LINES_H

#include "reduce/base/arena.h"
#include "reduce/base/hash.h"

/* Not a place. */
#define LINES_NONE 0u

/* A file; both strings live in the arena. */
struct lines_file {
	const char *path;     /* without ".", ".." and "//" as far as can be */
	const char *recorded; /* as it was spelled first */
};

struct lines_place {
	uint32_t file; /* number */
	unsigned line; /* from 1 */
};

/* The caller owns it; all zero, but for the arena, is fresh. */
struct lines {
	struct arena *arena;
	struct lines_file *file;
	size_t nfiles, file_room;
	struct lines_place *place; /* [0] is none */
	size_t n, room;
	struct hash spelled; /* string's address -> file */
	struct hash files;   /* hash of a path, try -> file */
	struct hash places;
};

/*
 * The number of a place, from 1; LINES_NONE: the line is 0 or the file "";
 * HASH_NONE: out of memory.  file: must live and stay the same as long as *l,
 * for its address is what it is known by.
 */
uint32_t lines_number(struct lines *l, const char *file, unsigned line);

void lines_fini(struct lines *l);

#endif
