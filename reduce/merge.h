/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several struct mon made one: the same module, chain or size is the same item.
 * A single file goes the same way, so that nothing else has to know about
 * numbers that are missing.
 */
#ifndef MEMMON_REDUCE_MERGE_H
#define MEMMON_REDUCE_MERGE_H

#include "reduce/hash.h"
#include "reduce/load.h"

/*
 * The caller owns it; all zero is nothing merged yet.  In `all': nodes[0] and
 * modules[0] are there, each node's parent has a lower number, each number
 * names something, modules have paths, sites have nodes of their own, bins
 * sizes of their own, threads a name and flags of their own; total[] has sums,
 * or of the runs the largest; run[] has what is true of all of them.
 *
 * What belongs to the peak is all from one file, the first with the largest: a
 * sum of peaks was never live at one time.  Its sites have what they held then,
 * those of the other files nothing.  Lives and threads are known of the sum
 * when they are known of every file that has sites.
 */
struct merge {
	struct mon all;
	size_t nfiles;
	struct hash modules, nodes, sites, bins, threads;
};

/*
 * Add a file; m isn't needed any more afterwards.  Returns 0, or -1 with *e set
 * (out of memory, or sums beyond 64 bits): merge_fini() is all that may follow.
 */
int merge_add(struct merge *g, const struct mon *m, struct err *e);

void merge_fini(struct merge *g);

#endif
