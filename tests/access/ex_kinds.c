/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kinds of accesses that compilers make in different ways.  For each block: the
 * reads and writes, by granules of 16 bytes:
 *
 * bits		b->a = 3: 1 write, as the source says, though the machine reads
 *		the other bits too.
 * copied, source	A struct of 80 bytes assigned: 5 writes, 5 reads.
 * cleared	One of 80 bytes set to zeros: 5 writes.
 * half		32-bit words by ++, --, |=, +=: 4 reads and 4 writes.
 * across	The last byte of a granule from the first of the next, 1 read, 1
 *		write; then 2 bytes at 14 by memcpy, 1 write.
 * pointer	p[0] = &p[3], then *p[0] = 1: 2 writes and 1 read.
 * other	c[8] = c[0] && c[4] ? c[1] : c[12], with c[0] and c[4] not 0: 2
 *		writes at first, 3 reads, 1 write.
 * flexible	Its length is written once and 20 shorts at 4 to 44 in a loop:
 *		21 writes, and the length is read 21 times.
 * wide		A vector of 16 bytes is read and written: 1, 1.
 * strings	strcpy of 12 bytes, strlen and strcmp of these, and memset of 3
 *		bytes at 30: 1 + 2 writes, 2 reads.
 *
 * gcc's other way doesn't report these; only the plugin does:
 *
 * argument	A struct of 80 bytes passed by value: 5 reads.
 * returned	A function's result of 80 bytes: 5 writes.
 *
 *	expect copied blocks=1 bytes=80 reads=0 writes=5 span=80 write-only=1/80
 *	expect source blocks=1 bytes=80 reads=5 writes=0 span=80 read-only=1/80
 *	expect cleared blocks=1 bytes=80 reads=0 writes=5 span=80
 *		write-only=1/80
 *	expect half blocks=1 bytes=64 reads=4 writes=4 cover=32 span=48
 *	expect across blocks=1 bytes=64 reads=1 writes=2 span=32 cover=32
 *	expect pointer blocks=1 bytes=64 reads=1 writes=2 span=32 cover=32
 *	expect other blocks=1 bytes=64 reads=3 writes=3 span=48 cover=48
 *	expect flexible blocks=1 bytes=44 reads=21 writes=21 span=44 cover=44
 *	expect wide blocks=1 bytes=64 reads=1 writes=1 span=32 cover=32
 *	expect strings blocks=1 bytes=48 reads=2 writes=3 span=48 cover=48
 *	expect bits blocks=1 bytes=64 reads=0 writes=1 span=16 cover=16
 *		write-only=1/64 low-cover=1/64
 *	plugin argument blocks=1 bytes=80 reads=5 writes=0 span=80
 *		read-only=1/80
 *	plugin returned blocks=1 bytes=80 reads=0 writes=5 span=80
 *		write-only=1/80
 */
#include "tests/access/ex.h"

struct bits {
	unsigned a : 3, b : 7, c : 22;
};

struct large {
	long v[10];
};

struct flexible {
	int n;
	short a[];
};

typedef float vector __attribute__((vector_size(16)));

static volatile long sink;

#define MAKER(name) \
	static NOINLINE void *name(size_t size) \
	{ \
		return calloc(1, size); \
	}

MAKER(bits)
MAKER(copied)
MAKER(source)
MAKER(cleared)
MAKER(half)
MAKER(across)
MAKER(pointer)
MAKER(other)
MAKER(flexible)
MAKER(wide)
MAKER(strings)
MAKER(argument)
MAKER(returned)

static NOINLINE long
take(struct large s)
{
	return s.v[3];
}

static NOINLINE struct large
give(long x)
{
	struct large s = { { x, x + 1 } };

	return s;
}

static void
structs(void)
{
	struct large *to = copied(sizeof(*to)), *from = source(sizeof(*from));

	*to = *from;
	to = cleared(sizeof(*to));
	*to = (struct large){ { 0 } };
	from = argument(sizeof(*from));
	sink = take(*from);
	to = returned(sizeof(*to));
	*to = give(4);
}

static void
scalars(void)
{
	struct bits *b = bits(64);
	int *w = half(64), *c = other(64);
	char *a = across(64);
	void **p = pointer(64);

	b->a = 3;
	w[0]++;
	--w[3];
	w[8] |= 1;
	w[9] += 5;
	a[15] = a[16];
	memcpy(a + 14, "x", 2);
	p[0] = &p[3];
	*(long *)p[0] = 1;
	c[0] = 1;
	c[4] = 1;
	c[8] = c[0] && c[4] ? c[1] : c[12];
}

static void
others(void)
{
	struct flexible *f = flexible(sizeof(*f) + 20 * sizeof(f->a[0]));
	vector *v = wide(4 * sizeof(*v));
	char *s = strings(48);

	f->n = 20;
	for (int i = 0; i < f->n; i++)
		f->a[i] = (short)i;
	v[1] = v[0];
	strcpy(s, "hello there");
	sink = (long)strlen(s) + strcmp(s, "hello there");
	memset(s + 30, 0, 3);
}

int
main(void)
{
	structs();
	scalars();
	others();
	return 0;
}
