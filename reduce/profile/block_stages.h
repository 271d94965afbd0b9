/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The stages that tell of blocks, in their order: how they were used, of which
 * types they are, what these waste.
 */
#ifndef MEMMON_REDUCE_BLOCK_STAGES_H
#define MEMMON_REDUCE_BLOCK_STAGES_H

#include "reduce/counts/use.h"
#include "reduce/model/options.h"
#include "reduce/model/stages.h"
#include "reduce/types/sitetypes.h"

/* block_stages_init(), and block_stages_fini() in any case. */
struct block_stages {
	struct profile *p;
	const struct mon *mon;
	const struct exe *exe;
	const struct profile_options *options;
	struct wrappers wrappers;
	const bool *used; /* of each module */
	struct sitetypes types;
	struct shares shares;
	struct use *uses; /* of the data's sites, and their groups */
	uint32_t *first;  /* site of each one's partial path */
	struct mon_group *groups;
};

/* m is merged; x has found its files. */
void block_stages_init(struct block_stages *b, struct profile *p,
		       const struct mon *m, const struct exe *x,
		       const struct profile_options *o);
void block_stages_fini(struct block_stages *b);

/*
 * Find the types of the sites, unless they are there already.  p has its
 * symbols.  0, or -1 when out of memory.
 */
int block_stages_types(struct block_stages *b);

/*
 * All that p tells of uses, types and waste.  used: modules that chains pass
 * through.  After chains_build() and bins_make().  0, or -1 when out of memory.
 */
int block_stages_make(struct block_stages *b, const bool *used);

#endif
