/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The members of types, from DWARF, read with libdw. */
#ifndef MEMMON_REDUCE_MEMBERS_H
#define MEMMON_REDUCE_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/base/arena.h"
#include "reduce/base/progress.h"
#include "reduce/symbols/symbols.h"
#include "reduce/model/result.h"

/* A type whose members are asked for. */
struct members {
	/* Set by the caller. */
	const char *name;    /* as in the source, "struct node", "a::b<int>" */
	uint64_t size;	     /* bytes, not 0 */
	struct holes *holes; /* find these instead of the members; or NULL */
	uint32_t module;     /* index in mon.modules, to look in; 0: in any */
	/* Set when the type is found. */
	bool found;
	struct member *v; /* see typed.h */
	size_t n;
};

struct searchpath;

/* Deeper members, and further ones, are left out. */
#define MEMBERS_DEPTH 8u
#define MEMBERS_MOST 4096u

/*
 * Look for n types in the debug information of module m of s (m + 1 of mon's).
 * Types that are already found are left alone.  Members go to a.  progress: to
 * report to, or NULL.
 */
void members_find(struct members *types, size_t n, struct arena *a,
		  struct symbols *s, size_t m, struct progress *progress);

/* The same for all types with a module, in that module; nmodules: of mon. */
void members_find_each(struct members *types, size_t n, struct arena *a,
		       struct symbols *s, size_t nmodules,
		       struct progress *progress);

#endif
