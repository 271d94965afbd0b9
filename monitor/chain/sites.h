/* SPDX-License-Identifier: MIT */
/*
 * The calling-context trie.  A node is (parent, key), made once; a site is a
 * node at which something was allocated.  Counts stand in the cells of the
 * site alone: at any depth an event changes one of them.
 */
#ifndef MEMMON_SITES_H
#define MEMMON_SITES_H

#include "monitor/chain/node.h"

/*
 * The node of the chain that mmi_unwind() gave.  When there is no memory for
 * new nodes it is the node of the innermost frame alone, below MONOUT_PC_NONE,
 * or of that; 0 when there isn't any for it.  Of a cached frame that has its
 * node already it needn't be asked for again.  ctx: hook.
 */
uint32_t mmi_sites_node_of(struct mmi_thread *t, struct mmi_frame *s);

/*
 * The node of a key below another, or (0) the root: that of a chain of one
 * frame more. 0: no memory, or no room. ctx: hook.
 */
uint32_t mmi_sites_step(struct mmi_thread *t, uint32_t node, uint64_t key);

/*
 * The node of what is allocated at `node' and is of the type of a key; 0: no
 * memory, or there are too many of them, see MMI_SITES_TYPED.  ctx: hook.
 */
uint32_t mmi_sites_typed(struct mmi_thread *t, uint32_t node, uint64_t type);

/* Can there be more of them?  ctx: any. */
bool mmi_sites_more_types(void);

/*
 * Count the frames of a chain that ends in a node, and how many of them the
 * chain of t->last_node had, too.  Defined in common.c.  ctx: hook.
 */
void mmi_sites_count(struct mmi_thread *t, uint32_t node);

/* The node is in the image, and all outside of it.  ctx: slow. */
void mmi_sites_log(uint32_t node);

/* No node is.  ctx: fork, slow. */
void mmi_sites_unlog(void);

/* No node has cells.  ctx: fork. */
void mmi_sites_fork(void);

/* The same of cells below `first', while threads run.  ctx: any. */
void mmi_sites_reset(uint32_t first);

#endif
