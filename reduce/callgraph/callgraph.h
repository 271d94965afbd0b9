/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From call paths to the counts of functions, in this order; each step is in
 * the file of its name: chains.c, elements.c, arcs.c, scc.c, propagate.c.
 */
#ifndef MEMMON_REDUCE_CALLGRAPH_H
#define MEMMON_REDUCE_CALLGRAPH_H

#include "reduce/base/err.h"
#include "reduce/callgraph/funcs.h"
#include "reduce/model/result.h"
#include "reduce/model/stages.h"

/*
 * Set p's funcs, frames and sites from f->mon, which is merged (merge.h).
 * *used gets an array in p's arena that says for each module number whether a
 * call path passes through the module.
 */
void chains_build(struct profile *p, struct funcs *f, const bool **used);

/*
 * Set entry, nfuncs and funcs of all frames.  In the array, callers come before
 * their callees.  With one function for each line, the whole function counts.
 */
void elements_find(struct profile *p);

/*
 * Set p's total, life and peak_blocks from its sites; make the arcs, with calls
 * 0 and no counts, and the functions' lists of them.
 */
void arcs_build(struct profile *p);

/* Set cycles (numbers, members), func.cycle, func.order. */
void scc_find(struct profile *p);

/*
 * Set the counts of funcs, arcs and cycles, then number the cycles by bytes:
 * the largest is 1.  0, or -1 with *e set: the call counts exceed 64 bits.
 */
int propagate(struct profile *p, struct err *e);

#endif
