/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Types of sites.  The calls of a call path are asked from the innermost
 * outwards, until one of them knows the type of its result.  The program's own
 * word comes first, then the plugin's entry for the call, then the debug
 * information of the call.
 */
#ifndef MEMMON_REDUCE_SITETYPES_H
#define MEMMON_REDUCE_SITETYPES_H

#include "reduce/base/hash.h"
#include "reduce/symbols/symbols.h"
#include "reduce/symbols/wrappers.h"
#include "reduce/types/exact.h"
#include "reduce/types/shares.h"

/* The type of some allocations. */
struct sitetype {
	const char *name; /* as in the source */
	uint64_t size;	  /* bytes; 0 unknown */
	uint32_t module;  /* the first one in which it was found */
};

/* The caller owns it. */
struct sitetypes {
	struct sitetype *types; /* each name and size occurs once */
	size_t n, room;
	/* By site of the data: index in types, or SHARES_NONE; and how it is
	 * known. */
	uint32_t *of_site;
	enum profile_confidence *confidence;
	/* By site: the module of the call that decided; 0: none. */
	uint32_t *module;
	struct arena *arena;	   /* for the names */
	struct symbols_pool names; /* each one is stored once */
	struct hash hash;
};

/* Where to look for types. */
struct sitetypes_from {
	const struct mon *mon; /* merged */
	const struct exe *exe; /* knows its modules' files */
	struct symbols *symbols;
	const struct wrappers *wrappers; /* calls that pass on what they get */
	const struct shares *shares;
	bool no_guess; /* don't use debug information */
};

/*
 * Find the types of the sites.  Names go to a; sitetypes_fini() frees the rest.
 */
void sitetypes_find(struct sitetypes *t, struct arena *a,
		    const struct sitetypes_from *from);
void sitetypes_fini(struct sitetypes *t);

/* Move the entries of the site at `from' in the data to `to'. */
void sitetypes_move(struct sitetypes *t, size_t to, size_t from);

/* Find or add a type.  Returns its index. */
uint32_t sitetypes_intern(struct sitetypes *t, const char *name, uint64_t size,
			  uint32_t module);

#endif
