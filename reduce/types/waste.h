/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes that types waste: their holes. */
#ifndef MEMMON_REDUCE_WASTE_H
#define MEMMON_REDUCE_WASTE_H

#include "reduce/model/stages.h"
#include "reduce/types/sitetypes.h"

/*
 * Set the holes of p's types, from the files that x knows.  used: modules that
 * call paths contain.  Call it after typerows_make(); m is merged.
 */
void waste_make(struct profile *p, const struct mon *m,
		const struct sitetypes *t, const struct exe *x,
		const bool *used);

#endif
