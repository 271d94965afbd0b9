/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of members of blocks. */
#ifndef MEMMON_REDUCE_LINKS_MEMBERS_H
#define MEMMON_REDUCE_LINKS_MEMBERS_H

#include "reduce/model/stages.h"
#include "reduce/types/members.h"

/* All zero but for p and m: no member is known. */
struct links_members {
	struct profile *p;
	const struct mon *m; /* merged */
	struct members *types; /* of sites, each once, by name and size */
	size_t ntypes;
};

/*
 * Find the members of all types of blocks that hold something.  0, or -1 when
 * out of memory; then free(w->types), too.
 */
int links_members_find(struct links_members *w);

/*
 * What is at that offset of a site's blocks, as ".a.b"; "" if it isn't known.
 * NULL: out of memory.
 */
const char *links_member(struct links_members *w, const struct site *s,
			 uint64_t offset);

#endif
