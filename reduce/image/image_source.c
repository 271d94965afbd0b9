/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of an image. */
#define _GNU_SOURCE
#include "reduce/image/image_source.h"
#include "reduce/base/arena.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Pages that are remembered, each in the one place for its number. */
enum { PAGE = 4096, PAGES = 512 };

struct image_page {
	uint64_t number; /* number plus 1; 0: empty */
	size_t have;	 /* bytes that came from the file */
	unsigned char bytes[PAGE];
};

static size_t
image_source_memory(const struct image_source *s, uint64_t at, void *to,
		    size_t n)
{
	size_t have = at < s->size ? s->size - (size_t)at : 0;

	if (have > n)
		have = n;
	if (have)
		memcpy(to, s->data + at, have);
	return have;
}

static size_t
image_source_file(const struct image_source *s, uint64_t at, void *to, size_t n)
{
	size_t have = 0;
	ssize_t r;

	while (have < n && at <= (uint64_t)INT64_MAX - n) {
		r = pread(s->fd, (char *)to + have, n - have,
			  (off_t)(at + have));
		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			break;
		have += (size_t)r;
	}
	return have;
}

/* Read n bytes.  Missing bytes become 0, without setting s->cut. */
static size_t
image_source_some(const struct image_source *s, uint64_t at, void *to, size_t n)
{
	size_t have = s->fd < 0 ? image_source_memory(s, at, to, n)
				: image_source_file(s, at, to, n);

	memset((char *)to + have, 0, n - have);
	return have;
}

size_t
image_source_read(struct image_source *s, uint64_t at, void *to, size_t n)
{
	size_t have = image_source_some(s, at, to, n);

	s->cut |= have < n;
	return have;
}

void
image_source_peek(struct image_source *s, uint64_t at, void *to, size_t n)
{
	struct image_page *p;
	size_t from, some;

	if (s->fd >= 0 && !s->pages)
		s->pages = heap_array(PAGES, sizeof(*s->pages));
	if (!s->pages) {
		image_source_read(s, at, to, n);
		return;
	}
	for (; n; at += some, to = (char *)to + some, n -= some) {
		p = &s->pages[at / PAGE % PAGES];
		if (p->number != at / PAGE + 1) {
			p->have = image_source_some(s, at / PAGE * PAGE,
						    p->bytes, PAGE);
			p->number = at / PAGE + 1;
		}
		from = at % PAGE;
		some = n < PAGE - from ? n : PAGE - from;
		s->cut |= from + some > p->have;
		memcpy(to, p->bytes + from, some);
	}
}

void
image_source_forget(struct image_source *s)
{
	size_t i;

	for (i = 0; s->pages && i < PAGES; i++)
		s->pages[i].number = 0;
}

uint64_t
image_source_next(const struct image_source *s, uint64_t at)
{
	off_t next;

	if (s->fd < 0 || !s->holes || at > (uint64_t)INT64_MAX)
		return at;
	next = lseek(s->fd, (off_t)at, SEEK_DATA);
	if (next >= 0)
		return (uint64_t)next;
	/*
	 * ENXIO: only a hole follows, or the end.  With another error, nothing
	 * is known.
	 */
	return errno == ENXIO ? UINT64_MAX : at;
}

void
image_source_fini(struct image_source *s)
{
	free(s->pages);
	s->pages = NULL;
}
