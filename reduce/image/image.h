/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading the image of a process that was killed, or that runs on: the file
 * that stands in the data file's place meanwhile (monitor/monimg.h).  What is
 * in it is put into the records of an ordinary data file, in memory, and those
 * are read as always.
 */
#ifndef MEMMON_REDUCE_IMAGE_H
#define MEMMON_REDUCE_IMAGE_H

#include "reduce/base/err.h"
#include "reduce/file/mon.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Kinds of slots; the file has more. */
enum { IMAGE_KINDS = 11 };

/* What is known of an image and isn't in the tables. */
struct image_info {
	uint32_t version;
	uint32_t used, nslots;	     /* slots */
	uint64_t slots[IMAGE_KINDS]; /* of each kind; [0]: not begun */
	uint64_t cells;		     /* that have counts */
	int running;		     /* 1 it is, 0 it isn't, -1 not known */
};

/* Do these n bytes, the file's first, begin an image? */
bool image_is(const void *p, size_t n);

/*
 * Read the image in the file fd, which can be sought in, or in memory.  As
 * open_file(): 0, or -1 with *e set and nothing to free.  path is for messages.
 */
int image_load(struct mon *m, const char *path, int fd, struct err *e);
int image_load_memory(struct mon *m, const char *path, const void *data,
		      size_t size, struct err *e);

/* The lines on it for mpreduce -i; nothing when m isn't of an image. */
void image_print(const struct mon *m, FILE *out);

/*
 * m was written by a process that went on.  If there is an image beside it that
 * has more, warn of that.  0, or -1 when out of memory.
 */
int image_warn_newer(struct mon *m);

/*
 * There is no file of this name.  Is there an image that was moved away from
 * it?  The newest one's name, to be freed, or NULL.
 */
char *image_beside(const char *path);

#endif
