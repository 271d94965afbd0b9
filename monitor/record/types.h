/* SPDX-License-Identifier: MIT */
/*
 * Types that the program gives to blocks.  A typed block is counted in a cell
 * of a node of its own, below the node of its chain: the type's.
 */
#ifndef MEMMON_TYPES_H
#define MEMMON_TYPES_H

#include "monitor/base/emit.h"
#include "monitor/chain/sites.h"

/* Is it a type's node? */
static inline bool
mmi_types_is(const struct mmi_node *n)
{
	return n->item.key >= MONOUT_PC_TYPE;
}

/*
 * The key of a type's node, made when there is none of that name and size; 0:
 * there are too many, or there is no memory.  ctx: hook.
 */
uint64_t mmi_types_key(struct mmi_thread *t, const char *name, uint64_t size);

extern uint32_t mmi_types_n; /* atomic: how many there are */

/* The key of the type of an entry's block; 0: none, or not counted any more. */
uint64_t mmi_types_of(uint64_t entry);

/*
 * The block at p is of the type of a key; key 0: of one that there was no room
 * for.  False: it isn't, which is counted if it is a block.  ctx: hook.
 */
bool mmi_types_give(struct mmi_thread *t, const void *p, uint64_t key);

/* Write the table; how many items it has.  ctx: exit. */
uint64_t mmi_types_put(struct mmi_emit *o);

/* All go into the image that was just made.  ctx: init, slow. */
void mmi_types_share(void);

#endif
