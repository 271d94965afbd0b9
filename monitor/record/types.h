/* SPDX-License-Identifier: MIT */
/*
 * Types that the program gives to blocks.  A typed block is counted in a cell
 * of its type's node, which is below the node of its call path.
 */
#ifndef MEMMON_TYPES_H
#define MEMMON_TYPES_H

#include "monitor/base/emit.h"
#include "monitor/chain/sites.h"

/* Is this the node of a type? */
static inline bool
mmi_types_is(const struct mmi_node *n)
{
	return n->item.key >= MONOUT_PC_TYPE;
}

/*
 * The key of the node of a type, made if none has that name and size; 0: there
 * are too many types, or memory is used up.  ctx: hook.
 */
uint64_t mmi_types_key(struct mmi_thread *t, const char *name, uint64_t size);

extern uint32_t mmi_types_n; /* atomic: how many there are */

/*
 * The key of the type of an entry's block; 0: no type, or not counted any more.
 */
uint64_t mmi_types_of(uint64_t entry);

/*
 * Gives the block at p the type with this key; 0: a type that wasn't stored for
 * lack of room.  False: it failed, which is counted if p is a block.  ctx:
 * hook.
 */
bool mmi_types_give(struct mmi_thread *t, const void *p, uint64_t key);

/* Writes the table; returns its number of items.  ctx: exit. */
uint64_t mmi_types_put(struct mmi_emit *o);

/* Copies all types into the image, which was just made.  ctx: init, slow. */
void mmi_types_share(void);

#endif
