/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Merge several struct mon into one: the same module, call path or size becomes
 * the same item.  A single file is merged, too, so that later code never meets
 * missing numbers.
 */
#ifndef MEMMON_REDUCE_MERGE_H
#define MEMMON_REDUCE_MERGE_H

#include "reduce/base/err.h"
#include "reduce/base/hash.h"
#include "reduce/monout/mon.h"
#include "reduce/monout/combine.h"

/*
 * From the numbers of a data file to those of the merged data, for the first
 * file that was added.  All zero: no file was added yet.  The caller calls
 * merge_first_fini().
 */
struct merge_first {
	size_t files;	  /* files with sites or a log */
	char *path;	  /* of the data file */
	uint32_t *nodes;  /* nnodes numbers */
	uint32_t *thread; /* by the number of a thread in the file, */
	size_t nnodes, nthread; /* nthread numbers; MON_MISSING: no such
				 * thread */
	struct mon_value run[MONOUT_R_MAX]; /* only the numbers in it are
					     * valid */
	char *name;			    /* MONOUT_R_LOG */
};

void merge_first_fini(struct merge_first *l);

/*
 * The caller owns it; all zero means that nothing was merged yet.  In `all',
 * nodes[0] and modules[0] exist, each node's parent has a lower number, each
 * number refers to an item, and modules have paths.  No two sites have the same
 * node, no two bins the same size, and no two threads the same name and flags.
 * total[] has the sums over all runs, or the largest value; run[] has the
 * values that are true for all runs.
 *
 * The data of the peak come from one file, the file with the largest peak,
 * because a sum of peaks was never live at one time.  The sites of this file
 * have their amounts at the peak; those of other files have 0.  Lives, threads
 * and uses are known for the sum if they are known for every file that has
 * sites.
 *
 * Marks, snapshots and changes are kept only for a single file; see
 * marks_dropped and times_dropped.  Leaks and vtables add up, even if only some
 * files have vtables.  Cells are kept if every file that has sites has cells.
 *
 * Groups are final, by the length of each file's own run.  No two fields have
 * the same site and size.
 */
struct merge {
	struct mon all;
	size_t nfiles;
	struct hash modules, nodes, sites, bins, threads, fields, types;
	double tau;   /* set by the caller, for groups_gap(); 0: the usual
		       * tau */
	uint64_t gap; /* gap of the longest run; 0: unknown, because one of
		       * the files is a sum */
	bool each_thread; /* set by the caller: don't merge threads of the
			   * same name */
	bool sum_seen;
	struct merge_first *first; /* set by the caller; NULL: not wanted */
	/*
	 * Set `keep' to get in `kept' the numbers in `all' of the sites that
	 * were added last.
	 */
	bool keep;
	uint32_t *kept;
	/* How many were sorted last: merge_cells.c. */
	size_t cells_settled, vtables_settled;
};

/*
 * Add a file; m isn't needed afterwards.  Returns 0, or -1 with *e set (sums
 * beyond 64 bits); call only merge_fini() then.
 */
int merge_add(struct merge *g, const struct mon *m, struct err *e);

/*
 * Add the files of another merge, which come after g's files, as if each were
 * added to g.  The caller sets x->all.path.
 */
int merge_join(struct merge *g, const struct merge *x, struct err *e);

/*
 * Sort the cells and vtables of `all', and add up equal ones.  merge_add() only
 * appends them, so call this once all files are added.
 */
void merge_settle(struct merge *g);

/*
 * merge_order.c: number modules, types, nodes, sites, bins and threads by their
 * content, independently of the order of the files.  No file can be added
 * afterwards.
 */
void merge_order(struct merge *g);

void merge_fini(struct merge *g);

/* ---------------------------------------------- called only by merge.c -- */

/* merge_use.c: add the uses, groups and fields of m. */
void merge_uses(struct merge *g, const struct mon *m,
		const struct combine_maps *map);

/* merge_use.c: add the results of a leak check for a site of m. */
void merge_leak(struct mon *all, struct mon_site *to, const struct mon *m,
		const struct mon_site *s);

/*
 * merge_cells.c: the type's number in `all'.  0 if there are too many types.
 */
int merge_type(struct merge *g, const struct mon_type *x);

/*
 * merge_cells.c: add the cells, vtables and so on.  peak: m's peak is the
 * largest so far.
 */
void merge_cells(struct merge *g, const struct mon *m, bool peak,
		 const struct combine_maps *map);
void merge_vtables(struct merge *g, const struct mon *m,
		   const struct combine_maps *map);
void merge_lists(struct mon *all, const struct mon *m,
		 const struct combine_maps *map);

/* merge_threads.c: add the threads of m; map gets their new numbers. */
void merge_threads(struct merge *g, const struct mon *m, uint32_t *map);

/* merge_times.c: add the marks of m, or its snapshots and changes. */
void merge_marks(struct merge *g, const struct mon *m);
void merge_times(struct merge *g, const struct mon *m,
		 const struct combine_maps *map);

/* merge_run.c: take all totals of m's peak. */
void merge_peak(struct mon *all, const struct mon *m);

/*
 * merge_peak.c: is m's peak larger than that of `all'?  If both are equal,
 * their content decides, not the order of the files.
 */
bool merge_peak_more(const struct mon *m, const struct mon *all);

/* Add the totals that add up, or add sums.  False if a sum overflows. */
bool merge_totals(struct mon *all, const struct mon *m);
bool merge_sums(struct sums *to, const struct sums *x);

/*
 * Add the data about samples; add the number of files.  Call this before nfiles
 * counts m.
 */
void merge_sample(struct merge *g, const struct mon *m);
void merge_count(struct merge *g, const struct mon *m);

/*
 * Set whether lives, threads, uses and cells are known for all files.  Call
 * this before m's sites are added.  first: m is the first file.
 */
void merge_known(struct mon *all, const struct mon *m, bool first);

/* Add the values of m's run.  0, or -1 if a sum overflows. */
int merge_run(struct merge *g, const struct mon *m);

#endif
