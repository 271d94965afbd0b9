/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of types as they are written in different places: debug information,
 * the compiler's plugin, the linker's symbols, users.
 */
#ifndef MEMMON_REDUCE_TYPENAMES_H
#define MEMMON_REDUCE_TYPENAMES_H

#include "reduce/base/arena.h"
#include "reduce/base/hash.h"

#include <stdbool.h>

/* An index of numbers by name; all zero is an empty one. */
struct typenames {
	struct arena arena;
	struct hash first;
	struct {
		const char *name, *clean; /* clean: NULL, not made yet */
		uint32_t number;
		uint32_t next; /* of those that may be the same */
	} * v;
	size_t n, room;
};

/* The name must live as long as *t.  0, or -1 when out of memory. */
int typenames_add(struct typenames *t, const char *name, uint32_t number);

/*
 * Call f for each name that is the same, until it returns false: as
 * typenames_same() has it or, of templates, when names_type_clean() makes
 * the same of both.
 */
void typenames_each(struct typenames *t, const char *wanted,
		    bool (*f)(uint32_t number, void *arg), void *arg);

void typenames_fini(struct typenames *t);

/*
 * A template's name as names_type_clean() has it, in a; "" for others, and
 * without memory.
 */
const char *typenames_clean(struct arena *a, const char *name);

/*
 * Is `wanted', as a user or the compiler's messages write it, the name that
 * debug information gives in full?  Blanks, "struct " before it, the suffixes
 * of numbers, parameters of functions that types stand in and template
 * arguments left out at the end make no difference.
 */
bool typenames_same(const char *wanted, const char *full);

#endif
