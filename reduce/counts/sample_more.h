/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of sample_scale(): what isn't cells and sites.  In this order. */
#ifndef MEMMON_REDUCE_SAMPLE_MORE_H
#define MEMMON_REDUCE_SAMPLE_MORE_H

#include "reduce/file/mon.h"

/* Lifetimes of a site, of which `frees' blocks went and now `to' did; they are
 * added to m->life.  0, or -1 when out of memory. */
int sample_life(struct mon *m, struct mon_site *s, uint64_t frees, uint64_t to);

/* What threads did adds up to the sites. */
void sample_threads(struct mon *m);

/*
 * sample_times.c: moments and changes.  was: m's cells, in their order, as they
 * were; NULL: there were none.  Sums must be there.
 */
void sample_times(struct mon *m, const struct mon_cell *was);

/*
 * Of a sum, whose counts are estimates: sites, bins and threads get the
 * variances of the cells.  0, or -1 when out of memory.
 */
int sample_again(struct mon *m);

/* The totals that are of blocks. */
void sample_totals(struct mon *m);

#endif
