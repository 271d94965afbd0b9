/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of generated code, by address. */
#ifndef MEMMON_SYMBOLS_CODES_H
#define MEMMON_SYMBOLS_CODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/symbols/symbols_frame.h"

struct symbols_code {
	uint64_t start, size;
	const char *name;
	size_t number; /* order of addition; later ones win */
};

/* All 0 is empty. */
struct symbols_codes {
	struct symbols_code *all;
	size_t n, room;
	bool sorted;
};

/* The name must live longer than c. */
void symbols_codes_add(struct symbols_codes *c, uint64_t start, uint64_t size,
		       const char *name);

/*
 * Set *f to the code at an address.  If several codes overlap, the last one to
 * begin wins.  False: no code is there.
 */
bool symbols_codes_at(struct symbols_codes *c, uint64_t at,
		      struct symbols_frame *f);

/* If a code begins at the entry of *f, give its name to *f. */
void symbols_codes_name(struct symbols_codes *c, struct symbols_frame *f);

void symbols_codes_fini(struct symbols_codes *c);

#endif
