/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the programs here share.  Each does work that its arguments fix to the
 * last byte, and prints one line with a checksum of it: a tool that changes
 * what a program does shows.  Addresses and times go into no checksum.
 */
#ifndef MEMMON_TESTS_BENCH_H
#define MEMMON_TESTS_BENCH_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* A frame of its own.  No tail calls either: see the flags in the Makefile. */
#define FRAME static __attribute__((noinline))

/* The next number of the sequence at s (xorshift64*; s isn't 0). */
static inline uint64_t
rnd(uint64_t *s)
{
	*s ^= *s >> 12;
	*s ^= *s << 25;
	*s ^= *s >> 27;
	return *s * 0x2545f4914f6cdd1d;
}

/* A checksum that value v has been added to, the order counts. */
static inline uint64_t
mix(uint64_t sum, uint64_t v)
{
	return (sum ^ v) * 0x100000001b3 + 1;
}

/* p, or the end of the program when there's none. */
static inline void *
must(void *p)
{
	if (!p) {
		fputs("no memory\n", stderr);
		exit(1);
	}
	return p;
}

/* Argument i as a number above 0; `otherwise' when it isn't given. */
static inline unsigned long
arg(int argc, char **argv, int i, unsigned long otherwise)
{
	unsigned long v = i < argc ? strtoul(argv[i], NULL, 0) : otherwise;

	if (v == 0) {
		fprintf(stderr, "%s: %s is not a number\n", argv[0], argv[i]);
		exit(2);
	}
	return v;
}

#endif
