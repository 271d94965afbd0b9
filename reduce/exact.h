/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact types: what the compiler knew of the calls in a site's chain.  The
 * innermost call decides; where it is one of a function that only hands memory
 * on, its caller's does, and so on outwards.
 */
#ifndef MEMMON_REDUCE_EXACT_H
#define MEMMON_REDUCE_EXACT_H

#include "reduce/exe.h"
#include "reduce/hash.h"
#include "reduce/stages.h"

#include <string.h>

/* A type that something was allocated of. */
struct exact_type {
	const char *name; /* as in the source */
	uint64_t size;	  /* bytes; 0 unknown */
	uint32_t module;  /* the first one with such a call */
};

/* A name without "struct", "class", "union" or "enum" before it. */
static inline const char *
exact_bare(const char *name)
{
	static const char *const words[] = { "struct ", "class ", "union ",
					     "enum " };
	size_t i, n;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		n = strlen(words[i]);
		if (!strncmp(name, words[i], n))
			return name + n;
	}
	return name;
}

/* No type is known. */
#define EXACT_NONE UINT32_MAX

/* The caller owns it. */
struct exact {
	struct exact_type *types; /* each name and size once */
	size_t n, room;
	uint32_t *of_site; /* by place in the data: place in types */
};

/*
 * Find the types of m's sites, reading the modules' files as x has settled
 * them.  m is merged; strings go to a, the rest to exact_fini(), even after a
 * failure.  0, or -1 when out of memory.
 */
int exact_find(struct exact *e, struct arena *a, const struct mon *m,
	       const struct exe *x);
void exact_fini(struct exact *e);

/*
 * Set the types of p's sites, where all that they were made of have the same;
 * then p's types.  uses: of m's sites, by use_of_sites(), or NULL.  After
 * chains_build().  0, or -1 when out of memory.
 */
int exact_make(struct profile *p, const struct mon *m, const struct exact *e,
	       const struct use *uses);

#endif
