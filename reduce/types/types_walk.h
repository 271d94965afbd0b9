/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding the types in debug information. */
#ifndef MEMMON_TYPES_WALK_H
#define MEMMON_TYPES_WALK_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "reduce/base/progress.h"
#include "reduce/symbols/symbols_pool.h"
#include "reduce/types/types_place.h"

/* A type as found. */
struct types_found {
	const char *name; /* interned, qualified */
	uint64_t size;	  /* bytes, not 0 */
	enum types_place place;
	int is_typedef;
	Dwarf_Die *die; /* of the struct, class or union; NULL: an array */
};

/* What to do with types. */
struct types_visit {
	/* Is a type of so many bytes wanted?  NULL: each is. */
	bool (*wants)(uint64_t size, void *arg);
	bool own; /* of the program's own types, each is */
	/*
	 * Take a type; -1 ends the walk.  Of types that differ in nothing but
	 * their entry only the first is sure to come.
	 */
	int (*add)(const struct types_found *found, void *arg);
	void *arg;
	struct progress *progress; /* told of each unit; or NULL */
	uint64_t entries;	   /* gets those gone by added */
};

/*
 * Visit each named struct, class, union, and typedef of one or, the program's
 * own, of an array; many come more than once.  What of the system's is never on
 * the heap by itself is left out.  0, or -1 when add() or memory fails.  pool
 * keeps the names.
 */
int types_walk(Dwarf *dwarf, struct symbols_pool *pool,
	       struct types_visit *visit);

#endif
