/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Partial call paths: sites that have how their blocks were used together.  An
 * item of USES, with what belongs to it, is of all sites of the path that its
 * own site is of.
 */
#ifndef MEMMON_REDUCE_USE_PATHS_H
#define MEMMON_REDUCE_USE_PATHS_H

#include "reduce/file/mon.h"

/*
 * Of each of m's sites the place of the first one of its path, which may be its
 * own.  To be freed; NULL when out of memory.
 */
uint32_t *use_paths(const struct mon *m);

/* Sites a and b of m are of one path. */
void use_paths_join(struct mon *m, uint32_t a, uint32_t b);

/*
 * Are there no more blocks and bytes in the uses of any path than its sites
 * have allocated?  1 yes, 0 no, -1 when out of memory.
 */
int use_paths_sane(const struct mon *m);

/*
 * Sites are in another order, old site k at map[k], and have the paths of the
 * old one still: they get those of the new one.  0 or -1: no memory.
 */
int use_paths_move(struct mon *m, const uint32_t *map);

#endif
