/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of logs: good logs, and bad ones made by hand. */
#include "reduce/base/crc32.h"
#include "reduce/log/log.h"

#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { ID = 77, SEGMENT = MONLOG_SEGMENT_MIN };

static unsigned char file[MONLOG_FIRST + 3 * SEGMENT];
static size_t size, at; /* of the file; in its segment */
static unsigned segment;

/* ---------------------------------------------------------------- making -- */

static void
begin(void)
{
	struct monlog_header h = {
		.version = MONLOG_VERSION,
		.order = MONLOG_ORDER,
		.id = ID,
		.segment = SEGMENT,
		.segments = 3,
	};

	memset(file, 0, sizeof file);
	memcpy(h.magic, MONLOG_MAGIC, sizeof h.magic);
	h.crc = crc32_add(0, &h, offsetof(struct monlog_header, crc));
	memcpy(file, &h, sizeof h);
	size = MONLOG_FIRST;
	at = 0;
	segment = 0;
}

static void
seal(struct monlog_chunk *h, const void *payload)
{
	h->crc = crc32_add(0, h, offsetof(struct monlog_chunk, crc));
	h->crc = crc32_add(h->crc, payload, h->packed);
}

static struct monlog_chunk
head(unsigned kind, uint32_t count, uint32_t plain, uint32_t packed)
{
	return (struct monlog_chunk){
		.magic = MONLOG_CHUNK,
		.kind = kind,
		.id = ID,
		.number = segment,
		.at = (uint32_t)(at / MONLOG_ALIGN),
		.count = count,
		.plain = plain,
		.packed = packed,
	};
}

/* Writes the chunk unchanged: with n bytes of payload. */
static void
put(const struct monlog_chunk *h, const void *payload, size_t n)
{
	unsigned char *to =
		file + MONLOG_FIRST + (size_t)segment * SEGMENT + at;

	memcpy(to, h, sizeof *h);
	memcpy(to + sizeof *h, payload, n);
	at = (at + sizeof *h + n + MONLOG_ALIGN - 1) / MONLOG_ALIGN *
	     MONLOG_ALIGN;
	size = MONLOG_FIRST + (size_t)segment * SEGMENT + at;
}

static void
chunk(struct monlog_chunk h, const void *payload)
{
	seal(&h, payload);
	put(&h, payload, h.packed);
}

static void
begin_segment(unsigned n)
{
	segment = n;
	at = 0;
	chunk(head(MONLOG_SEGMENT, 0, 0, 0), "");
}

/* Two blocks: of node 3 and 4, 16 and 100 bytes. */
static const unsigned char two[] = {
	3,    4,    16,	  100,	     /* nodes, sizes */
	0x80, 0x02, 0x1f,	     /* addresses: 128, 112 */
	100,  20,   10,	  60,	     /* ends: 50, 60; lives */
	1,    2,    0,	  1,   0, 1, /* owners, others, flags */
};

static void
two_blocks(void)
{
	chunk(head(MONLOG_FREED, 2, sizeof two, sizeof two), two);
}

/* --------------------------------------------------------------- reading -- */

static struct log g;
static struct log_reader r;
static FILE *f;
static const char *problem;

/* Returns the number of chunks found; *bad: how many can't be read. */
static size_t
chunks(size_t *bad)
{
	size_t i, n;

	f = fmemopen(file, size, "r");
	g = (struct log){ .size = size };
	problem = log_scan(&g, f);
	*bad = 0;
	log_reader_init(&r, f);
	for (i = 0; i < g.nchunks; i++)
		*bad += !log_reader_blocks(&r, &g.chunks[i], false);
	n = g.nchunks;
	return n;
}

static void
end(void)
{
	log_reader_fini(&r);
	log_fini(&g);
	fclose(f);
}

static void
check(size_t n, size_t unread, const char *what)
{
	size_t bad, found = chunks(&bad);

	ok(found == n && bad == unread && !problem,
	   "%s: %zu chunks, %zu of them bad", what, found, bad);
	end();
}

/* Two chunks; h replaces the header of the second. */
static void
odd(struct monlog_chunk h, size_t n, size_t unread, const char *what)
{
	seal(&h, two);
	put(&h, two, sizeof two);
	two_blocks();
	check(n, unread, what);
	begin();
	begin_segment(0);
	two_blocks();
}

/* ----------------------------------------------------------------- tests -- */

static void
good(void)
{
	const struct log_block *b;
	size_t bad;

	begin();
	begin_segment(0);
	two_blocks();
	chunks(&bad);
	b = r.block;
	ok(!bad && b[0].node == 3 && b[0].size == 16 && b[0].address == 128 &&
		   b[0].born == 40 && b[0].end == 50 && b[0].owner == 1,
	   "a block");
	ok(b[1].node == 4 && b[1].size == 100 && b[1].address == 112 &&
		   b[1].born == 0 && b[1].end == 60 && b[1].owner == 2 &&
		   b[1].other == 1 && b[1].flags == 1,
	   "and one more");
	end();
	begin_segment(2);
	two_blocks();
	check(2, 0, "a segment that was never written is passed over");
}

static void
header(void)
{
	static const struct {
		size_t at;
		const char *says;
	} bad[] = {
		{ 0, "isn't a log" },
		{ offsetof(struct monlog_header, version), "another version" },
		{ offsetof(struct monlog_header, order), "another version" },
		{ offsetof(struct monlog_header, segment), "damaged" },
		{ offsetof(struct monlog_header, crc), "damaged" },
	};
	size_t i, n;

	for (i = 0; i < sizeof bad / sizeof *bad; i++) {
		begin();
		file[bad[i].at] ^= 0x40;
		chunks(&n);
		ok(problem && strstr(problem, bad[i].says), "byte %zu: %s",
		   bad[i].at, problem ? problem : "(nothing)");
		end();
	}
	begin();
	size = 30;
	chunks(&n);
	ok(problem && strstr(problem, "isn't a log"), "30 bytes");
	end();
}

/* The file ends at any byte. */
static void
cut(void)
{
	size_t whole, n, bad, wrong = 0;

	begin();
	begin_segment(0);
	two_blocks();
	two_blocks();
	whole = size;
	for (size = MONLOG_FIRST; size < whole; size++) {
		n = chunks(&bad);
		wrong += problem || bad || n > 2 ||
			 (n == 2 && whole - size > MONLOG_ALIGN);
		end();
	}
	ok(!wrong, "a file that is cut anywhere has what is whole");
}

static void
heads(void)
{
	struct monlog_chunk h;

	begin();
	begin_segment(0);
	two_blocks();
#define ODD(field, value, n, unread, what) \
	do { \
		h = head(MONLOG_FREED, 2, sizeof two, sizeof two); \
		h.field = value; \
		odd(h, n, unread, what); \
	} while (0)
	ODD(magic, 1, 2, 0, "no chunk");
	ODD(id, ID + 1, 2, 0, "of another log");
	ODD(number, 9, 2, 0, "of another segment");
	ODD(at, 0, 2, 0, "from elsewhere");
	ODD(kind, 9, 2, 0, "of no kind");
	ODD(kind, MONLOG_LIVE, 2, 0, "of another dump");
	ODD(count, 1u << 31, 2, 0, "too many blocks");
	ODD(count, MONLOG_BLOCKS_MAX, 3, 1, "more blocks than bytes");
	ODD(count, 1, 3, 1, "more bytes than blocks");
	ODD(plain, UINT32_MAX, 2, 0, "too much");
	ODD(plain, MONLOG_PLAIN_MAX, 3, 1, "not packed at all");
	ODD(plain, sizeof two - 1, 2, 0, "packed to more");
	h = head(MONLOG_FREED, 2, MONLOG_PLAIN_MAX, MONLOG_PLAIN_MAX);
	put(&h, two, sizeof two);
	two_blocks();
	check(2, 0, "longer than the file");
}

static void
payload(void)
{
	unsigned char bad[sizeof two];
	size_t i;

	begin();
	begin_segment(0);
	two_blocks();
	file[MONLOG_FIRST + 2 * MONLOG_ALIGN + 5] ^= 1;
	two_blocks();
	check(1, 0, "a bit is wrong: only that chunk");

	/* Lives longer than the time since the start. */
	memcpy(bad, two, sizeof two);
	bad[9] = 51;
	begin();
	begin_segment(0);
	chunk(head(MONLOG_FREED, 2, sizeof bad, sizeof bad), bad);
	check(1, 1, "born before the start");

	/* Numbers without an end. */
	memset(bad, 0xff, sizeof bad);
	begin();
	begin_segment(0);
	for (i = 0; i < 100; i++)
		chunk(head(MONLOG_FREED, 2, sizeof bad, sizeof bad), bad);
	check(100, 100, "numbers that don't end");
}

/* Frames that are longer or shorter than the header says. */
static void
bombs(void)
{
	size_t plain = 64u << 20, n;
	unsigned char *zeros = calloc(plain, 1), *to = malloc(plain);

	/* magic, single segment with 8 bytes of length: 2^62; one raw block */
	static const unsigned char claims[] = { 0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0,
						0,    0,    0,	  0,	0,    0,
						0x40, 0x09, 0,	  0,	'x' };

	n = ZSTD_compress(to, plain, zeros, plain, 1);
	ok(n < 65536, "64 MiB in %zu bytes", n);
	begin();
	begin_segment(0);
	chunk(head(MONLOG_FREED, 2, MONLOG_PLAIN_MAX, (uint32_t)n), to);
	two_blocks();
	check(2, 1, "a frame of 64 MiB isn't unpacked");
	begin();
	begin_segment(0);
	chunk(head(MONLOG_FREED, 2, MONLOG_PLAIN_MAX, sizeof claims), claims);
	two_blocks();
	check(2, 1, "nor one that says 2^62 bytes");
	n = ZSTD_compress(to, plain, zeros, 1000, 1);
	begin();
	begin_segment(0);
	chunk(head(MONLOG_FREED, 2, 1001, (uint32_t)n), to);
	chunk(head(MONLOG_FREED, 125, 1000, (uint32_t)n), to);
	check(2, 1, "its length is what is said, or it isn't read");
	free(zeros);
	free(to);
}

/*
 * Headers one after the other, each with a payload up to the end of the
 * segment.
 */
static void
square(void)
{
	struct monlog_chunk h;

	begin();
	begin_segment(0);
	while (at + 2 * MONLOG_ALIGN < SEGMENT) {
		size_t left = SEGMENT - at - sizeof h;

		if (left > MONLOG_PLAIN_MAX)
			left = MONLOG_PLAIN_MAX;
		h = head(MONLOG_FREED, 1, (uint32_t)left, (uint32_t)left);
		put(&h, "", 0);
	}
	size = MONLOG_FIRST + SEGMENT;
	check(0, 0, "thousands of heads of the same bytes");
}

int
main(void)
{
	good();
	header();
	cut();
	heads();
	payload();
	bombs();
	square();
	return done_testing();
}
