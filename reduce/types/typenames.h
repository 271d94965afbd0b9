/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of types, which are written in different ways in debug information, the
 * compiler's plugin, symbols, and by users.
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
		uint32_t next; /* of names with the same hash */
	} * v;
	size_t n, room;
};

/* The name must live as long as *t. */
void typenames_add(struct typenames *t, const char *name, uint32_t number);

/*
 * Call f for each name that means the same type, until f returns false.  Names
 * are compared by typenames_same(), and those of templates also by their
 * names_type_clean().
 */
void typenames_each(struct typenames *t, const char *wanted,
		    bool (*f)(uint32_t number, void *arg), void *arg);

void typenames_fini(struct typenames *t);

/*
 * names_type_clean() of a template's name, in a; "" for other names.
 */
const char *typenames_clean(struct arena *a, const char *name);

/*
 * Is `wanted', as a user or a compiler's message writes it, the same type as
 * `full', as debug information writes it?  These make no difference: blanks,
 * "struct " before the name, suffixes of numbers, parameters of functions that
 * enclose a type, and template arguments left out at the end.
 */
bool typenames_same(const char *wanted, const char *full);

#endif
