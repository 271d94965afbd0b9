/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was read and written where in blocks: by site and by type. */
#ifndef MEMMON_REDUCE_FIELDS_H
#define MEMMON_REDUCE_FIELDS_H

#include "reduce/model/stages.h"
#include "reduce/types/sitetypes.h"

/*
 * Set p's fields, of types with their members as far as the files that x has
 * found tell.  m is merged; e: its types.  After typerows_make().  0, or -1
 * when out of memory.
 */
int fields_make(struct profile *p, const struct mon *m,
		const struct sitetypes *e, const struct exe *x);

#endif
