/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What leak checks found, and what suppressions take away of it. */
#ifndef MEMMON_REDUCE_LEAKS_H
#define MEMMON_REDUCE_LEAKS_H

#include "reduce/callgraph/runtime.h"
#include "reduce/callgraph/suppress.h"
#include "reduce/file/mon.h"
#include "reduce/model/stages.h"

/*
 * Room in p for what each of them takes away of m's sites, and what the C and
 * C++ libraries keep, unless that is to be seen.  0, or -1 out of memory.
 */
int leaks_init(struct profile *p, const struct mon *m, const struct suppress *s,
	       bool show_runtime);

/*
 * Add what was found of a site of m, which is merged, to *to, which is made
 * when it isn't there and something has to be in it, and to p's own.  by: the
 * number of the suppression for its chain, or 0; runtime: what the chain is.
 * What they take away is marked in *count, the site's.  0, or -1 out of memory.
 */
int leaks_add(struct profile *p, const struct mon *m,
	      const struct mon_site *from, uint32_t by, enum runtime runtime,
	      struct leak **to, struct counts *count);

/*
 * After leaks_finish(): find out which cells of m have what is suppressed of
 * their sites, as counts_suppress() has it.  0, or -1 out of memory.
 */
int leaks_cells(struct profile *p, const struct mon *m);

/* After all sites: forget suppressions that took nothing away. */
void leaks_finish(struct profile *p);

#endif
