/* SPDX-License-Identifier: MIT */
/*
 * The calling-context trie.  A node is (parent, key), made once; a site is a
 * node at which something was allocated.  Only the cells of a site have counts:
 * an event changes one cell, at any depth.
 */
#ifndef MEMMON_SITES_H
#define MEMMON_SITES_H

#include "monitor/chain/node.h"

/*
 * The node of the call path that mmi_unwind() returned.  Without memory for new
 * nodes it is the node of the innermost frame alone, below MONOUT_PC_NONE, or
 * MONOUT_PC_NONE itself; 0: that doesn't exist either.  If a cached frame has
 * its node already, the call is unnecessary.  ctx: hook.
 */
uint32_t mmi_sites_node_of(struct mmi_thread *t, struct mmi_frame *s);

/*
 * The node of a key below another node, or (0) below the root: that of a call
 * path with one more frame.  0: no memory, or no room.  ctx: hook.
 */
uint32_t mmi_sites_step(struct mmi_thread *t, uint32_t node, uint64_t key);

/*
 * The node of blocks that were allocated at `node' and have the type of a key;
 * 0: no memory, or too many types' nodes, see MMI_SITES_TYPED.  ctx: hook.
 */
uint32_t mmi_sites_typed(struct mmi_thread *t, uint32_t node, uint64_t type);

/* Can there be more nodes of types?  ctx: any. */
bool mmi_sites_more_types(void);

/*
 * Counts the frames of a call path that ends in a node, and how many of them
 * the call path of t->last_node had, too.  Defined in common.c.  ctx: hook.
 */
void mmi_sites_count(struct mmi_thread *t, uint32_t node);

/* Adds the node and all nodes outside it to the image.  ctx: slow. */
void mmi_sites_log(uint32_t node);

/* No node is in the image any more.  ctx: fork, slow. */
void mmi_sites_unlog(void);

/* No node has cells any more.  ctx: fork. */
void mmi_sites_fork(void);

/*
 * No node has cells below `first' any more; threads run meanwhile.  ctx: any.
 */
void mmi_sites_reset(uint32_t first);

#endif
