/* SPDX-License-Identifier: MIT */
/*
 * Tables of items that are found by a parent's number and a key: the nodes of
 * the calling-context trie, and the cells below them.
 *
 * The hash grows by levels: when a level is full a larger one takes the new
 * items, and the old ones stay.  Nothing is rehashed, so nobody waits.
 */
#ifndef MEMMON_TRIE_H
#define MEMMON_TRIE_H

#include "monitor/base/arena.h"
#include "monitor/base/thread.h"

/* What an item begins with. */
struct mmi_item {
	uint64_t key; /* 0: this item isn't used */
	uint32_t parent;
	uint32_t next; /* in its hash bucket; 0 ends the list */
};

#define MMI_TRIE_LEVELS 5u

/*
 * Item 0 is never handed out: items.used starts at `batch', the number of items
 * that a thread takes at a time, for its struct mmi_batch.
 */
struct mmi_trie {
	struct mmi_array items;
	uint32_t *level[MMI_TRIE_LEVELS];
	unsigned top; /* atomic: newest level */
	uint32_t batch;
};

/* Buckets of level l: 4 Ki, 32 Ki ... 16 Mi. */
#define MMI_TRIE_SHIFT(l) (12u + 3u * (l))

/*
 * The number of the item (parent, key), made now, from b, if there is none; 0:
 * no memory; memory that is tight is only for those that are needed (`must').
 * `absent': it is known not to be there.  key isn't 0.  *made tells whether it
 * is new.  Two threads that make the same item at the same moment may get two,
 * which mean the same.  ctx: hook.
 */
uint32_t mmi_trie_intern(struct mmi_trie *t, struct mmi_batch *b,
			 uint32_t parent, uint64_t key, bool must, bool absent,
			 bool *made);

/* The same, 0 if there is none.  ctx: hook. */
uint32_t mmi_trie_find(const struct mmi_trie *t, uint32_t parent, uint64_t key);

/* Forget all items: they stay, but aren't found any more.  ctx: fork. */
void mmi_trie_clear(struct mmi_trie *t);

#endif
