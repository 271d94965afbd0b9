/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Accesses are recorded only in code that was compiled for it.  The blocks of a
 * library without such code would seem unused.
 */
#ifndef MEMMON_REDUCE_INSTRUMENTED_H
#define MEMMON_REDUCE_INSTRUMENTED_H

#include "reduce/binaries/exe.h"
#include "reduce/model/stages.h"

/*
 * Clear the uses of sites that allocate in a module without any instrumented
 * code, and count these sites in p->unobserved.  uses: of m's sites, from
 * use_of_sites(); x: the modules' files.  A module whose file can't be read
 * counts as instrumented.
 *
 * A module that clang compiled to call a function at each access may have
 * accesses without a call (uninstrumented.h).  Then the accesses of every block
 * may be incomplete: use_hand_all() and a warning that names the module.
 *
 * Call it after chains_build().
 */
void instrumented_uses(struct profile *p, const struct mon *m,
		       const struct exe *x, struct use *uses);

#endif
