/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The naive recorder of accesses: naive.c logs, naive_sums.c sums up.
 *
 * The log keeps every event, in one array, in order of time.  Memory is from
 * mmap and never given back; it is reserved first, and used when it is touched.
 */
#ifndef NAIVE_H
#define NAIVE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum naive_kind { NAIVE_ALLOC, NAIVE_FREE, NAIVE_READ, NAIVE_WRITE };

struct naive_event {
	uint64_t at;	 /* ns since the start */
	uintptr_t p;	 /* the block, or where the access begins */
	uintptr_t old;	 /* ALLOC by realloc: the old block; or 0 */
	size_t size;	 /* bytes; not for FREE */
	uint32_t chain;	 /* of ALLOC: index into naive_chains */
	uint16_t thread; /* from 1 */
	uint16_t kind;	 /* enum naive_kind */
};

#define NAIVE_EVENTS (1u << 26)
#define NAIVE_CHAINS (1u << 16)
#define NAIVE_DEPTH 31

/* Return addresses of the program, innermost first. */
struct naive_chain {
	uintptr_t n, pc[NAIVE_DEPTH];
};

extern struct naive_event *naive_events;
extern size_t naive_nevents;
extern struct naive_chain *naive_chains;
extern size_t naive_nchains;

/* An access of the calling thread, for the log. */
void naive_access(enum naive_kind kind, const void *p, size_t size);

/* Zeroed memory of `size' bytes, never freed; on failure the program ends. */
void *naive_room(size_t size);

/*
 * Print all figures of the logs of a run of `length' ns to f; addresses of code
 * are printed minus `bias'.
 */
void naive_print(FILE *f, uint64_t length, uintptr_t bias);

#endif
