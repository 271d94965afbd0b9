/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of types as they are written in different places: debug information,
 * the compiler's plugin, the linker's symbols, users.
 */
#ifndef MEMMON_REDUCE_TYPENAMES_H
#define MEMMON_REDUCE_TYPENAMES_H

#include "reduce/hash.h"

#include <stdbool.h>

/* An index of numbers by name; all zero is an empty one. */
struct typenames {
	struct hash first;
	struct {
		const char *name;
		uint32_t number;
		uint32_t next; /* of those that may be the same */
	} *v;
	size_t n, room;
};

/* The name must live as long as *t.  0, or -1 when out of memory. */
int typenames_add(struct typenames *t, const char *name, uint32_t number);

/*
 * Call f for each name that is the same, as members_same_name() has it, until
 * it returns false.
 */
void typenames_each(const struct typenames *t, const char *wanted,
		    bool (*f)(uint32_t number, void *arg), void *arg);

void typenames_fini(struct typenames *t);

#endif
