/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sites, bins and threads are sums of cells.  Code that changes cells, to scale
 * samples, to filter, or to go back to an earlier time, recomputes these sums
 * here.  The caller ensures that no sum overflows.
 */
#ifndef MEMMON_REDUCE_RECOUNT_H
#define MEMMON_REDUCE_RECOUNT_H

#include "reduce/monout/mon.h"
#include "reduce/model/result.h"

/*
 * Set a site's counts, with their variances, to the sums of its n cells.  With
 * peak, also set its amounts at the peak; otherwise these stay.  Returns false
 * if the cells don't determine the amounts at the peak, which are 0 then.
 */
bool recount_site(struct mon_site *s, const struct mon_cell *c, size_t n,
		  bool peak);

/* The same for all sites.  False if recount_site() is false for one of them. */
bool recount_sites(struct mon *m, bool peak);

/* Set the sums of all sites, and their sums at the peak. */
void recount_sums(struct mon *m);

/*
 * Set the bins, and the sums outside of bins.  Each size gets a bin; with
 * `there', only sizes that have a bin already.  Blocks without a bin are added
 * to `unsized', an array by class.  The largest class, and all classes if
 * `unsized' is NULL, count as big blocks.  m's sums must be set.
 */
void recount_bins(struct mon *m, bool there, struct account *unsized);

/* The same for a file without cells: no size gets a bin. */
void recount_classes(struct mon *m, struct account *unsized);

/*
 * Set the variances of threads from the cells, and with counts also the amounts
 * that they allocated, as far as cells have thread numbers.
 */
void recount_threads(struct mon *m, bool counts);

/*
 * For a file without samples.  Such a file may be written while threads run,
 * even the last file of a run: the monitor reads the threads' counts one after
 * the other, before it reads the sites.  So the threads' amounts are computed
 * again from the cells, if all cells have thread numbers.
 */
void recount_running(struct mon *m);

#endif
