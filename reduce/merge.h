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
 * those of the other files nothing.  Lives, threads and uses are known of the
 * sum when they are known of every file that has sites.
 *
 * Marks are those of one file; of several there are none, see marks_dropped.
 * Leaks add up.
 *
 * Groups are final, by the length of each file's own run; fields have a site
 * and size of their own.
 */
struct merge {
	struct mon all;
	size_t nfiles;
	struct hash modules, nodes, sites, bins, threads, fields;
	double tau;   /* set by the caller, for groups_gap(); 0 the usual */
	uint64_t gap; /* the longest run's; 0: a sum is among the files, so
			 * that isn't known */
	bool sum_seen;
};

/*
 * Add a file; m isn't needed any more afterwards.  Returns 0, or -1 with *e set
 * (out of memory, or sums beyond 64 bits): merge_fini() is all that may follow.
 */
int merge_add(struct merge *g, const struct mon *m, struct err *e);

void merge_fini(struct merge *g);

/* ------------------------------------------------- for merge.c to call -- */

/* merge_use.c: add uses, groups and fields of m.  sites: the numbers that its
 * sites have in `all'.  0, or -1 when out of memory. */
int merge_uses(struct merge *g, const struct mon *m, const uint32_t *sites);

/* merge_more.c: add what a leak check found of a site of m, and m's marks.  0,
 * or -1 when out of memory. */
int merge_leak(struct mon *all, struct mon_site *to, const struct mon *m,
	       const struct mon_site *s);
int merge_marks(struct merge *g, const struct mon *m);

/* merge_run.c: take all of m that has to do with its peak. */
void merge_peak(struct mon *all, const struct mon *m);

/* Add the totals that add up, or sums.  False: a sum overflows. */
bool merge_totals(struct mon *all, const struct mon *m);
bool merge_sums(struct sums *to, const struct sums *x);

/* Are lives, threads and uses known of all?  Before m's sites are there. */
void merge_known(struct mon *all, const struct mon *m);

/* Add what is known of the run.  0, -1 out of memory, -2 overflow. */
int merge_run(struct merge *g, const struct mon *m);

#endif
