/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of retained blocks: a row retains those below it. */
#ifndef MEMMON_REDUCE_LINKS_TREE_H
#define MEMMON_REDUCE_LINKS_TREE_H

#include "reduce/monout/mon.h"
#include "reduce/model/stages.h"

/*
 * Set p->links.holdings from n items, which are sorted.  of[i]: the root of
 * item i, or NULL.  0, or -1 when out of memory.
 */
int links_tree(struct profile *p, const struct mon_link *x, size_t n,
	       const struct root *const *of);

#endif
