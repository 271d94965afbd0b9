/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The processes of a parallel job side by side: a part of the profile
 * (result.h, which includes this).
 */
#ifndef MEMMON_REDUCE_RANKS_H
#define MEMMON_REDUCE_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct func;
struct site;

/* The figures that are compared: R(ID, name, meaning, title of a table). */
#define RANKS_FIGURES(R) \
	R(PEAK, peak, "most bytes live at one time", \
	  "Bytes live at the peak of each rank") \
	R(KEPT, kept, "bytes not freed", "Bytes not freed") \
	R(BYTES, bytes, "bytes allocated", "Bytes allocated")
enum rank_figure {
#define R(id, ...) RANK_##id,
	RANKS_FIGURES(R)
#undef R
		RANK_NFIGURE
};

/*
 * A rank: all data files of a job with the same rank number; or a single file
 * without a number.
 */
struct rank {
	const char *job, *host; /* "" not known; host of its first file */
	const char *name;	/* for example "3"; the file's name, if the
				 * number isn't known */
	const char *end;	/* of its last file: as run.end */
	uint64_t number;
	bool known; /* the number is known */
	uint64_t files;
	uint64_t value[RANK_NFIGURE]; /* bytes; with several files, the peak is
				       * the sum of their peaks */
};

/* A figure over the ranks; a rank without it counts as 0. */
struct rank_spread {
	uint64_t ranks; /* that have more than 0 */
	uint64_t sum;
	uint64_t least, most;
	/* Indices in profile_ranks.v.  The first with the least and with the
	 * most; without: the first that has 0. */
	size_t least_at, most_at, without;
};

/* The kind of a row. */
enum rank_of {
	RANK_OF_ALL,
	RANK_OF_SITE,
	RANK_OF_FUNC,
	RANK_OF_TYPE,
	RANK_NOF
};

struct rank_row {
	enum rank_of of;
	const struct site *site; /* in RANK_OF_SITE */
	const struct func *func; /* in RANK_OF_FUNC; NULL: not known */
	const char *type;	 /* in RANK_OF_TYPE; NULL: not known */
	char mark;
	struct rank_spread figure[RANK_NFIGURE];
	/* The value of each rank, in the rows with the largest gains; or
	 * NULL. */
	const uint64_t *value[RANK_NFIGURE];
};

/*
 * A host and its ranks.  about: the most bytes that its ranks held at one time,
 * by their snapshots; most: an upper bound.
 */
struct rank_host {
	const char *name; /* "" not known */
	uint64_t ranks;
	uint64_t about, about_at; /* bytes; ns since 1970 */
	uint64_t most;
};

struct profile_ranks {
	bool known;
	const char *why; /* why not; NULL if they weren't asked for */
	struct rank *v; /* by job and number; then unknown numbers, by file */
	size_t n;
	struct rank_host *hosts; /* by name */
	size_t nhosts;
	struct rank_row *rows; /* by enum rank_of; within one kind in no
				* order */
	size_t nrows;
};

/*
 * The largest value divided by the mean: 1 is balanced; n: a single rank has
 * everything.
 */
static inline double
rank_imbalance(const struct profile_ranks *r, const struct rank_spread *s)
{
	return s->sum ? (double)s->most * (double)r->n / (double)s->sum : 1;
}

static inline uint64_t
rank_mean(const struct profile_ranks *r, const struct rank_spread *s)
{
	return r->n ? s->sum / r->n : 0;
}

#endif
