/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What types are made of, from DWARF by way of libdw. */
#ifndef MEMMON_REDUCE_MEMBERS_H
#define MEMMON_REDUCE_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/base/arena.h"
#include "reduce/base/progress.h"
#include "reduce/symbols/symbols.h"
#include "reduce/model/result.h"

/* A type whose members are wanted. */
struct members {
	/* Set by the caller. */
	const char *name;    /* as in the source, "struct node", "a::b<int>" */
	uint64_t size;	     /* bytes, not 0 */
	struct holes *holes; /* wanted in place of the members; or NULL */
	uint32_t module;     /* of mon.modules, to look in; 0: in any */
	/* Set when it is found. */
	bool found;
	struct member *v; /* as profile.h has it */
	size_t n;
};

struct searchpath;

/* Nested deeper, or more of them, are left out. */
#define MEMBERS_DEPTH 8u
#define MEMBERS_MOST 4096u

/*
 * Look for n types in the debug information of module m of s, which is m + 1 of
 * mon's; what is found already is left as it is.  What it has of them goes to
 * a.  progress: whom to tell how far it is, or NULL.  0, or -1 when out of
 * memory.
 */
int members_find(struct members *types, size_t n, struct arena *a,
		 struct symbols *s, size_t m, struct progress *progress);

/*
 * The same for all types whose module is set, each in its own, of so many
 * modules.
 */
int members_find_each(struct members *types, size_t n, struct arena *a,
		      struct symbols *s, size_t nmodules,
		      struct progress *progress);

#endif
