/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of who retains what. */
#ifndef MEMMON_REDUCE_LINKS_TREE_H
#define MEMMON_REDUCE_LINKS_TREE_H

#include "reduce/file/mon.h"
#include "reduce/model/stages.h"

/*
 * Set p->links.holdings from the n items, sorted.  of[i]: the root of item i,
 * or NULL.  0, or -1 when out of memory.
 */
int links_tree(struct profile *p, const struct mon_link *x, size_t n,
	       const struct root *const *of);

#endif
