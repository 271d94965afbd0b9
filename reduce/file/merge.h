/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several struct mon made one: the same module, chain or size is the same item.
 * A single file goes the same way, so that nothing else has to know about
 * numbers that are missing.
 */
#ifndef MEMMON_REDUCE_MERGE_H
#define MEMMON_REDUCE_MERGE_H

#include "reduce/base/err.h"
#include "reduce/base/hash.h"
#include "reduce/file/mon.h"
#include "reduce/file/combine.h"

/*
 * Numbers of a data file -> those of the merged data, of the first file
 * that was added.  All zero: of none yet.  The caller calls merge_first_fini().
 */
struct merge_first {
	size_t files;	  /* that had sites or a log */
	char *path;	  /* of the data file */
	uint32_t *nodes;  /* nnodes of them */
	uint32_t *thread; /* by the number that a thread has in the file, */
	size_t nnodes, nthread; /* and nthread of those: MON_MISSING none */
	struct mon_value run[MONOUT_R_MAX]; /* numbers only */
	char *name;			    /* MONOUT_R_LOG */
};

void merge_first_fini(struct merge_first *l);

/*
 * The caller owns it; all zero is nothing merged yet.  In `all': nodes[0] and
 * modules[0] are there, each node's parent has a lower number, each number
 * names something, modules have paths, sites have nodes of their own, bins
 * sizes of their own, threads a name and flags of their own; total[] has sums,
 * or of the runs the largest; run[] has what is true of all of them.
 *
 * What belongs to the peak is all from one file, that with the largest: a sum
 * of peaks was never live at one time.  Its sites have what they held then,
 * those of the other files nothing.  Lives, threads and uses are known of the
 * sum when they are known of every file that has sites.
 *
 * Marks are those of one file; of several there are none, see marks_dropped;
 * snapshots and changes likewise.
 * Leaks add up, and so do vtables, of which those of some of the files may be
 * known.  Cells are there when every file that has sites has them.
 *
 * Groups are final, by the length of each file's own run; fields have a site
 * and size of their own.
 */
struct merge {
	struct mon all;
	size_t nfiles;
	struct hash modules, nodes, sites, bins, threads, fields, types;
	double tau;   /* set by the caller, for groups_gap(); 0 the usual */
	uint64_t gap; /* the longest run's; 0: a sum is among the files, so
			 * that isn't known */
	bool each_thread; /* set by the caller: threads of a name aren't one */
	bool sum_seen;
	struct merge_first *first; /* set by the caller; NULL: not wanted */
	/* If `keep', which the caller sets: the numbers in `all' of the sites
	 * of what was added last. */
	bool keep;
	uint32_t *kept;
	/* Those that were in order last: merge_cells.c. */
	size_t cells_settled, vtables_settled;
};

/*
 * Add a file; m isn't needed any more afterwards.  Returns 0, or -1 with *e set
 * (out of memory, or sums beyond 64 bits): merge_fini() is all that may follow.
 */
int merge_add(struct merge *g, const struct mon *m, struct err *e);

/*
 * The same of another merge, of files that come after g's: as if each of them
 * was added.  x->all.path is set by the caller.
 */
int merge_join(struct merge *g, const struct merge *x, struct err *e);

/*
 * Sort the cells and vtables of `all', and add up equal ones.  merge_add() only
 * appends them, so call this once all files are added.
 */
void merge_settle(struct merge *g);

/*
 * merge_order.c: number modules, types, nodes, sites, bins and threads by what
 * they are, not by the order of the files; nothing can be added any more.  0,
 * or -1 when out of memory.
 */
int merge_order(struct merge *g);

void merge_fini(struct merge *g);

/* ------------------------------------------------- for merge.c to call -- */

/* merge_use.c: add uses, groups and fields of m.  0, or -1: out of memory. */
int merge_uses(struct merge *g, const struct mon *m,
	       const struct combine_maps *map);

/* The same: add what a leak check found of a site of m. */
int merge_leak(struct mon *all, struct mon_site *to, const struct mon *m,
	       const struct mon_site *s);

/* merge_cells.c: the type's number in `all'; 0 too many, -1 out of memory. */
int merge_type(struct merge *g, const struct mon_type *x);

/* The same: add cells, vtables.  peak: m's is the largest up to now.  0, or -1
 * when out of memory. */
int merge_cells(struct merge *g, const struct mon *m, bool peak,
		const struct combine_maps *map);
int merge_vtables(struct merge *g, const struct mon *m,
		  const struct combine_maps *map);
int merge_pins(struct mon *all, const struct mon *m,
	       const struct combine_maps *map);
int merge_links(struct mon *all, const struct mon *m,
		const struct combine_maps *map);
int merge_mappings(struct mon *all, const struct mon *m,
		   const struct combine_maps *map);
int merge_endings(struct mon *all, const struct mon *m,
		  const struct combine_maps *map);

/* merge_threads.c: add the threads of m; map gets their numbers. */
int merge_threads(struct merge *g, const struct mon *m, uint32_t *map);

/* merge_times.c: the same of marks; of snapshots and changes. */
int merge_marks(struct merge *g, const struct mon *m);
int merge_times(struct merge *g, const struct mon *m,
		const struct combine_maps *map);

/* merge_run.c: take all of m that has to do with its peak. */
void merge_peak(struct mon *all, const struct mon *m);

/*
 * merge_peak.c: is m's peak the one to take?  Of two that are as large it
 * depends on what was in them, not on which comes first.
 */
bool merge_peak_more(const struct mon *m, const struct mon *all);

/* Add the totals that add up, or sums.  False: a sum overflows. */
bool merge_totals(struct mon *all, const struct mon *m);
bool merge_sums(struct sums *to, const struct sums *x);

/* Add what is known of samples; how many files they are.  Before nfiles has m
 * in it. */
void merge_sample(struct merge *g, const struct mon *m);
void merge_count(struct merge *g, const struct mon *m);

/* Are lives, threads, uses and cells known of all?  Before m's sites are there.
 * first: nothing else is. */
void merge_known(struct mon *all, const struct mon *m, bool first);

/* Add what is known of the run.  0, -1 out of memory, -2 overflow. */
int merge_run(struct merge *g, const struct mon *m);

#endif
