/* SPDX-License-Identifier: MIT */
/*
 * Partial call paths, by which statistics of use are kept: the innermost
 * elements of a chain, as reports print it, which are functions' frames and
 * cycles.  All chains that end with the same ones, and are of the same type,
 * are of one path.  New ones have fewer elements once there are many of them.
 */
#ifndef MEMMON_USE_PATHS_H
#define MEMMON_USE_PATHS_H

#include "monitor/chain/trie.h"

/* .parent: since when, .key: its elements, .to, atomic: newest of its uses. */
struct mmi_path {
	struct mmi_item item;
	/* Of the sites in the file that is written, which has this number. */
	uint64_t allocs, bytes;
	uint64_t site; /* the first of them, and its node */
	uint32_t node;
	uint32_t file;
	uint32_t handed; /* atomic: blocks may have been that weren't seen */
	uint32_t unused;
};

/* Elements of a path; about how many paths there may be. */
#define MMI_PATHS_ELEMENTS 8u
#define MMI_PATHS_MOST 4096u

/* Each chain is a path of its own.  ctx of setting it: init. */
extern bool mmi_paths_whole;

/*
 * The number of the path of a chain, whose node that is; 0: there is no memory.
 * And if it is there already; 0: it isn't.  Of before a fork or a reset are
 * others.  ctx: hook.
 */
uint32_t mmi_paths_of(uint32_t node);
uint32_t mmi_paths_find(uint32_t node);

/* Path i, of those that were given; how many numbers those are.  ctx: any. */
struct mmi_path *mmi_paths_at(uint32_t i);
uint32_t mmi_paths_count(void);

/* There is room for new ones.  ctx: any; of the second: fork. */
void mmi_paths_reset(void);
void mmi_paths_fork(void);

#endif
