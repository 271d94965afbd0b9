/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Joins types and blocks: types from live blocks and from sizes, the types of
 * the profile's sites, and the counts of each type.
 */
#ifndef MEMMON_REDUCE_TYPEROWS_H
#define MEMMON_REDUCE_TYPEROWS_H

#include "reduce/estimate/use.h"
#include "reduce/model/stages.h"
#include "reduce/types/sitetypes.h"

/* The types and blocks to join. */
struct typerows {
	struct profile *p;
	const struct mon *mon; /* merged */
	const struct exe *exe;
	struct sitetypes *types;
	struct shares *shares;
	const bool *typed; /* by module: its types are known; or NULL */
};

/*
 * Give the shares the types of their sites; then, to live blocks that begin
 * with a virtual table, the types of these; then types by size, where a size
 * has only one type.  Call it after chains_build() and bins_index().
 */
void typerows_join(struct typerows *r);

/*
 * Set the types of the profile's sites, if all sites that they were made from
 * have the same type; then the profile's types.  uses: of mon's sites, from
 * use_of_sites(), or NULL.
 */
void typerows_make(struct typerows *r, const struct use *uses);

#endif
