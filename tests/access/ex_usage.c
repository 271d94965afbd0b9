/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Usage and coverage: how many of its bytes a site really used.  An access
 * counts in each granule of 16 bytes that it touches.
 *
 * whole	Two blocks of 64 bytes, each byte written, then read: 64 reads
 *		and 64 writes a block.  Usage 1.
 * readers	Two of 64 from calloc, read only: span 64 each, but U = 0: usage
 *		0; read-only.
 * writers	Two of 64, written only: the same; write-only.
 * mixed	Four of 100: one read and written over its first 48 bytes, one
 *		read only over all, one written only over all, one left alone.
 *		Span 48 + 100 + 100 + 0 = 248, 48 of them with U = 1; usage
 *		48 / 400 = 0.12, cover the same.  Low coverage: the first, 48 <
 *		50.
 * holes	One of 160: byte 0 is written and byte 150 read.  Granules 0 and
 *		9 of 10: span 160, cover 32.  Usage 1, cover 0.2, low coverage.
 * edge		One of 40: 8 bytes written at 12, that is in granules 0 and 1: 2
 *		writes; byte 39 read, in granule 2: 8 bytes of that belong to
 *		the block.  Span and cover 40.
 * middle	One of 64: byte 20 written, byte 40 read.  Granules 1 and 2:
 *		span and cover 32, which is not less than half.  Usage 0.5.
 *
 *	expect whole blocks=2 bytes=128 reads=128 writes=128 span=128 cover=128
 *		usage=1.0 cover-score=1.0
 *	expect readers blocks=2 bytes=128 reads=128 writes=0 span=128 cover=128
 *		usage=0.0 read-only=2/128
 *	expect writers blocks=2 bytes=128 reads=0 writes=128 span=128 cover=128
 *		usage=0.0 write-only=2/128
 *	expect mixed blocks=4 bytes=400 reads=148 writes=148 span=248 cover=248
 *		usage=0.12 cover-score=0.12 unused=1/100 read-only=1/100
 *		write-only=1/100 low-cover=1/100
 *	expect holes blocks=1 bytes=160 reads=1 writes=1 span=160 cover=32
 *		usage=1.0 cover-score=0.2 low-cover=1/160
 *	expect edge blocks=1 bytes=40 reads=1 writes=2 span=40 cover=40
 *		usage=1.0 cover-score=1.0
 *	expect middle blocks=1 bytes=64 reads=1 writes=1 span=32 cover=32
 *		usage=0.5 cover-score=0.5
 *
 * By bytes, if the figures differ:
 *
 *	exact holes blocks=1 bytes=160 reads=1 writes=1 span=151 cover=2
 *		usage=0.94375 cover-score=0.0125 low-cover=1/160
 *	exact edge blocks=1 bytes=40 reads=1 writes=1 span=28 cover=9 usage=0.7
 *		cover-score=0.225 low-cover=1/40
 *	exact middle blocks=1 bytes=64 reads=1 writes=1 span=21 cover=2
 *		usage=0.328 cover-score=0.03125 low-cover=1/64
 */
#include "tests/access/ex.h"

/* 8 bytes at any address. */
struct word {
	volatile uint64_t v;
} __attribute__((packed));

static NOINLINE char *
whole(void)
{
	return malloc(64);
}

static NOINLINE char *
readers(void)
{
	return calloc(1, 64);
}

static NOINLINE char *
writers(void)
{
	return malloc(64);
}

static NOINLINE char *
mixed(int i)
{
	char *p = calloc(4, 25);

	if (i == 0) {
		put(p, 48);
		get(p, 48);
	} else if (i == 1) {
		get(p, 100);
	} else if (i == 2) {
		put(p, 100);
	}
	return p;
}

static NOINLINE char *
holes(void)
{
	return calloc(1, 160);
}

static NOINLINE char *
edge(void)
{
	return calloc(1, 40);
}

static NOINLINE char *
middle(void)
{
	return malloc(64);
}

int
main(void)
{
	char *p;
	int i;

	for (i = 0; i < 2; i++) {
		p = whole();
		put(p, 64);
		get(p, 64);
		free(p);
		p = readers();
		get(p, 64);
		free(p);
		p = writers();
		put(p, 64);
		free(p);
	}
	for (i = 0; i < 4; i++)
		free(mixed(i));
	p = holes();
	put(p, 1);
	get(p + 150, 1);
	free(p);
	p = edge();
	((struct word *)(p + 12))->v = 1;
	get(p + 39, 1);
	free(p);
	p = middle();
	put(p + 20, 1);
	get(p + 40, 1);
	free(p);
	return 0;
}
