/* SPDX-License-Identifier: MIT */
/*
 * Tables of items that are found by a parent's number and a key: the nodes of
 * the calling-context trie, the steps between them, and the cells below them.
 *
 * A slot of the hash has an item's number and half of its hash, so what isn't
 * there mostly costs one cache line, and what is, two.  The hash grows by
 * levels: when a level is three quarters full, a larger one takes its items and
 * the new ones.  Who finds it so moves them; meanwhile others look in both.
 */
#ifndef MEMMON_TRIE_H
#define MEMMON_TRIE_H

#include "monitor/base/arena.h"
#include "monitor/base/thread.h"

/* What an item begins with. */
struct mmi_item {
	uint64_t key; /* 0: this item isn't used */
	uint32_t parent;
	uint32_t to; /* whatever it leads to: see what has it */
};

/*
 * With these bits of its parent, which are no parent's, an item stays, but
 * isn't found any more, and its slot is for the next item of the same parent
 * and key.
 */
#define MMI_TRIE_NOWHERE (63u << 26)

static inline bool
mmi_trie_is_nowhere(const struct mmi_item *n)
{
	return (LOAD(&n->parent) & MMI_TRIE_NOWHERE) == MMI_TRIE_NOWHERE;
}

#define MMI_TRIE_LEVELS 14u

/*
 * Item 0 is never handed out: items.used starts at `batch', the number of items
 * that a thread takes at a time, for its struct mmi_batch.
 */
struct mmi_trie {
	struct mmi_array items;
	uint64_t *level[MMI_TRIE_LEVELS];
	unsigned top;	 /* atomic: newest level */
	unsigned bottom; /* atomic: the oldest that isn't in a newer one */
	uint32_t batch;
	uint32_t from; /* items with lower numbers aren't found */
};

/* Slots of level l: 4 Ki, 8 Ki ... 32 Mi. */
#define MMI_TRIE_SHIFT(l) (12u + (l))

/*
 * An item stands in one of so many slots from its first one on, so that what
 * isn't there costs no more than these where the hash can't grow.  While it can
 * a row of full slots is shorter, but for one item in very many, which makes it
 * grow early.
 */
#define MMI_TRIE_PROBES 512u

/*
 * The number of the item (parent, key), made now, from b, if there is none; 0:
 * no memory, for it or for the hash to grow; memory that is tight is only for
 * those that are needed (`must').  `absent': it is known not to be there.  key
 * isn't 0.  *made: is it new?  Of threads that make the same item at the same
 * moment all get one.  ctx: hook.
 */
uint32_t mmi_trie_intern(struct mmi_trie *t, struct mmi_batch *b,
			 uint32_t parent, uint64_t key, bool must, bool absent,
			 bool *made);

/* The same, 0 if there is none.  ctx: hook. */
uint32_t mmi_trie_find(const struct mmi_trie *t, uint32_t parent, uint64_t key);

/* A level that another thread was moving is moved.  ctx: fork. */
void mmi_trie_fork(struct mmi_trie *t);

/* Forget all items: they stay, but aren't found any more.  ctx: fork. */
void mmi_trie_clear(struct mmi_trie *t);

#endif
