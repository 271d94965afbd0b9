/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data files that come one behind the other, as from a pipe. */
#ifndef MEMMON_REDUCE_STREAM_H
#define MEMMON_REDUCE_STREAM_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The caller sets fd and, unless it is NULL, is_image, which says whether a
 * file that begins with these 8 bytes is one without records: that goes on up
 * to the end.  All else is 0.
 */
struct stream {
	int fd;
	bool (*is_image)(const void *head, size_t n);
	unsigned char *data;   /* what was read and not yet taken */
	size_t at, end, room;
	bool ended;
};

/*
 * The next file: *data, which lives until the next call, has *n bytes.  What
 * belongs to no file is one, too, up to where another begins.  1, 0 when there
 * is no more, or -1 with errno set.
 */
int stream_next(struct stream *s, const unsigned char **data, size_t *n);

void stream_fini(struct stream *s);

#endif
