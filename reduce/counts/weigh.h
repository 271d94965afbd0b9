/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Weighted sums: each file's counts times a whole number before they are
 * merged, and the sum divided when it is there, so that nothing is rounded but
 * once.
 *
 * Blocks are what is rounded, those freed and those kept of each site, size and
 * thread; bytes follow from the sizes, from the average size where blocks of
 * several sizes were counted together.  A row gets what the sum of all rows up
 * to it, rounded, is more than the one before.  So it is off by less than one
 * block, as is any sum of rows that follow each other, a site's for instance;
 * sites, sizes and threads still add up to the same; frees <= allocs.
 *
 * What isn't a count of blocks isn't known of a weighted sum: who held the
 * peak, how blocks were used, what live blocks begin with, the heap over time.
 * The peak is that of the run with the largest.
 */
#ifndef MEMMON_REDUCE_WEIGH_H
#define MEMMON_REDUCE_WEIGH_H

#include "reduce/base/err.h"
#include "reduce/file/merge.h"
#include "reduce/model/options.h"

/* All zero: nothing is weighed. */
struct weigh {
	bool on, mean;
	const char *text; /* as given */
	uint64_t *by;	  /* of each operand: its files' factor */
	uint64_t num, den;
	uint64_t averaged; /* blocks that got an average size: by weigh_all() */
};

/*
 * The weights of o.  0, or -1 with *e set: they are not numbers, or not as many
 * as o has files.  weigh_fini() in any case.
 */
int weigh_init(struct weigh *w, const struct profile_options *o, struct err *e);
void weigh_fini(struct weigh *w);

/* Before m, of that operand, is merged.  0, or -1 with *e set. */
int weigh_file(const struct weigh *w, struct mon *m, size_t operand,
	       struct err *e);

/* The weight of an operand as it was given; NULL none.  0 or -1. */
int weigh_text(const struct weigh *w, size_t operand, struct arena *a,
	       const char **text);

/* When all files are merged.  0, or -1 with *e set. */
int weigh_all(struct weigh *w, struct merge *g, struct err *e);

/*
 * weigh_figures.c: what a site's blocks have been through, threads and leaks,
 * when sites have their new counts; was: the sums before.  0, or -1 when out
 * of memory.
 */
int weigh_figures(struct mon *m, uint64_t num, uint64_t den,
		  const struct sums *was);

/*
 * weigh_sizes.c: cells, sites and bins times num / den, and their sums.  How
 * many blocks there are then that were counted by class, of several sizes: they
 * get the average of these.
 */
uint64_t weigh_sizes(struct mon *m, uint64_t num, uint64_t den);

/* A row after the other: see above.  All zero but num and den to begin. */
struct weigh_step {
	uint64_t num, den;
	unsigned __int128 sum;
	uint64_t done;
};

/* n times num / den, rounded; it fits. */
static inline uint64_t
weigh_round(unsigned __int128 n, uint64_t num, uint64_t den)
{
	return (uint64_t)(n / den * num + (n % den * num + den / 2) / den);
}

/* A step that makes a sum of `from' one of `to'. */
static inline struct weigh_step
weigh_share(uint64_t to, uint64_t from)
{
	return (struct weigh_step){ .num = from ? to : 0,
				    .den = from ? from : 1 };
}

static inline uint64_t
weigh_next(struct weigh_step *s, uint64_t n)
{
	uint64_t was = s->done;

	s->sum += n;
	s->done = weigh_round(s->sum, s->num, s->den);
	return s->done - was;
}

#endif
