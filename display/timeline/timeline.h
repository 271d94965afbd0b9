/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of --timeline share. */
#ifndef MEMMON_TIMELINE_H
#define MEMMON_TIMELINE_H

#include "display/grid/paths.h"
#include "display/grid/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most of those that get a letter. */
enum { TIMELINE_LETTERS = 8, TIMELINE_ROWS = 20 };

/* Who held memory: a path, a type or a thread. */
struct holder {
	size_t what;	/* its number among these */
	uint64_t most;	/* bytes live at a sample, the most of all */
	uint64_t *live; /* bytes at each sample, and behind them at the peak */
};

/*
 * Samples are the snapshots that the plot and the rows show.  Sample n is after
 * the first n snapshots of the data file: 0 is the start of the run.
 */
struct timeline {
	struct tables *t;
	const struct profile_time *time;
	const char *by;	   /* "site", "type", "thread", "memory", "match" */
	const char *globs; /* of "match": with commas between */
	struct timeline_memory *memory; /* of "memory"; or NULL */
	size_t *sample;			/* ascending, each once */
	size_t nsamples;
	bool exact; /* it is known who held what at the peak */
	struct holder holder[TIMELINE_LETTERS]; /* the most first */
	size_t nholders;
	size_t others;	    /* that have no letter, and held something */
	struct paths paths; /* of sites */
	struct timeline_type {
		const char *name; /* "" not known */
		char mark;
	} * type;    /* of "match": the globs, and "" for the rest */
	char *names; /* what these point to */
	size_t ntypes;
	uint64_t *pool; /* what holder.live points to */
};

/* A row of the times, and whose it is. */
struct timeline_part {
	size_t what;
	const struct time_row *row;
	uint64_t peak; /* bytes live at the peak */
};

/*
 * timeline_memory.c: x->time becomes that of RSS at the memory's snapshots, and
 * the lines of the memory its parts, MONREC_MEMORY_COUNT.  0, or -1 when
 * out of memory; timeline_memory_fini() in any case.
 */
int timeline_memory_init(struct timeline *x);
void timeline_memory_parts(const struct timeline *x,
			   struct timeline_part *part);
void timeline_memory_fini(struct timeline *x);

/* The sample with the most of all. */
size_t timeline_memory_most(const struct timeline *x);

/*
 * timeline_holders.c: find the holders, whose rows are those of the timeline,
 * at all samples.  0, or -1 when out of memory; timeline_fini() in any case.
 */
int timeline_find(struct timeline *x);
void timeline_fini(struct timeline *x);

/* The name of a holder, added to the line. */
void timeline_name(struct timeline *x, const struct holder *h);

/* Where n, or the last sample before it, is in x->sample. */
size_t timeline_sample(const struct timeline *x, size_t n);

/* Bytes of the whole that are live at sample n. */
uint64_t timeline_live(const struct profile_time *time, size_t n);

/* The sample at a time: how many snapshots are not after it. */
size_t timeline_before(const struct profile_time *time, uint64_t at);

/* Is it known how much was live at the peak, and when? */
bool timeline_has_peak(const struct timeline *x);

/* timeline_table.c: a row for each mark, the peak and the end. */
int timeline_table(struct timeline *x);

/* Set v, which has room, to the samples of these rows; returns how many. */
size_t timeline_points(const struct timeline *x, size_t *v);

/* How many marks get a row. */
size_t timeline_marks(const struct timeline *x);

#endif
