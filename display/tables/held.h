/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the views of the heap as a graph share. */
#ifndef MEMMON_HELD_H
#define MEMMON_HELD_H

#include "display/grid/table.h"

/* A root: its name, and for a variable where it is defined. */
void held_root(struct tables *t, const struct root *r);

/*
 * Where on a stack is what leads to most, a variable if one is known?  "":
 * that isn't known.
 */
const char *held_place(const struct links *l, const struct root *r);

/*
 * Number the types of sites: key[site], from 1; 0: it has none.  type[]: their
 * names, with room for two more than there are sites.  One more than there are.
 */
size_t held_types(const struct profile *p, size_t *key, const char **type);

/*
 * What the blocks of a site are called: their type, or else where they were
 * allocated; `place': both.  Added to the line.
 */
void held_site(struct tables *t, size_t site, bool place);

/* What has the pointer, behind that: ".second", or the offset "+8". */
void held_member(struct tables *t, const char *member, uint32_t offset);

/* Has the site's type one of these names, in part or as globs? */
bool held_is(const struct profile *p, size_t site,
	     const struct profile_list *of);

/* Is there a graph?  If not, a sentence says why, below the title. */
bool held_known(struct tables *t, const char *title);

/* What no single root retains, but several together; NULL: nothing. */
const struct holding *held_several(const struct links *l);

/* The rings of lost blocks, if there are any, below the table of leaks. */
void held_rings(struct tables *t);

/* Live bytes when the graph was made: of all that shares are of. */
uint64_t held_all(const struct profile *p);

/* Is there a type for each of these names?  0, or -1 with *e set. */
int held_check(const struct profile *p, const struct options *o, struct err *e);

#endif
