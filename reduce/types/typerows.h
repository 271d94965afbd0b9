/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Types and blocks together: what live blocks and sizes tell besides the calls,
 * the types of the profile's sites, and what was allocated of each type.
 */
#ifndef MEMMON_REDUCE_TYPEROWS_H
#define MEMMON_REDUCE_TYPEROWS_H

#include "reduce/counts/use.h"
#include "reduce/model/stages.h"
#include "reduce/types/sitetypes.h"

/* What is joined. */
struct typerows {
	struct profile *p;
	const struct mon *mon; /* merged */
	const struct exe *exe;
	struct sitetypes *types;
	struct shares *shares;
	const bool *typed; /* of each module: its types are known; or NULL */
};

/*
 * Give the shares the types of their sites; then those of live blocks that
 * begin with a table of virtual functions; then, where there is but one of that
 * size, those by size.  After chains_build() and bins_index().  0, or -1 when
 * out of memory.
 */
int typerows_join(struct typerows *r);

/*
 * Set the types of the profile's sites, where all that they were made of have
 * the same; then the profile's types.  uses: of mon's sites, by use_of_sites(),
 * or NULL.  The same.
 */
int typerows_make(struct typerows *r, const struct use *uses);

#endif
