/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Accesses are recorded only of code that was compiled for it.  What a
 * library without such code allocates for itself seems never to be used.
 */
#ifndef MEMMON_REDUCE_INSTRUMENTED_H
#define MEMMON_REDUCE_INSTRUMENTED_H

#include "reduce/objects/exe.h"
#include "reduce/model/stages.h"

/*
 * Sites that allocate in a module (numbered; as x has found them) without any
 * code whose accesses are recorded: their uses, of m's sites by use_of_sites(),
 * become empty and are counted in p->unobserved.  A module whose file can't be
 * read is taken for one with such code.  Where a module was compiled by clang
 * to call a function at each access, and may have accesses for which clang
 * makes none (uninstrumented.h), no block's accesses are all known:
 * use_hand_all(), and a warning that names it.  After chains_build().  0, or -1
 * when out of memory.
 */
int instrumented_uses(struct profile *p, const struct mon *m,
		      const struct exe *x, struct use *uses);

#endif
