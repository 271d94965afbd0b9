/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data files read and merged by several threads: parts of files_read(). */
#ifndef MEMMON_REDUCE_FILES_PARTS_H
#define MEMMON_REDUCE_FILES_PARTS_H

#include "reduce/profile/files.h"

/* What all parts share, and none changes. */
struct files_load {
	const struct files *files;
	const char *exe;       /* of picked ones; NULL: any */
	struct files_sum *sum; /* NULL: p->runs are wanted */
};

/* Files side by side in the order of their names, into p and g. */
struct files_part {
	const struct files_load *of;
	struct profile *p;
	struct merge *g; /* NULL: p->runs alone are wanted */
	struct ranks *ranks; /* NULL: they aren't */
	size_t from, to;
	size_t others; /* picked files of other programs */
	size_t room;   /* of p->runs */
	struct run unseen;
	int status; /* 0, or -1 and why: */
	struct err e;
};

/* files_load.c: load them, one after the other, and set status. */
void files_part_load(struct files_part *x);

/*
 * The same by so many threads, 0: one for each processor, where that makes
 * sense.  0, or -1 with all->e set.
 */
int files_parts_load(struct files_part *all, size_t jobs);

#endif
