/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data files one behind the other, as from a pipe. */
#ifndef MEMMON_REDUCE_STREAM_H
#define MEMMON_REDUCE_STREAM_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The caller sets fd and is_image; the rest is 0 at first.  is_image() says
 * whether a file that begins with these 8 bytes has no records; such a file
 * goes on to the end of the stream.  is_image may be NULL.
 */
struct stream {
	int fd;
	bool (*is_image)(const void *head, size_t n);
	unsigned char *data;   /* bytes that were read and not yet returned */
	size_t at, end, room;
	bool ended;
};

/*
 * Find the next file: *n bytes at *data, which are valid until the next call.
 * Bytes that belong to no file are returned as one file, up to where another
 * begins.  Returns 1, 0 at the end of the stream, or -1 with errno set.
 */
int stream_next(struct stream *s, const unsigned char **data, size_t *n);

void stream_fini(struct stream *s);

#endif
