/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The types that the row of a table names: those with a tenth of the row's
 * figures, the largest first.
 */
#ifndef MEMMON_SITE_TYPES_H
#define MEMMON_SITE_TYPES_H

#include "display/text/line.h"
#include "reduce/profile/profile.h"

#include <stddef.h>
#include <stdint.h>

/* The most types that a row names. */
enum { SITE_TYPES = 8 };

/*
 * The types of the sites of a row, and the part of the row's two figures that
 * each has.  Blocks that are missing here have other types, or unknown ones.
 * All zero: no site yet.
 */
struct site_types {
	struct site_type {
		const char *name;
		char mark;
		uint64_t n, beside;
	} v[SITE_TYPES];
	size_t count;
};

/* Add the figures of a site to its type. */
void site_types_add(struct site_types *to, const struct site *s, uint64_t n,
		    uint64_t beside);

/*
 * "=struct a, ~B": the types with a tenth of one of the row's figures, as far
 * as `room' columns have place for them; names are shortened to `cut' columns,
 * unless it is 0.  ", ..." follows if other types have a tenth, too.  The
 * caller frees the text.  NULL: no type, no room, or out of memory, which sets
 * to->failed.
 */
char *site_types_text(struct line *to, struct site_types *x, uint64_t n,
		      uint64_t beside, size_t room, size_t cut);

#endif
