/* SPDX-License-Identifier: MIT */
/*
 * Tables of items that are found by a parent's number and a key: the nodes of
 * the calling-context trie, the steps between them, and the cells below them.
 *
 * A slot of the hash has an item's number and half of its hash.  So a search
 * for an absent item usually reads one cache line, and a search for an existing
 * item two.  The hash grows by levels: when a level is three quarters full, a
 * larger one takes its items and the new ones.  The thread that finds it full
 * moves the items; meanwhile other threads search both levels.
 */
#ifndef MEMMON_TRIE_H
#define MEMMON_TRIE_H

#include "monitor/base/arena.h"
#include "monitor/base/thread.h"

/* Each item begins with this. */
struct mmi_item {
	uint64_t key; /* 0: this item isn't used */
	uint32_t parent;
	uint32_t to; /* another number: see the containing struct */
};

/*
 * No parent has these bits.  An item with them in its parent remains in the
 * table, but isn't found any more, and its slot is free for a new item with the
 * same parent and key.
 */
#define MMI_TRIE_NOWHERE (63u << 26)

static inline bool
mmi_trie_is_nowhere(const struct mmi_item *n)
{
	return (LOAD(&n->parent) & MMI_TRIE_NOWHERE) == MMI_TRIE_NOWHERE;
}

#define MMI_TRIE_LEVELS 14u

/*
 * Item 0 is never used: items.used starts at `batch', the number of items that
 * a thread takes at a time, for its struct mmi_batch.
 */
struct mmi_trie {
	struct mmi_array items;
	uint64_t *level[MMI_TRIE_LEVELS];
	unsigned top;	 /* atomic: newest level */
	unsigned bottom; /* atomic: oldest that is not in a newer one */
	uint32_t batch;
	uint32_t from; /* items with lower numbers aren't found */
};

/* Slots of level l: 4 Ki, 8 Ki ... 32 Mi. */
#define MMI_TRIE_SHIFT(l) (12u + (l))

/*
 * An item is in one of this many slots from its first slot on.  So a search
 * for an absent item costs at most this much even if the hash can't grow.
 * While it can grow, rows of full slots are shorter, except for one item in
 * very many, which makes the hash grow early.
 */
#define MMI_TRIE_PROBES 512u

/*
 * The number of the item (parent, key), made from b if it doesn't exist.  0: no
 * memory for it, or for the hash to grow; if memory is tight, only callers with
 * `must' get memory.  absent: the caller knows that the item doesn't exist.
 * key isn't 0.  *made: is it new?  If threads make the same item at the same
 * time, all get the same number.  ctx: hook.
 */
uint32_t mmi_trie_intern(struct mmi_trie *t, struct mmi_batch *b,
			 uint32_t parent, uint64_t key, bool must, bool absent,
			 bool *made);

/* mmi_trie_intern() that makes nothing: 0 if not found.  ctx: hook. */
uint32_t mmi_trie_find(const struct mmi_trie *t, uint32_t parent, uint64_t key);

/* Finishes the level that another thread was moving.  ctx: fork. */
void mmi_trie_fork(struct mmi_trie *t);

/* Forgets all items: they stay, but aren't found any more.  ctx: fork. */
void mmi_trie_clear(struct mmi_trie *t);

#endif
