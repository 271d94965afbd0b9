/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of source files: where it is found, and its lines. */
#ifndef MEMMON_SOURCE_TEXT_H
#define MEMMON_SOURCE_TEXT_H

#include "display/text/line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/*
 * Where to look for files, in this order: in each of dirs (several may stand in
 * one, with colons between them), below sysroot, as recorded, in exe's
 * directory, in the current one.  In directories it is the end of the recorded
 * path that is looked for, as much of it as there is.
 */
struct source_text_places {
	const char *const *dirs;
	size_t ndirs;
	const char *sysroot; /* NULL: none */
	const char *exe;     /* the program; NULL: not known */
};

/* Larger files aren't shown, bytes; longer lines are cut, columns. */
enum { SOURCE_TEXT_LARGEST = 16 << 20, SOURCE_TEXT_LONGEST = 400 };

struct source_text {
	char *path;	     /* where it was found; NULL: nowhere */
	const char *problem; /* why there are no lines; NULL: there are */
	struct timespec changed;
	size_t n; /* lines, of which the first is number 1 */
	char *bytes;
	uint32_t *line; /* where each begins, and where the last ends */
};

/*
 * Find and read the file with that recorded path; plain: the same without "."
 * and "..".  0, or -1 when out of memory; *a needs source_text_fini() in any
 * case.
 */
int source_text_read(struct source_text *a, const struct source_text_places *at,
		     const char *recorded, const char *plain);
void source_text_fini(struct source_text *a);

/*
 * Add line n, which the text has, to l: with blanks for tabs, `?' for control
 * characters, and "..." for the end of a long one.
 */
void source_text_add(const struct source_text *a, size_t n, struct line *l);

/* When the file that a path names was changed last; false: not known. */
bool source_text_changed(const char *path, const char *sysroot,
			 struct timespec *when);

#endif
