/* SPDX-License-Identifier: MIT */
/*
 * Which call paths freed timed blocks: pairs of the call path that allocated a
 * block and the call path that freed it.  The number of pairs is fixed; blocks
 * without a place are counted.
 */
#ifndef MEMMON_ENDINGS_H
#define MEMMON_ENDINGS_H

#include "monitor/base/emit.h"
#include "monitor/base/thread.h"

/*
 * A block of `size' bytes, allocated at the node, has lived for `ns' and
 * represents `weight' blocks.  *e is the caller that freed it; e NULL: unknown.
 * ctx: hook.
 */
void mmi_endings_add(struct mmi_thread *t, uint32_t node,
		     const struct arch_entry *e, uint64_t size, uint32_t weight,
		     uint64_t ns);

/* Forget all pairs.  ctx: fork. */
void mmi_endings_fork(void);

/*
 * Write the table ENDINGS, which follows the table of o: begin, then each site
 * in the order of the nodes, then end.  Only the first `nodes' nodes have
 * names.  end returns the number of items; lost returns how many blocks found
 * no place.  ctx: exit.
 */
void mmi_endings_begin(struct mmi_emit *o, uint64_t nodes);
void mmi_endings_site(uint64_t number, uint32_t node);
uint64_t mmi_endings_end(void);
uint64_t mmi_endings_lost(void);

#endif
