/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tables of the heap as a graph share. */
#ifndef MEMMON_HELD_H
#define MEMMON_HELD_H

#include "display/grid/table.h"

/* Add a root to the line: its name; for a variable, its definition's place. */
void held_root(struct tables *t, const struct root *r);

/*
 * The place on a stack that leads to most memory, by the name of the variable
 * if that is known; "": unknown.
 */
const char *held_place(const struct links *l, const struct root *r);

/*
 * Number the types of sites: key[site], from 1; 0: no type.  type[]: their
 * names, with room for two more than there are sites.  Returns the number of
 * types plus one.
 */
size_t held_types(const struct profile *p, size_t *key, const char **type);

/*
 * Add the blocks of a site to the line: by type, or else by the place of the
 * allocation; `place': by both.
 */
void held_site(struct tables *t, size_t site, bool place);

/* Add the place of a pointer in its holder: ".second", or the offset "+8". */
void held_member(struct tables *t, const char *member, uint32_t offset);

/* Does the site's type match one of these, parts of names or globs? */
bool held_is(const struct profile *p, size_t site,
	     const struct profile_list *of);

/* Is there a graph?  If not, print why, below the title. */
bool held_known(struct tables *t, const char *title);

/* The memory that several roots retain together; NULL: none. */
const struct holding *held_several(const struct links *l);

/* Print the rings of lost blocks, if any, below the table of leaks. */
void held_rings(struct tables *t);

/* Does each of these types exist?  0, or -1 with *e set. */
int held_check(const struct profile *p, const struct options *o, struct err *e);

#endif
