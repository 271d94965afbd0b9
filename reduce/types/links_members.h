/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of members of blocks. */
#ifndef MEMMON_REDUCE_LINKS_MEMBERS_H
#define MEMMON_REDUCE_LINKS_MEMBERS_H

#include "reduce/model/stages.h"
#include "reduce/types/members.h"

/* All zero, except for p and m: no members are known. */
struct links_members {
	struct profile *p;
	const struct mon *m; /* merged */
	struct members *types; /* of sites, each once, sorted by name and
				* size */
	size_t ntypes;
};

/*
 * Find the members of all types of blocks that point to others.  0, or -1 when
 * out of memory; free(w->types) even then.
 */
int links_members_find(struct links_members *w);

/*
 * The members at this offset of a site's blocks, for example ".a.b"; ""
 * unknown.  NULL: out of memory.
 */
const char *links_member(struct links_members *w, const struct site *s,
			 uint64_t offset);

#endif
