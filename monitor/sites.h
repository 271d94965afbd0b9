/* SPDX-License-Identifier: MIT */
/*
 * The calling-context trie and the counts at its sites.
 *
 * A node is (parent, key), made once and found again by hash; a site is a node
 * at which something was allocated.  Counts stand at the site alone: an event
 * costs the same at any depth.
 */
#ifndef MEMMON_SITES_H
#define MEMMON_SITES_H

#include "monitor/internal.h"

/* Node 0 is the root: parent of the outermost frames. */
struct mmi_node {
	uint64_t key; /* 0: this entry isn't used */
	uint32_t parent;
	uint32_t next; /* in its hash bucket; 0 ends the list */
	uint32_t site; /* atomic: from 1; 0 nothing allocated here */
	uint32_t unused;
};

/* Counts of one site and class; each is only ever added to, atomically. */
struct mmi_site_count {
	uint64_t allocs, bytes, frees, freed;
};

struct mmi_site {
	uint32_t node; /* 0: this entry isn't used */
	uint32_t unused;
	uint64_t reallocs;
	struct mmi_site_count count[MONOUT_NCLASS];
};

/*
 * The site of the chain in t->chain (n keys, innermost first), through the
 * cache of the thread's last chain; 0 when there is no memory.  `why' is 0 or a
 * MONOUT_PC_* that stands outside of the outermost frame.  Cost: one comparison
 * a frame for what equals the last chain, a hash lookup for each frame that
 * doesn't.  ctx: hook.
 */
uint32_t mmi_sites_intern(struct mmi_thread *t, unsigned n, unsigned why);

/* Site s, from 1.  Never NULL for a number that mmi_sites_intern() gave. */
struct mmi_site *mmi_sites_at(uint32_t s);

/* How many numbers of sites and nodes were given; some may be unused. */
uint32_t mmi_sites_count(void);
uint32_t mmi_sites_nodes(void);

/* Node i, from 1; NULL when it has no memory.  ctx: any. */
const struct mmi_node *mmi_sites_node(uint32_t i);

/*
 * *p += v.  Returns what it was.  A thread that is alone needs no bus lock.
 * ctx: hook.
 */
uint64_t mmi_sites_add(uint64_t *p, uint64_t v);

/* All counts to zero, for the child.  ctx: fork. */
void mmi_sites_fork(void);

#endif
