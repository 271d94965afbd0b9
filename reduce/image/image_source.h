/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bytes of an image: a file, which may change or be truncated while it is
 * read, and in which most bytes may be in holes; or memory.
 */
#ifndef MEMMON_REDUCE_IMAGE_SOURCE_H
#define MEMMON_REDUCE_IMAGE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image_page;

/* The caller owns it, with fd and data, and sets fd, data and size. */
struct image_source {
	int fd;			   /* -1: memory */
	const unsigned char *data; /* `size' bytes of memory */
	size_t size;
	bool holes; /* look for holes; that takes time */
	bool cut;   /* bytes beyond the end were read, or a read failed */
	struct image_page *pages;
};

/*
 * Read n bytes at place `at'.  Bytes beyond the end are 0, and s->cut is set.
 * Returns the number of bytes from the file.
 */
size_t image_source_read(struct image_source *s, uint64_t at, void *to,
			 size_t n);

/*
 * The same for a few bytes, with a cache: bytes near those read before are
 * returned as they were then.  image_source_forget() empties the cache.
 */
void image_source_peek(struct image_source *s, uint64_t at, void *to, size_t n);
void image_source_forget(struct image_source *s);

/*
 * The first place from `at' on with data; all bytes before it are 0.
 * UINT64_MAX if no data follow.
 */
uint64_t image_source_next(const struct image_source *s, uint64_t at);

void image_source_fini(struct image_source *s);

#endif
