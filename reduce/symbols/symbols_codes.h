/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generated code: what it is called, by where it was. */
#ifndef MEMMON_SYMBOLS_CODES_H
#define MEMMON_SYMBOLS_CODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/symbols/symbols_frame.h"

struct symbols_code {
	uint64_t start, size;
	const char *name;
	size_t number; /* by it those added later are told */
};

/* All 0 to begin with. */
struct symbols_codes {
	struct symbols_code *all;
	size_t n, room;
	bool sorted;
};

/* 0, or -1 when out of memory.  The name is to live longer. */
int symbols_codes_add(struct symbols_codes *c, uint64_t start, uint64_t size,
		      const char *name);

/*
 * What is at an address goes to *f: of what overlaps the one that begins last.
 * False: nothing is.
 */
bool symbols_codes_at(struct symbols_codes *c, uint64_t at,
		      struct symbols_frame *f);

/*
 * The function of *f is called as the code that begins there, if there is one.
 */
void symbols_codes_name(struct symbols_codes *c, struct symbols_frame *f);

void symbols_codes_fini(struct symbols_codes *c);

#endif
