/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers for strings, and for pairs of numbers, in the order in which they are
 * first asked for: the tables that other tools' formats refer to.
 */
#ifndef MEMMON_INTERN_H
#define MEMMON_INTERN_H

#include <stddef.h>
#include <stdint.h>

/* Never the number of anything: out of memory. */
#define INTERN_FAILED UINT32_MAX

/* All zero is an empty one. */
struct intern {
	const char **text; /* of strings, by number: as given */
	uint64_t (*pair)[2];
	size_t n, room;
	uint32_t *slot; /* number plus one, 0 free */
	size_t nslots;	/* a power of two, or 0 */
};

/*
 * The number, from 0, of a string, which must live as long as the table; or of
 * a pair.  A table is of one kind.  INTERN_FAILED: out of memory.
 */
uint32_t intern_text(struct intern *t, const char *text);
uint32_t intern_pair(struct intern *t, uint64_t a, uint64_t b);

void intern_fini(struct intern *t);

#endif
