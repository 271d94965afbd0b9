/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Types of sites: the calls of a chain are asked from the innermost outwards,
 * until one knows what its result is for.  What the program said itself beats
 * all; then comes what the compiler's plugin has written down of the call; then
 * what debug information tells of it.
 */
#ifndef MEMMON_REDUCE_SITETYPES_H
#define MEMMON_REDUCE_SITETYPES_H

#include "reduce/base/hash.h"
#include "reduce/symbols/symbols.h"
#include "reduce/symbols/wrappers.h"
#include "reduce/types/exact.h"
#include "reduce/types/shares.h"

/* A type that something was allocated of. */
struct sitetype {
	const char *name; /* as in the source */
	uint64_t size;	  /* bytes; 0 unknown */
	uint32_t module;  /* the first one that it was met in */
};

/* The caller owns it. */
struct sitetypes {
	struct sitetype *types; /* each name and size once */
	size_t n, room;
	/* Of each site, by place in the data: place in types, or SHARES_NONE;
	 * and how it is known. */
	uint32_t *of_site;
	enum profile_confidence *confidence;
	/* The module of the call that has the last word, 0: none. */
	uint32_t *module;
	struct arena *arena;	   /* of the names */
	struct symbols_pool names; /* each once */
	struct hash hash;
};

/* Where types are looked for. */
struct sitetypes_from {
	const struct mon *mon; /* merged */
	const struct exe *exe; /* has found its modules' files */
	struct symbols *symbols;
	const struct wrappers *wrappers; /* calls that hand on what they get */
	const struct shares *shares;
	bool no_guess; /* nothing from debug information */
};

/*
 * Find the types of the sites.  Names go to a, the rest to sitetypes_fini(),
 * even after a failure.  0, or -1 when out of memory.
 */
int sitetypes_find(struct sitetypes *t, struct arena *a,
		   const struct sitetypes_from *from);
void sitetypes_fini(struct sitetypes *t);

/* The site at `from' in the data goes to the place `to'. */
void sitetypes_move(struct sitetypes *t, size_t to, size_t from);

/* Find or add a type.  Returns its place, or SHARES_NONE: out of memory. */
uint32_t sitetypes_intern(struct sitetypes *t, const char *name, uint64_t size,
			  uint32_t module);

#endif
