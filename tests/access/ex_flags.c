/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Flags go by share of bytes; one block with the flag isn't enough.  Every
 * function here makes four blocks; these have the flag:
 *
 * unused_25	one of 32, three of 32 are used: a quarter.
 * unused_50	of 16, 16, 48, 80: two of 16 and one of 48: 80 of 160.
 * unused_all	all.
 * reading_25, writing_25	one of 32 is read only, or written only.
 * reading_75, writing_75	one of 96, the three others have 32 in all.
 * sparse_50	two of 256 have 16 bytes touched, the two others 128, which
 *		isn't less than half.
 * sparse_all	four of 256: 127 bytes from the second on are touched: granules
 *		0 to 7, 128 bytes, which is not low; but then 127 of 257, see
 *		below.  Blocks of 257: 128 is less than half.
 *
 * "Used" means that all bytes are written and read.
 *
 *	expect unused_25 blocks=4 bytes=128 reads=96 writes=96 unused=1/32
 *		usage=0.75
 *	expect unused_50 blocks=4 bytes=160 reads=80 writes=80 unused=3/80
 *		usage=0.5
 *	expect unused_all blocks=4 bytes=128 reads=0 writes=0 unused=4/128
 *		usage=0.0
 *	expect reading_25 blocks=4 bytes=128 reads=128 writes=96 read-only=1/32
 *		usage=0.75
 *	expect writing_25 blocks=4 bytes=128 reads=96 writes=128 write-only=1/32
 *		usage=0.75
 *	expect reading_75 blocks=4 bytes=128 reads=128 writes=32 read-only=1/96
 *		usage=0.25
 *	expect writing_75 blocks=4 bytes=128 reads=32 writes=128 write-only=1/96
 *		usage=0.25
 *	expect sparse_50 blocks=4 bytes=1024 reads=288 writes=288 usage=0.28125
 *		cover-score=0.28125 low-cover=2/512
 *	expect sparse_all blocks=4 bytes=1028 reads=508 writes=508 usage=0.498
 *		cover-score=0.498 low-cover=4/1028
 */
#include "tests/access/ex.h"

#define MAKER(name) \
	static NOINLINE char *name(size_t size) \
	{ \
		return calloc(1, size); \
	}

MAKER(unused_25)
MAKER(unused_50)
MAKER(unused_all)
MAKER(reading_25)
MAKER(writing_25)
MAKER(reading_75)
MAKER(writing_75)
MAKER(sparse_50)
MAKER(sparse_all)

/* Four blocks: their sizes, and the part that is read and written. */
static const struct row {
	char *(*make)(size_t size);
	struct use {
		size_t size, at, reads, writes;
	} block[4];
} rows[] = {
	{ unused_25,
	  { { 32, 0, 32, 32 },
	    { 32, 0, 0, 0 },
	    { 32, 0, 32, 32 },
	    { 32, 0, 32, 32 } } },
	{ unused_50,
	  { { 16, 0, 0, 0 },
	    { 16, 0, 0, 0 },
	    { 48, 0, 0, 0 },
	    { 80, 0, 80, 80 } } },
	{ unused_all,
	  { { 32, 0, 0, 0 },
	    { 32, 0, 0, 0 },
	    { 32, 0, 0, 0 },
	    { 32, 0, 0, 0 } } },
	{ reading_25,
	  { { 32, 0, 32, 32 },
	    { 32, 0, 32, 0 },
	    { 32, 0, 32, 32 },
	    { 32, 0, 32, 32 } } },
	{ writing_25,
	  { { 32, 0, 32, 32 },
	    { 32, 0, 32, 32 },
	    { 32, 0, 32, 32 },
	    { 32, 0, 0, 32 } } },
	{ reading_75,
	  { { 96, 0, 96, 0 },
	    { 16, 0, 16, 16 },
	    { 8, 0, 8, 8 },
	    { 8, 0, 8, 8 } } },
	{ writing_75,
	  { { 8, 0, 8, 8 },
	    { 8, 0, 8, 8 },
	    { 16, 0, 16, 16 },
	    { 96, 0, 0, 96 } } },
	{ sparse_50,
	  { { 256, 0, 128, 128 },
	    { 256, 240, 16, 16 },
	    { 256, 128, 128, 128 },
	    { 256, 0, 16, 16 } } },
	{ sparse_all,
	  { { 257, 1, 127, 127 },
	    { 257, 1, 127, 127 },
	    { 257, 1, 127, 127 },
	    { 257, 1, 127, 127 } } },
};

int
main(void)
{
	const struct row *r;
	const struct use *u;
	char *p;

	for (r = rows; r < rows + sizeof(rows) / sizeof(*rows); r++)
		for (u = r->block; u < r->block + 4; u++) {
			p = r->make(u->size);
			put(p + u->at, u->writes);
			get(p + u->at, u->reads);
			free(p);
		}
	return 0;
}
