/* SPDX-License-Identifier: MIT */
/*
 * Partial call paths: the innermost frames of a chain, by which statistics of
 * use are kept.  All chains that end with the same mmi_paths_frames frames, and
 * are of the same type, are of one path.
 */
#ifndef MEMMON_USE_PATHS_H
#define MEMMON_USE_PATHS_H

#include "monitor/chain/trie.h"

/* .parent: since when, .key: its frames, .to, atomic: newest of its uses. */
struct mmi_path {
	struct mmi_item item;
	/* Of the sites in the file that is written, which has this number. */
	uint64_t allocs, bytes;
	uint64_t site; /* the first of them, and its node */
	uint32_t node;
	uint32_t file;
};

/* How many frames tell paths apart; 0: all.  ctx of setting it: init. */
extern uint32_t mmi_paths_frames;

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

/* Is it none of before a fork or a reset?  ctx: any. */
bool mmi_paths_now(const struct mmi_path *p);

/* mmi_trie_fork() of them. */
void mmi_paths_fork(void);

#endif
