/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of --timeline share. */
#ifndef MEMMON_TIMELINE_H
#define MEMMON_TIMELINE_H

#include "display/grid/paths.h"
#include "display/grid/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most holders that get a letter; the rows of the plot. */
enum { TIMELINE_LETTERS = 8, TIMELINE_ROWS = 20 };

/* A holder of memory: a path, a type or a thread. */
struct holder {
	size_t what;	/* index of the path, type or thread */
	uint64_t most;	/* largest of .live */
	uint64_t *live; /* bytes at each sample; then at the peak */
};

/*
 * Samples are the snapshots that the plot and the rows show.  Sample n comes
 * after the first n snapshots of the data file; sample 0 is the start of the
 * run.
 */
struct timeline {
	struct tables *t;
	const struct profile_time *time;
	const char *by;	   /* "site", "type", "thread", "memory", "match" */
	const char *globs; /* for "match": separated by commas */
	struct timeline_memory *memory; /* for "memory"; or NULL */
	size_t *sample;			/* ascending, each once */
	size_t nsamples;
	bool exact; /* the holders at the peak are known */
	struct holder holder[TIMELINE_LETTERS]; /* largest first */
	size_t nholders;
	size_t others;	    /* holders without a letter that held memory */
	struct paths paths; /* for sites */
	struct timeline_type {
		const char *name; /* "" unknown */
		char mark;
	} * type;    /* for "match": the globs, and "" for the rest */
	size_t ntypes;
	uint64_t *pool; /* the memory of holder.live */
};

/* A row of the snapshots, and its holder. */
struct timeline_part {
	size_t what;
	const struct time_row *row;
	uint64_t peak; /* bytes live at the peak */
};

/*
 * timeline_memory.c: for --timeline=memory, set x->time to RSS at the memory
 * snapshots.  The parts are the MONREC_MEMORY_COUNT lines of the memory.
 */
void timeline_memory_init(struct timeline *x);
void timeline_memory_parts(const struct timeline *x,
			   struct timeline_part *part);

/* The sample with the largest RSS. */
size_t timeline_memory_most(const struct timeline *x);

/*
 * timeline_holders.c: find the holders and their bytes at all samples.  0, or
 * -1 when out of memory.
 */
int timeline_find(struct timeline *x);

/* Add the name of a holder to the line. */
void timeline_name(struct timeline *x, const struct holder *h);

/* The index in x->sample of n, or of the last sample before n. */
size_t timeline_sample(const struct timeline *x, size_t n);

/* All bytes that are live at sample n. */
uint64_t timeline_live(const struct profile_time *time, size_t n);

/* The sample at a time: the number of snapshots up to that time. */
size_t timeline_before(const struct profile_time *time, uint64_t at);

/* Are the bytes and the time of the peak known? */
bool timeline_has_peak(const struct timeline *x);

/* timeline_table.c: print a row for each mark, the peak and the end. */
int timeline_table(struct timeline *x);

/* Write the samples of these rows to v, which has room; returns how many. */
size_t timeline_points(const struct timeline *x, size_t *v);

/* The number of marks that get a row. */
size_t timeline_marks(const struct timeline *x);

#endif
