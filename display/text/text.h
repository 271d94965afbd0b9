/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of source files: where it is found, and its lines. */
#ifndef MEMMON_TEXT_H
#define MEMMON_TEXT_H

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
struct text_places {
	const char *const *dirs;
	size_t ndirs;
	const char *sysroot; /* NULL: none */
	const char *exe;     /* the program; NULL: not known */
};

/* Larger files aren't shown, bytes; longer lines are cut, columns. */
enum { TEXT_LARGEST = 16 << 20, TEXT_LONGEST = 400 };

struct text {
	char *path;	     /* where it was found; NULL: nowhere */
	const char *problem; /* why there are no lines; NULL: there are */
	struct timespec changed;
	size_t n; /* lines, of which the first is number 1 */
	char *bytes;
	uint32_t *line; /* where each begins, and where the last ends */
};

/*
 * Find and read the file with that recorded path; plain: the same without "."
 * and "..".  0, or -1 when out of memory; *a needs text_fini() in any case.
 */
int text_read(struct text *a, const struct text_places *at,
	      const char *recorded, const char *plain);
void text_fini(struct text *a);

/*
 * Add line n, which the text has, to l: with blanks for tabs, `?' for control
 * characters, and "..." for the end of a long one.
 */
void text_add(const struct text *a, size_t n, struct line *l);

/* When the file that a path names was changed last; false: not known. */
bool text_changed(const char *path, const char *sysroot, struct timespec *when);

#endif
