/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Partial call paths: sites that share the record of how their blocks were
 * used.  An item of USES, and all that belongs to it, covers every site of its
 * site's path.
 */
#ifndef MEMMON_REDUCE_USE_PATHS_H
#define MEMMON_REDUCE_USE_PATHS_H

#include "reduce/monout/mon.h"

/*
 * For each of m's sites, the place of the first site of its path, which may be
 * the site itself.  To be freed.
 */
uint32_t *use_paths(const struct mon *m);

/* Note that sites a and b of m are of one path. */
void use_paths_join(struct mon *m, uint32_t a, uint32_t b);

/*
 * Check that the uses of each path have at most the blocks and bytes that its
 * sites allocated.
 */
bool use_paths_sane(const struct mon *m);

/* Update the paths after the sites were reordered, old site k to map[k]. */
void use_paths_move(struct mon *m, const uint32_t *map);

#endif
