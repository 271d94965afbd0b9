/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turn the trie of return addresses into the tree of frames: look up names,
 * make inlined functions frames, and remove the ends of call paths that aren't
 * asked for.
 */
#ifndef MEMMON_REDUCE_CHAINS_H
#define MEMMON_REDUCE_CHAINS_H

#include "reduce/callgraph/funcs.h"
#include "reduce/model/stages.h"

/*
 * Set p's funcs, frames and sites from f->mon, which is merged (merge.h).
 * *used gets an array in p's arena that says for each module number whether a
 * call path passes through the module.  Returns 0, or -1 when out of memory.
 */
int chains_build(struct profile *p, struct funcs *f, const bool **used);

#endif
