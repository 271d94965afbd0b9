/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read the image of a process that was killed or still runs: a file that takes
 * the place of the data file (monitor/monimg.h).  Its content is converted into
 * the records of an ordinary data file, in memory, and these are read as usual.
 */
#ifndef MEMMON_REDUCE_IMAGE_H
#define MEMMON_REDUCE_IMAGE_H

#include "reduce/base/err.h"
#include "reduce/monout/mon.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Kinds of slots, as many as MONIMG_NKIND. */
enum { IMAGE_KINDS = 11 };

/* Data of an image that aren't in the tables. */
struct image_info {
	uint32_t version;
	uint32_t used, nslots;	     /* numbers of slots */
	uint64_t slots[IMAGE_KINDS]; /* of each kind; [0]: not yet used */
	uint64_t cells;		     /* cells with counts */
	int running;		     /* 1: the process runs, 0: it doesn't,
				      * -1: unknown */
};

/* Are these n bytes, the first of a file, the start of an image? */
bool image_is(const void *p, size_t n);

/*
 * Read the image in the file fd, in which lseek() must work, or in memory.
 * Like open_file(): 0, or -1 with *e set and nothing to free.  path is for
 * messages.
 */
int image_load(struct mon *m, const char *path, int fd, struct err *e);
int image_load_memory(struct mon *m, const char *path, const void *data,
		      size_t size, struct err *e);

/*
 * Print the lines about the image for mpreduce -i.  Prints nothing if m isn't
 * from an image.
 */
void image_print(const struct mon *m, FILE *out);

/*
 * If m was written by a process that ran on, and an image beside the file has
 * newer counts, add a warning.
 */
void image_warn_newer(struct mon *m);

/*
 * If no file has this name, look for an image that belonged to it.  Returns the
 * name of the newest one, to be freed, or NULL.
 */
char *image_beside(const char *path);

#endif
