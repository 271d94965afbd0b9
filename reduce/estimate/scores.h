/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scores of uses, and sums of uses: see struct use (result.h). */
#ifndef MEMMON_REDUCE_SCORES_H
#define MEMMON_REDUCE_SCORES_H

#include "reduce/model/result.h"

/*
 * The scores of a use; all 0 when it has no blocks.  Usage, useful and cover,
 * and the figures derived from them, are known if profile_use_known(): all
 * accesses of some blocks are known.  Only these blocks count.
 */
struct score profile_score(const struct use *u);
bool profile_use_known(const struct use *u);

/* Can this flag be known for these blocks?  Samples don't have all flags. */
bool profile_flag_told(const struct use *u, enum profile_flag flag);

/* The bytes, and the blocks, that a flag's share is computed from. */
uint64_t profile_flag_bytes(const struct use *u, enum profile_flag flag);
uint64_t profile_flag_blocks(const struct use *u, enum profile_flag flag);

/*
 * Joins the groups of several sites for their lifetime score.  Call
 * profile_gather() for the use of each site, then profile_gathered(), which
 * sets the groups of *u and starts again with none.  p must live as long as the
 * result.
 */
struct groups_gather;
struct groups_gather *profile_gather_new(const struct profile *p);
void profile_gather_free(struct groups_gather *g);
void profile_gather(struct groups_gather *g, const struct use *u);
void profile_gathered(struct groups_gather *g, struct use *u);

/*
 * For each k below n add to u[k] the uses of the sites with key[] k, and their
 * groups.  Each use counts once.  key[] is indexed by place in p->sites.
 */
void profile_use_all(const struct profile *p, const size_t *key, struct use *u,
		     size_t n);

/* The site's use if the site is the first with this use, else NULL. */
const struct use *profile_use_once(const struct site *s);

#endif
