/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A reallocated block is one block.  It keeps its birth and accesses, and
 * counts for the site of its last realloc.  8 ticks.
 *
 * first	Makes five blocks of 64 at tick 0, writes all bytes of each.
 *		One stays as it is and is freed at 8; the others go elsewhere:
 * moved	At 4 one becomes 65536 bytes at another place (a block behind it
 *		is in the way); the last byte is read at 8, then freed.  64
 *		writes, 1 read; from byte 0 to the end: span 65536, cover 64 +
 *		16 = 80.  Born at 0: (8 - 0) / 8 = 1.
 * in_place	At 4 one becomes 40 bytes in its place.  All 40 are read, at 8.
 *		40 reads, 64 writes: 24 of these are beyond its new end.
 * back		Becomes 4096 and 64 again by two calls, from `up' and `back', at
 *		4, and is never accessed again; freed at 8.  useful 0; late.
 * up		Has no block at the end.
 * to_zero	realloc(p, 0) frees it, at 8.  So it is `first''s.
 *
 *	expect first blocks=2 bytes=128 reads=0 writes=128 write-only=2/128
 *		span=128 useful=0.0 lifetime=1.0 late=2/128
 *	expect moved blocks=1 bytes=65536 reads=1 writes=64 span=65536 cover=80
 *		usage=1.0 useful=1.0 lifetime=1.0 low-cover=1/65536 early=0/0
 *		late=0/0
 *	expect in_place blocks=1 bytes=40 reads=40 writes=64 span=40 cover=40
 *		usage=1.0 useful=1.0 early=0/0 late=0/0
 *	expect back blocks=1 bytes=64 reads=0 writes=64 write-only=1/64 span=64
 *		cover=64 useful=0.0 late=1/64
 */
#include "tests/access/ex.h"
#include "tests/access/ticks.h"

static char *p[5], *fence[5];

static NOINLINE void
first(int i)
{
	p[i] = malloc(64);
}

/* Blocks that keep others from growing in place. */
static NOINLINE void
between(int i)
{
	fence[i] = malloc(64);
}

#define RESIZER(name) \
	static NOINLINE void name(int i, size_t size) \
	{ \
		char *q = realloc(p[i], size); \
		if (q) \
			p[i] = q; \
	}

RESIZER(moved)
RESIZER(in_place)
RESIZER(up)
RESIZER(back)

static NOINLINE void
to_zero(int i)
{
	p[i] = realloc(p[i], 0);
}

int
main(void)
{
	int i;

	for (i = 0; i < 5; i++) {
		first(i);
		between(i);
		put(p[i], 64);
	}
	ticks(4);
	moved(1, 65536);
	in_place(2, 40);
	up(3, 4096);
	back(3, 64);
	ticks(4);
	get(p[1] + 65535, 1);
	get(p[2], 40);
	to_zero(4);
	for (i = 0; i < 4; i++)
		free(p[i]);
	return 0;
}
