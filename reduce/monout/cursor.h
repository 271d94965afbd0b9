/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read numbers and bytes from the payload of a record of mon.out(5). */
#ifndef MEMMON_REDUCE_CURSOR_H
#define MEMMON_REDUCE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The bytes still to be read.  The first read beyond the end sets bad for good.
 */
struct cursor {
	const unsigned char *p, *end;
	bool bad;
};

/*
 * The next varint; 0, with bad set, if there is none or it has more than 64
 * bits.
 */
static inline uint64_t
cursor_number(struct cursor *c)
{
	uint64_t v = 0;
	unsigned shift;

	for (shift = 0; shift < 64 && c->p < c->end; shift += 7) {
		unsigned char b = *c->p++;

		if (shift == 63 && b > 1)
			break;
		v |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
	}
	c->bad = true;
	c->p = c->end;
	return 0;
}

/* The next number that may be negative, as its two's complement. */
static inline uint64_t
cursor_zigzag(struct cursor *c)
{
	uint64_t v = cursor_number(c);

	return v >> 1 ^ -(v & 1);
}

/* A pointer to the next n bytes.  NULL, with bad set, if fewer are left. */
static inline const unsigned char *
cursor_bytes(struct cursor *c, uint64_t n)
{
	const unsigned char *p = c->p;

	if (c->bad || n > (uint64_t)(c->end - c->p)) {
		c->bad = true;
		c->p = c->end;
		return NULL;
	}
	c->p += n;
	return p;
}

#endif
