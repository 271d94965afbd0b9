/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Places in the source.  Each (file, line) is one place, even if units of debug
 * information spell the file in different ways.
 */
#ifndef MEMMON_REDUCE_LINES_H
#define MEMMON_REDUCE_LINES_H

#include "reduce/base/arena.h"
#include "reduce/base/hash.h"

/* Not a place. */
#define LINES_NONE 0u

/* A file; both strings live in the arena. */
struct lines_file {
	const char *path;     /* without ".", ".." and "//" where possible */
	const char *recorded; /* its first spelling */
};

struct lines_place {
	uint32_t file; /* number */
	unsigned line; /* from 1 */
};

/* The caller owns it; all zero, except for the arena, is empty. */
struct lines {
	struct arena *arena;
	struct lines_file *file;
	size_t nfiles, file_room;
	struct lines_place *place; /* [0] isn't used */
	size_t n, room;
	struct hash spelled; /* string's address -> file */
	struct hash files;   /* hash of a path, try -> file */
	struct hash places;
};

/*
 * The number of a place, from 1.  LINES_NONE: the line is 0 or the file is "".
 * file: must live, unchanged, as long as *l, because
 * its address is the key.
 */
uint32_t lines_number(struct lines *l, const char *file, unsigned line);

void lines_fini(struct lines *l);

#endif
