/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stages for blocks, in their order: use, types, waste of types. */
#ifndef MEMMON_REDUCE_BLOCK_STAGES_H
#define MEMMON_REDUCE_BLOCK_STAGES_H

#include "reduce/estimate/use.h"
#include "reduce/model/options.h"
#include "reduce/model/stages.h"
#include "reduce/types/sitetypes.h"

/* Call block_stages_init(), then block_stages_fini() in any case. */
struct block_stages {
	struct profile *p;
	const struct mon *mon;
	const struct exe *exe;
	const struct profile_options *options;
	struct wrappers wrappers;
	const bool *used; /* of each module */
	struct sitetypes types;
	struct shares shares;
	struct use *uses; /* of the data's sites; groups: their groups */
	uint32_t *first;  /* for each site: the first one with its partial
			   * path */
	struct mon_group *groups;
};

/* m is merged; x knows its files. */
void block_stages_init(struct block_stages *b, struct profile *p,
		       const struct mon *m, const struct exe *x,
		       const struct profile_options *o);
void block_stages_fini(struct block_stages *b);

/* Find the types of the sites, unless that is done.  p has its symbols. */
void block_stages_types(struct block_stages *b);

/*
 * Fill p's uses, types and waste.  used: modules that call paths contain.  Call
 * it after chains_build() and bins_make().
 */
void block_stages_make(struct block_stages *b, const bool *used);

#endif
