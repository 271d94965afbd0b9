/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of leak checks, without those that suppressions hide. */
#ifndef MEMMON_REDUCE_LEAKS_H
#define MEMMON_REDUCE_LEAKS_H

#include "reduce/callgraph/runtime.h"
#include "reduce/callgraph/suppress.h"
#include "reduce/monout/mon.h"
#include "reduce/model/stages.h"

/*
 * Allocate room in p for what each suppression hides of m's sites, and, unless
 * show_runtime is set, for the blocks that the C and C++ libraries keep.
 */
void leaks_init(struct profile *p, const struct mon *m,
		const struct suppress *s, bool show_runtime);

/*
 * Add the results for a site of m, which is merged, to *to and to p's own.  *to
 * is allocated if it is NULL and needed.  by: the number of the suppression for
 * the call path, or 0; runtime: whose the call path is.  The hidden blocks are
 * marked in *count, the counts of the site.
 */
void leaks_add(struct profile *p, const struct mon *m,
	       const struct mon_site *from, uint32_t by, enum runtime runtime,
	       struct leak **to, struct counts *count);

/*
 * Find out which cells of m contain the hidden blocks of their sites, for
 * counts_suppress().  Call this after leaks_finish().
 */
void leaks_cells(struct profile *p, const struct mon *m);

/* Forget suppressions that hid nothing.  Call this after all sites. */
void leaks_finish(struct profile *p);

#endif
