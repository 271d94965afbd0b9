/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the types in debug information. */
#ifndef MEMMON_TYPES_WALK_H
#define MEMMON_TYPES_WALK_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "reduce/base/progress.h"
#include "reduce/symbols/symbols_pool.h"
#include "reduce/types/types_place.h"

/* A type that was found. */
struct types_found {
	const char *name; /* interned, qualified */
	uint64_t size;	  /* bytes, not 0 */
	enum types_place place;
	int is_typedef;
	Dwarf_Die *die; /* of the struct, class or union; NULL: it is an
			 * array */
};

/* The caller's functions. */
struct types_visit {
	/* Is a type of this size asked for?  NULL: any size is. */
	bool (*wants)(uint64_t size, void *arg);
	bool own; /* ask for the program's own types, with any size */
	/*
	 * Take a type; -1 ends the walk.  If types are equal except for their
	 * entries, possibly only the first is passed.
	 */
	int (*add)(const struct types_found *found, void *arg);
	void *arg;
	struct progress *progress; /* reported to for each unit; or NULL */
	uint64_t entries;	   /* the number of entries read is added to
				    * it */
};

/*
 * Visit each named struct, class, union, and typedef of one; also typedefs of
 * arrays, if they are the program's own.  Many types are visited several times.
 * System types that are never heap blocks are left out.  0, or -1 when add()
 * fails.  pool owns the names.
 */
int types_walk(Dwarf *dwarf, struct symbols_pool *pool,
	       struct types_visit *visit);

#endif
