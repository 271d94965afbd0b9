/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the programs here.  The arguments of each fix its work completely,
 * and it prints one line with a checksum of the work.  So a tool that changes a
 * program's results is noticed.  Checksums don't include addresses or times.
 */
#ifndef MEMMON_TESTS_BENCH_H
#define MEMMON_TESTS_BENCH_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Functions with a frame.  Flags in the Makefile forbid tail calls. */
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

/* The checksum after value v was added; the order matters. */
static inline uint64_t
mix(uint64_t sum, uint64_t v)
{
	return (sum ^ v) * 0x100000001b3 + 1;
}

/* Returns p; ends the program if p is NULL. */
static inline void *
must(void *p)
{
	if (!p) {
		fputs("no memory\n", stderr);
		exit(1);
	}
	return p;
}

/* Argument i as a number above 0; `otherwise' if it isn't given. */
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
