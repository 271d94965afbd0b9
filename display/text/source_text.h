/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of source files: where to find it, and its lines. */
#ifndef MEMMON_SOURCE_TEXT_H
#define MEMMON_SOURCE_TEXT_H

#include "display/text/line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/*
 * Where to look for files, in this order: in each of dirs (an entry may be
 * several directories separated by colons), below sysroot, at the recorded
 * path, in exe's directory, in the current directory.  In a directory, look for
 * the longest end of the recorded path that exists.
 */
struct source_text_places {
	const char *const *dirs;
	size_t ndirs;
	const char *sysroot; /* NULL: none */
	const char *exe;     /* the program; NULL: unknown */
};

/* The largest file that is shown, bytes; the longest line, columns. */
enum { SOURCE_TEXT_LARGEST = 16 << 20, SOURCE_TEXT_LONGEST = 400 };

struct source_text {
	char *path;	     /* the file found; NULL: none */
	const char *problem; /* why there are no lines; NULL: there are lines */
	struct timespec changed;
	size_t n; /* number of lines; the first is line 1 */
	char *bytes;
	uint32_t *line; /* offset of each line, then the end of the last */
};

/*
 * Find and read the file with that recorded path; plain: the path without "."
 * and "..".  0, or -1 when out of memory; call source_text_fini() in both
 * cases.
 */
int source_text_read(struct source_text *a, const struct source_text_places *at,
		     const char *recorded, const char *plain);
void source_text_fini(struct source_text *a);

/*
 * Add line n, which must exist, to l, with blanks for tabs, `?' for control
 * characters, and "..." at the end of a long line.
 */
void source_text_add(const struct source_text *a, size_t n, struct line *l);

/* When the file at a path was last changed; false: unknown. */
bool source_text_changed(const char *path, const char *sysroot,
			 struct timespec *when);

#endif
