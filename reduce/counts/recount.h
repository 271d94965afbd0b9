/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sites, bins and threads are sums of cells.  Whoever changes cells, as those
 * who scale samples, filter, or go back to an earlier time, recounts them here.
 * None of the sums overflows: the caller sees to that.
 */
#ifndef MEMMON_REDUCE_RECOUNT_H
#define MEMMON_REDUCE_RECOUNT_H

#include "reduce/file/mon.h"
#include "reduce/model/result.h"

/*
 * Set a site's counts, with their variances, to the sums of its n cells; with
 * peak also what it had at the peak, which else stays.  False: what it had
 * there isn't told by these cells, and is 0 now.
 */
bool recount_site(struct mon_site *s, const struct mon_cell *c, size_t n,
		  bool peak);

/* The same for all sites.  False: it isn't told of each. */
bool recount_sites(struct mon *m, bool peak);

/* The sums of all sites, and what they had at the peak. */
void recount_sums(struct mon *m);

/*
 * Bins, and what is in none: a bin of each size or, with `there', of those that
 * have one.  Blocks of which only the class is known go to `unsized', an array
 * by class, but those of the largest class, and all if it is NULL, are big.
 * Sums must be there.  0, or -1 when out of memory.
 */
int recount_bins(struct mon *m, bool there, struct account *unsized);

/* The same of the sites of a file without cells: no size has a bin. */
void recount_classes(struct mon *m, struct account *unsized);

/*
 * What threads allocated, as far as cells say whose they are, with errors;
 * counts: or only these, if it is false.
 */
void recount_threads(struct mon *m, bool counts);

/*
 * Of a file that isn't of samples: it may have been written while threads ran
 * on, the last of a run, too.  The monitor asks them one by one, and before it
 * reads the sites.  So what they allocated is recounted, if the cells say whose
 * all of it is.
 */
void recount_running(struct mon *m);

#endif
