/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the trie of return addresses to the tree of frames: names, inlined
 * functions as frames of their own, the ends of chains that no one asked for
 * taken off.
 */
#ifndef MEMMON_REDUCE_CHAINS_H
#define MEMMON_REDUCE_CHAINS_H

#include "reduce/callgraph/funcs.h"
#include "reduce/model/stages.h"

/*
 * Set p's funcs, frames and sites from f->mon, which is merged (merge.h).
 * *used gets, by number of module, whether some chain passes through it, in
 * p's arena.  Returns 0, or -1 when out of memory.
 */
int chains_build(struct profile *p, struct funcs *f, const bool **used);

#endif
