/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bytes of an image: a file, which may be changed or cut while it is read,
 * and of which most may be holes; or memory.
 */
#ifndef MEMMON_REDUCE_IMAGE_SOURCE_H
#define MEMMON_REDUCE_IMAGE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image_page;

/* The caller owns it, and fd and data; fd, data and size are set by hand. */
struct image_source {
	int fd;			   /* -1: memory */
	const unsigned char *data; /* of `size' bytes, when it is memory */
	size_t size;
	bool holes; /* look for holes, which takes time, too */
	bool cut;   /* something lay beyond the end, or couldn't be read */
	struct image_page *pages;
};

/*
 * n bytes at place `at' of the file.  What lies beyond its end is 0, and then
 * cut is set.  Returns how many are from the file.
 */
size_t image_source_read(struct image_source *s, uint64_t at, void *to,
			 size_t n);

/*
 * The same for a few bytes of which others were read just before, as they were
 * then; image_source_forget() makes that anew.
 */
void image_source_peek(struct image_source *s, uint64_t at, void *to, size_t n);
void image_source_forget(struct image_source *s);

/*
 * The first place from `at' on where there is something in the file: it is all
 * 0 up to there.  UINT64_MAX: nothing is there.
 */
uint64_t image_source_next(const struct image_source *s, uint64_t at);

void image_source_fini(struct image_source *s);

#endif
