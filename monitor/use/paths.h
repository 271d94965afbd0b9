/* SPDX-License-Identifier: MIT */
/*
 * Partial call paths group the statistics of use: the innermost elements of a
 * call path, as reports print it; elements are functions' frames and cycles.
 * All call paths with the same innermost elements and the same type have one
 * partial path.  New partial paths have fewer elements once there are many.
 */
#ifndef MEMMON_USE_PATHS_H
#define MEMMON_USE_PATHS_H

#include "monitor/chain/trie.h"

/*
 * .parent: mmi_shared.cells_first when it was made, .key: its elements, .to,
 * atomic: the newest of its uses.
 */
struct mmi_path {
	struct mmi_item item;
	/* Totals of its sites in the file that is being written, number
	 * `file'. */
	uint64_t allocs, bytes;
	uint64_t site; /* the first site, and its node */
	uint32_t node;
	uint32_t file;
	uint32_t handed; /* atomic: unrecorded code may have got its blocks
			  * without our seeing it */
	uint32_t unused;
};

/* Most elements of a path; how many paths there may be, roughly. */
#define MMI_PATHS_ELEMENTS 8u
#define MMI_PATHS_MOST 4096u

/* Each whole call path is a path of its own.  ctx of setting it: init. */
extern bool mmi_paths_whole;

/*
 * of: the number of the path for the call path of a node, made if necessary; 0:
 * no memory.  find: its number if it exists; 0: it doesn't.  Paths from before
 * a fork or a reset don't count.  ctx: hook.
 */
uint32_t mmi_paths_of(uint32_t node);
uint32_t mmi_paths_find(uint32_t node);

/* Path i; and how many numbers there are.  ctx: any. */
struct mmi_path *mmi_paths_at(uint32_t i);
uint32_t mmi_paths_count(void);

/* Makes room for new paths.  ctx: any; mmi_paths_fork(): fork. */
void mmi_paths_reset(void);
void mmi_paths_fork(void);

#endif
