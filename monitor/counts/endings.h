/* SPDX-License-Identifier: MIT */
/*
 * By which call paths timed blocks were freed: pairs of the call path that
 * allocated a block and of the one that freed it, of which there is a fixed
 * number.  What finds no place is counted.
 */
#ifndef MEMMON_ENDINGS_H
#define MEMMON_ENDINGS_H

#include "monitor/base/emit.h"
#include "monitor/base/thread.h"

/*
 * A block of `size' bytes that was allocated at the node and stands for
 * `weight' has lived so long; who freed it is at *e, NULL: not known.
 * ctx: hook.
 */
void mmi_endings_add(struct mmi_thread *t, uint32_t node,
		     const struct arch_entry *e, uint64_t size, uint32_t weight,
		     uint64_t ns);

/* All of the above is forgotten.  ctx: fork. */
void mmi_endings_fork(void);

/*
 * Into the table ENDINGS, which comes after the one of o: site by site, in the
 * order of their nodes; nodes of the first `nodes' alone are named.  How many
 * items there are; and blocks that found no place.  ctx: exit.
 */
void mmi_endings_begin(struct mmi_emit *o, uint64_t nodes);
void mmi_endings_site(uint64_t number, uint32_t node);
uint64_t mmi_endings_end(void);
uint64_t mmi_endings_lost(void);

#endif
