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

/* What is compared. */
enum rank_figure { RANK_PEAK, RANK_KEPT, RANK_BYTES, RANK_NFIGURE };

/*
 * A rank: all data files of a job that say so; or one that doesn't say of which
 * rank it is.
 */
struct rank {
	const char *job, *host; /* "" not known; host of its first file */
	const char *name;	/* "3"; the file's, if it isn't known */
	const char *end;	/* of its last file: as run.end */
	uint64_t number;
	bool known; /* the number is */
	uint64_t files;
	uint64_t value[RANK_NFIGURE]; /* bytes; the peak of several files: the
				       * sum of theirs */
};

/* A figure over the ranks, 0 where a rank has none of it. */
struct rank_spread {
	uint64_t ranks; /* that have some */
	uint64_t sum;
	uint64_t least, most;
	/* Places in profile_ranks.v, the first; without: the first that has
	 * none of it. */
	size_t least_at, most_at, without;
};

/* What a row is of. */
enum rank_of {
	RANK_OF_ALL,
	RANK_OF_SITE,
	RANK_OF_FUNC,
	RANK_OF_TYPE,
	RANK_NOF
};

struct rank_row {
	enum rank_of of;
	const struct site
		*site; /* the one of these that it is of; func NULL, */
	const struct func *func; /* type NULL: of what isn't known */
	const char *type;
	char mark;
	struct rank_spread figure[RANK_NFIGURE];
	/* Of the rows with the most to gain the value of each rank; or NULL. */
	const uint64_t *value[RANK_NFIGURE];
};

/*
 * The ranks of a host.  about: the most that they held at a time, as their
 * snapshots tell; most: they can't have held more at any time.
 */
struct rank_host {
	const char *name; /* "" not known */
	uint64_t ranks;
	uint64_t about, about_at; /* bytes; ns since 1970 */
	uint64_t most;
};

struct profile_ranks {
	bool known;
	const char *why; /* if not, unless nobody wanted it: then NULL */
	struct rank *v; /* by job and number, then those not known, by file */
	size_t n;
	struct rank_host *hosts; /* by name */
	size_t nhosts;
	struct rank_row *rows; /* by enum rank_of; within it no order */
	size_t nrows;
};

/* The most over the mean: 1 is balanced, n one rank alone. */
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
