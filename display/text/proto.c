/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Protocol buffers and gzip: see proto.h. */
#include "display/text/proto.h"

#include "reduce/base/arena.h"
#include "reduce/base/clean.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Wire types of fields. */
enum { VARINT = 0, FIXED = 1, LENGTH = 2 };

/* A window of 32 KB; + 16: with gzip's header and trailer. */
enum { WINDOW = 15 + 16, MEMORY = 8, CHUNK = 1 << 16 };

struct gzip {
	z_stream z;
	FILE *out;
	bool failed;
	unsigned char chunk[CHUNK];
};

void
proto_fini(struct proto *m)
{
	free(m->v);
	*m = (struct proto){ 0 };
}

/* Make room for n more bytes. */
static bool
grow(struct proto *m, size_t n)
{
	unsigned char *v = array_grow(m->v, &m->room, m->n + n, 1);

	if (!v)
		m->failed = true;
	else
		m->v = v;
	return v;
}

void
proto_item(struct proto *m, uint64_t n)
{
	if (!grow(m, 10))
		return;
	for (; n >= 0x80; n >>= 7)
		m->v[m->n++] = (unsigned char)(n | 0x80);
	m->v[m->n++] = (unsigned char)n;
}

void
proto_given(struct proto *m, unsigned field, uint64_t n)
{
	proto_item(m, field << 3 | VARINT);
	proto_item(m, n);
}

void
proto_number(struct proto *m, unsigned field, uint64_t n)
{
	if (n)
		proto_given(m, field, n);
}

void
proto_fixed(struct proto *m, unsigned field, uint64_t n)
{
	if (!n)
		return;
	proto_item(m, field << 3 | FIXED);
	if (!grow(m, sizeof n))
		return;
	for (size_t i = 0; i < sizeof n; i++)
		m->v[m->n++] = (unsigned char)(n >> 8 * i);
}

/* Add a field of n bytes; returns their address, or NULL. */
static unsigned char *
proto_field_of(struct proto *m, unsigned field, size_t n)
{
	unsigned char *to;

	proto_item(m, field << 3 | LENGTH);
	proto_item(m, n);
	if (!grow(m, n))
		return NULL;
	to = m->v + m->n;
	m->n += n;
	return to;
}

void
proto_message(struct proto *m, unsigned field, struct proto *part)
{
	unsigned char *to = proto_field_of(m, field, part->n);

	if (to && part->n)
		memcpy(to, part->v, part->n);
	m->failed |= part->failed;
	part->n = 0;
}

void
proto_text(struct proto *m, unsigned field, const char *text)
{
	size_t n = strlen(text);
	char *copy = clean_text(strdup(text));
	unsigned char *to = copy ? proto_field_of(m, field, n) : NULL;

	m->failed |= !copy;
	if (!to) {
		free(copy);
		return;
	}
	memcpy(to, copy, n);
	free(copy);
}

struct gzip *
gzip_open(FILE *out)
{
	struct gzip *g = calloc(1, sizeof *g);

	if (!g)
		return NULL;
	g->out = out;
	if (deflateInit2(&g->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW,
			 MEMORY, Z_DEFAULT_STRATEGY) == Z_OK)
		return g;
	free(g);
	return NULL;
}

/* Compress the input in z and write the output. */
static void
pump(struct gzip *g, int flush)
{
	do {
		g->z.next_out = g->chunk;
		g->z.avail_out = CHUNK;
		if (deflate(&g->z, flush) == Z_STREAM_ERROR) {
			g->failed = true;
			return;
		}
		fwrite(g->chunk, 1, CHUNK - g->z.avail_out, g->out);
	} while (g->z.avail_out == 0);
}

void
gzip_write(struct gzip *g, struct proto *m)
{
	size_t done = 0;

	g->failed |= m->failed;
	while (done < m->n && !g->failed) {
		size_t n = m->n - done < 1u << 30 ? m->n - done : 1u << 30;

		g->z.next_in = m->v + done;
		g->z.avail_in = (uInt)n;
		pump(g, Z_NO_FLUSH);
		done += n;
	}
	m->n = 0;
}

int
gzip_close(struct gzip *g)
{
	int status;

	g->z.avail_in = 0;
	if (!g->failed)
		pump(g, Z_FINISH);
	deflateEnd(&g->z);
	status = g->failed ? -1 : 0;
	free(g);
	return status;
}
