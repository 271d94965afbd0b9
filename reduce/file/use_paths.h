/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Partial call paths.  With MONOUT_R_USE_FRAMES an item of USES, with what
 * belongs to it, is of all sites whose chains have so many innermost frames in
 * common with that of its own site, and are of the same type.
 */
#ifndef MEMMON_REDUCE_USE_PATHS_H
#define MEMMON_REDUCE_USE_PATHS_H

#include "reduce/file/mon.h"

/*
 * Of each of m's sites the place of the first one of its path: its own where
 * uses are of single sites.  To be freed; NULL when out of memory.
 */
uint32_t *use_paths(const struct mon *m);

/*
 * Are there no more blocks and bytes in the uses of any path than its sites
 * have allocated?  1 yes, 0 no, -1 when out of memory.
 */
int use_paths_sane(const struct mon *m);

#endif
