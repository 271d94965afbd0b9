/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations that the files links*.c share. */
#ifndef MEMMON_REDUCE_LINKS_PARTS_H
#define MEMMON_REDUCE_LINKS_PARTS_H

#include "reduce/base/arena.h"
#include "reduce/model/links.h"
#include "reduce/model/result.h"
#include "reduce/model/stages.h"
#include "reduce/monout/mon.h"
#include "reduce/types/members.h"

#include <elfutils/libdw.h>

/*
 * The place of a word on a stack: "in run(), variable queue", or "in run()".
 * module: number; pc: code address in the module's file; below: bytes below the
 * frame's CFA, or LINK_FAR.  "" if the module is 0.
 */
const char *links_frame(struct profile *p, uint64_t module, uint64_t pc,
			uint64_t below);

/*
 * Set p->links.holdings from n items, which are sorted.  of[i]: the root of
 * item i, or NULL.
 */
void links_tree(struct profile *p, const struct mon_link *x, size_t n,
		const struct root *const *of);

/* Is the site's block one of libc++?  If not, it is one of libstdc++. */
bool links_nodes_libcxx(const struct site *s);

/*
 * Name a pointer in a node or array of a standard container, by the site's
 * type: a link to another node, for example ".left"; or ".first", ".second" or
 * ".value" of the element; "" if it isn't known which.  NULL: another type.
 */
const char *links_part(const struct site *s, uint64_t offset);

/* All zero, except for p and m: no members are known. */
struct links_members {
	struct profile *p;
	const struct mon *m; /* merged */
	struct members *types; /* of sites, each once, sorted by name and
				* size */
	size_t ntypes;
};

/* Find the members of all types of blocks that point to others. */
void links_members_find(struct links_members *w);

/*
 * The members at this offset of a site's blocks, for example ".a.b"; ""
 * unknown.
 */
const char *links_member(struct links_members *w, const struct site *s,
			 uint64_t offset);

/* A variable, by its address in the file, and its root. */
struct links_place {
	uint64_t addr;
	struct root *root;
};

/*
 * Set file and line of the roots of n variables, sorted by address.  Reads only
 * entries outside of functions.
 */
void links_places(struct arena *a, Dwarf *dwarf, const struct links_place *v,
		  size_t n);

#endif
