/* SPDX-License-Identifier: MIT */
/* The nodes of the calling-context trie. */
#ifndef MEMMON_NODE_H
#define MEMMON_NODE_H

#include "monitor/chain/trie.h"

/* Node 0 is the root: parent of the outermost frames. */
struct mmi_node {
	/* .key 0: not used; .to, atomic: newest of its cells; 0: none. */
	struct mmi_item item;
	uint32_t depth : 22;  /* frames from here outwards */
	uint32_t cut : 1;     /* is the outermost MONOUT_PC_CUT? */
	uint32_t limited : 1; /* is the outermost MONOUT_PC_LIMIT? */
	uint32_t logged : 8;  /* in the image of this number; see image.h */
	uint32_t function;    /* of its frame, see fold.h; 0: not known yet */
	uint32_t entry;	      /* start of the cycle that it ends; 0: no cycle */
	uint32_t variants;    /* atomic: of cycles that begin here */
	uint32_t folded;      /* node of the folded path; 0: not known */
	uint32_t children;    /* atomic: see mmi_node_may_have() */
#ifdef MEMMON_ACCESS
	uint32_t path; /* atomic: partial path, see use/paths.h; 0: none */
#endif
};

/* Nodes are numbered below this. */
#define MMI_SITES_MAX (1u << 26)

/*
 * At most this many nodes are made for frames.  Call paths are whole while
 * there are fewer than seven eighths of it.  Later new call paths only keep
 * their innermost frames, below MONOUT_PC_LIMIT, and fewer and fewer of them.
 */
#define MMI_SITES_LIMIT 65536u
extern HIDDEN uint32_t mmi_sites_limit;

/*
 * One in MMI_SITES_TYPED of these nodes may be a type's, and one more for each
 * thread; two in five if all blocks have types.
 */
#define MMI_SITES_TYPED 10u
extern HIDDEN uint32_t mmi_sites_all_typed; /* 4, or 1: not all blocks have
					     * types */

#define MMI_SITES_SHIFT 10u
extern void *mmi_sites_dir[MMI_SITES_MAX >> MMI_SITES_SHIFT];

/* Node i, from 1, if it was made.  ctx: any. */
static inline struct mmi_node *
mmi_sites_node(uint32_t i)
{
	struct mmi_node *n = LOAD_ACQ(&mmi_sites_dir[i >> MMI_SITES_SHIFT]);

	return n + (i & ((1u << MMI_SITES_SHIFT) - 1));
}

/*
 * will_have: node i, or the root, is about to get a child with that key.
 * may_have: false: it has no such child; true: it may have one.  In most cases
 * without a child this saves the search of a table.  ctx: hook.
 */
static inline void
mmi_node_will_have(uint32_t i, uint64_t key)
{
	uint32_t *children = i ? &mmi_sites_node(i)->children : NULL;
	uint32_t bit = 1u << (key * 0x9e3779b97f4a7c15ull >> 59);

	if (children && !(LOAD(children) & bit))
		__atomic_fetch_or(children, bit, __ATOMIC_ACQ_REL);
}

static inline bool
mmi_node_may_have(uint32_t i, uint64_t key)
{
	uint32_t bit = 1u << (key * 0x9e3779b97f4a7c15ull >> 59);

	return !i || LOAD_ACQ(&mmi_sites_node(i)->children) & bit;
}

/* How many numbers were given out; some may be unused.  ctx: any. */
uint32_t mmi_sites_nodes(void);

/* Is it a frame's key, and not a type or why a call path begins there? */
static inline bool
mmi_key_is_frame(uint64_t key)
{
	return MONOUT_IS_PC(key);
}

#endif
