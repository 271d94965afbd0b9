/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of profiling modules, with names of the allocator's callers. */
#ifndef MEMMON_CALLERS_H
#define MEMMON_CALLERS_H

#include "reduce/base/err.h"
#include "reduce/monout/mon.h"
#include "reduce/model/options.h"
#include "reduce/model/result.h"

/*
 * Fill p->findings with the modules that *o names.  Call it when p's symbols
 * have m's modules, in the order of m.  callers_fini() in any case.  0, or -1
 * with *e set.
 */
int callers_make(struct profile *p, const struct mon *m,
		 const struct profile_options *o, struct err *e);
void callers_fini(struct profile *p);

#endif
