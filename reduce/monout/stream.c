/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Split a stream of data files, one behind the other. */
#include "reduce/monout/stream.h"
#include "monitor/monout.h"
#include "reduce/base/arena.h"
#include "reduce/base/crc32.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * STREAM_STRANGE: the most bytes that are read of something else than a data
 * file, because a device may have no end.
 */
enum { STREAM_PART = 65536, STREAM_MAGIC = 8, STREAM_STRANGE = 64 << 20 };

/*
 * Have at least n bytes from the start of the file in memory, or all up to the
 * end.  Earlier files are dropped.  Returns how many bytes there are, or -1
 * with errno set.
 */
static ssize_t
stream_have(struct stream *s, size_t n)
{
	ssize_t got;

	while (!s->ended && s->end - s->at < n) {
		if (s->at && s->at >= s->end - s->at) {
			memmove(s->data, s->data + s->at, s->end - s->at);
			s->end -= s->at;
			s->at = 0;
		}
		ARRAY_ROOM(s->data, s->room, s->end + STREAM_PART);
		got = read(s->fd, s->data + s->end, STREAM_PART);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		s->ended = !got;
		s->end += (size_t)got;
	}
	return (ssize_t)(s->end - s->at);
}

/* Does a file begin at that offset from the current one's start? */
static bool
stream_begins(const struct stream *s, size_t at)
{
	const unsigned char *p = s->data + s->at + at;

	return !memcmp(p, MONOUT_MAGIC, STREAM_MAGIC) ||
	       (s->is_image && s->is_image(p, STREAM_MAGIC));
}

/*
 * The offset at which a file begins in n bytes in memory, from `at' on; 0 if
 * none does.
 */
static size_t
stream_within(const struct stream *s, size_t at, size_t n)
{
	size_t end = at + n;

	for (; at + STREAM_MAGIC <= end; at++)
		if (stream_begins(s, at))
			return at;
	return 0;
}

static bool
stream_is_whole(const struct stream *s, size_t at,
		const struct monout_record *r)
{
	const unsigned char *p = s->data + s->at + at;
	uint32_t crc = crc32_add(0, p, offsetof(struct monout_record, crc));

	return crc32_add(crc, p + sizeof(*r), r->length) == r->crc;
}

/*
 * The offset, from `at' on, at which the next file begins or the stream ends.
 * -1 with errno set.
 */
static ssize_t
stream_skip(struct stream *s, size_t at)
{
	size_t most = at + STREAM_STRANGE;
	ssize_t have;

	for (;; at++) {
		s->ended |= at == most;
		have = stream_have(s, at + STREAM_MAGIC);
		if (have < (ssize_t)(at + STREAM_MAGIC))
			return have;
		if (stream_begins(s, at))
			return (ssize_t)at;
	}
}

/*
 * The length of the file with records that begins here: up to the end of its
 * totals, or to a place without a record.  -1 with errno set.
 */
static ssize_t
stream_records(struct stream *s)
{
	size_t at = sizeof(struct monout_header);
	struct monout_record r = { .tag = 0 };
	size_t next;
	ssize_t have;

	while (r.tag != MONOUT_TOTALS) {
		have = stream_have(s, at + sizeof(r));
		if (have < (ssize_t)(at + sizeof(r)))
			return have;
		memcpy(&r, s->data + s->at + at, sizeof(r));
		if (!r.tag || r.length > MONOUT_PAYLOAD_MAX ||
		    stream_begins(s, at))
			return stream_skip(s, at);
		have = stream_have(s, at + sizeof(r) + r.length);
		if (have < (ssize_t)(at + sizeof(r) + r.length))
			return (next = stream_within(s, at, (size_t)have - at))
				       ? (ssize_t)next
				       : have;
		/*
		 * The file was truncated in this record, and another file
		 * follows.
		 */
		if (!stream_is_whole(s, at, &r) &&
		    (next = stream_within(s, at, sizeof(r) + r.length)))
			return (ssize_t)next;
		at += sizeof(r) + r.length;
	}
	/*
	 * Bytes that follow and are no file become a file of their own, a
	 * damaged one.
	 */
	return (ssize_t)at;
}

int
stream_next(struct stream *s, const unsigned char **data, size_t *n)
{
	ssize_t length = stream_have(s, STREAM_MAGIC);

	if (length <= 0)
		return (int)length;
	if (length < STREAM_MAGIC)
		;
	else if (!memcmp(s->data + s->at, MONOUT_MAGIC, STREAM_MAGIC))
		length = stream_records(s);
	else if (s->is_image && s->is_image(s->data + s->at, STREAM_MAGIC))
		length = stream_have(s, SIZE_MAX);
	else
		length = stream_skip(s, 1);
	if (length < 0)
		return -1;
	*data = s->data + s->at;
	*n = (size_t)length;
	s->at += *n;
	return 1;
}

void
stream_fini(struct stream *s)
{
	free(s->data);
	s->data = NULL;
	s->at = s->end = s->room = 0;
}
