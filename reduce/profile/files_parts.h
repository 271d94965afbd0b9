/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data files read and merged by several threads: parts of files_read(). */
#ifndef MEMMON_REDUCE_FILES_PARTS_H
#define MEMMON_REDUCE_FILES_PARTS_H

#include "reduce/profile/files.h"

/* Shared by all parts; constant. */
struct files_load {
	const struct files *files;
	const char *exe;       /* of picked ones; NULL: any */
	struct files_sum *sum; /* NULL: fill p->runs */
};

/* Files next to each other in the order of their names, loaded to p and g. */
struct files_part {
	const struct files_load *of;
	struct profile *p;
	struct merge *g; /* NULL: fill only p->runs */
	struct ranks *ranks; /* NULL: not wanted */
	size_t from, to;
	size_t others; /* picked files of other programs */
	size_t room;   /* of p->runs */
	struct run unseen;
	int status; /* 0; or -1: e says why */
	struct err e;
};

/* files_load.c: load the files, one after the other, and set status. */
void files_part_load(struct files_part *x);

/*
 * The same with up to `jobs' threads; 0: one for each CPU.  It uses fewer
 * threads for few files.  0, or -1 with all->e set.
 */
int files_parts_load(struct files_part *all, size_t jobs);

#endif
