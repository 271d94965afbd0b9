/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes by place in the block: by site and by type. */
#ifndef MEMMON_REDUCE_FIELDS_H
#define MEMMON_REDUCE_FIELDS_H

#include "reduce/model/stages.h"
#include "reduce/types/sitetypes.h"

/*
 * Set p's fields.  Types get their members from the files that x knows.  m is
 * merged; uses: of its sites, after instrumented_uses(); e: its types.  Call it
 * after typerows_make().
 */
void fields_make(struct profile *p, const struct mon *m, const struct use *uses,
		 const struct sitetypes *e, const struct exe *x);

#endif
