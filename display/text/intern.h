/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers for strings and for pairs of numbers, in order of first use, as in
 * the tables of other tools' formats.
 */
#ifndef MEMMON_INTERN_H
#define MEMMON_INTERN_H

#include <stddef.h>
#include <stdint.h>

/* Not a valid number: out of memory. */
#define INTERN_FAILED UINT32_MAX

/* All zero is an empty table. */
struct intern {
	const char **text; /* strings by number, as passed */
	uint64_t (*pair)[2];
	size_t n, room;
	uint32_t *slot; /* number plus one; 0: free */
	size_t nslots;	/* a power of two, or 0 */
};

/*
 * The number, from 0, of a string, which must live as long as the table; or of
 * a pair.  A table has either strings or pairs.  INTERN_FAILED: out of memory.
 */
uint32_t intern_text(struct intern *t, const char *text);
uint32_t intern_pair(struct intern *t, uint64_t a, uint64_t b);

void intern_fini(struct intern *t);

#endif
