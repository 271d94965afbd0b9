/* SPDX-License-Identifier: MIT */
/* Items that are found by parent and key. */
#include "monitor/chain/trie.h"

#include <string.h>

/*
 * A hash of 32 bits, as the upper half of the result.  Its upper bits select
 * the first slot, its lower bits tell the item from others.
 */
static inline uint64_t
item_hash(uint32_t parent, uint64_t key)
{
	uint64_t h = (key ^ (uint64_t)parent << 40) * 0x9e3779b97f4a7c15ull;

	h ^= h >> 29;
	return (h + parent) * 0xbf58476d1ce4e5b9ull >> 32 << 32;
}

/*
 * Searches one level for the item with the parent and key of *is; returns its
 * number or 0.  If 0, *slot is the place for it: the slot of an item that is
 * nowhere, or the first empty slot; NULL: no such slot.  *in is the slot's
 * content.  Reads *is only if a slot has this hash.
 */
static inline uint32_t
level_find(const struct mmi_trie *t, unsigned l, const struct mmi_item *is,
	   uint64_t hash, uint64_t **slot, uint64_t *in)
{
	uint64_t *first = LOAD_ACQ(&t->level[l]), *left = NULL, v;
	uint32_t mask = (1u << MMI_TRIE_SHIFT(l)) - 1;
	uint32_t at = (uint32_t)(hash >> (64 - MMI_TRIE_SHIFT(l)));
	const struct mmi_item *n;

	*in = 0;
	for (uint32_t k = 0; k < MMI_TRIE_PROBES; k++) {
		*slot = &first[(at + k) & mask];
		v = LOAD_ACQ(*slot);
		if (!v)
			break;
		if ((v ^ hash) >> 32)
			continue;
		n = mmi_array_at(&t->items, (uint32_t)v);
		if (LIKELY(n->key == is->key && n->parent == is->parent))
			return (uint32_t)v;
		if (n->key == is->key && mmi_trie_is_nowhere(n) && !left) {
			left = *slot;
			*in = v;
		}
	}
	if (UNLIKELY(left))
		*slot = left;
	else if (v)
		*slot = NULL;
	return 0;
}

/* A number for a new item, and the item; NULL: no memory. */
static struct mmi_item *
item_take(struct mmi_trie *t, struct mmi_batch *b, uint32_t *i)
{
	uint32_t n;

	/* In this order: the batch is empty until both are new. */
	if (b->next >= b->end) {
		if (!mmi_array_add_many(&t->items, t->batch, &n))
			return NULL;
		STORE(&b->next, n);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		STORE(&b->end, n + t->batch);
	}
	*i = b->next++;
	return mmi_array_at(&t->items, *i);
}

/*
 * Puts item i into the newest level, unless that has the item already, or
 * another thread's item with the same key.  Returns the number of the item in
 * the level; 0: all its slots are full.  *put: a slot has item i now, perhaps
 * in an older level.  moves: i is in an older level; it is then moved without
 * being read, because that would be slow.
 */
static uint32_t
item_put(struct mmi_trie *t, uint32_t i, uint64_t hash, bool moves, bool *put)
{
	const struct mmi_item *is = mmi_array_at(&t->items, i);
	uint64_t *slot, *older, in, other;
	unsigned l, bottom;
	uint32_t twin;

	for (;;) {
		bottom = LOAD_ACQ(&t->bottom);
		l = LOAD_ACQ(&t->top);
		twin = level_find(t, l, is, hash, &slot, &in);
		/* It may have been added since the search. */
		for (unsigned k = l; !moves && !twin && k > bottom;)
			twin = level_find(t, --k, is, hash, &older, &other);
		if (twin || !slot)
			return twin;
		if (!CAS(slot, &in, hash | i))
			continue;
		*put = moves = true;
		/* A thread that moves the level now may be past the slot. */
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		if (LIKELY(LOAD(&t->top) == l))
			return i;
	}
}

/* Moves all items of level l to the newest. */
static void
level_move(struct mmi_trie *t, unsigned l)
{
	uint64_t v;
	bool put;

	for (uint32_t k = 0; k >> MMI_TRIE_SHIFT(l) == 0; k++) {
		v = LOAD_ACQ(&t->level[l][k]);
		if (v)
			item_put(t, (uint32_t)v, v >> 32 << 32, true, &put);
	}
}

/*
 * Makes the next level the oldest, and the old level all 0, for threads that
 * read it.  Several threads may do it, because one may be held up for long.
 */
static void
level_leave(struct mmi_trie *t, unsigned l)
{
	size_t size = sizeof(uint64_t) << MMI_TRIE_SHIFT(l);
	unsigned was = l;

	level_move(t, l);
	if (CAS(&t->bottom, &was, l + 1) && l)
		mmi_arena_empty(t->level[l], size);
}

/*
 * Starts a new level after level l.  A thread that is putting an item into the
 * old level sees the new one afterwards and puts the item there, too; or the
 * item is found and moved.  False: no memory for a level.
 */
static COLD bool
level_grow(struct mmi_trie *t, unsigned l)
{
	uint64_t *mine, *seen = NULL;
	unsigned bottom, was = l;
	size_t size;
	bool first;

	/* The thread that moves an older level may have been stopped all this
	 * time. */
	while ((bottom = LOAD_ACQ(&t->bottom)) < l)
		level_leave(t, bottom);
	if (LOAD(&t->top) != l)
		return true;
	if (l + 1 == MMI_TRIE_LEVELS)
		return false;
	size = sizeof(uint64_t) << MMI_TRIE_SHIFT(l + 1);
	mine = mmi_arena_map(size);
	if (!mine)
		return false;
	first = CAS(&t->level[l + 1], &seen, mine);
	if (!first)
		mmi_arena_unmap(mine, size);
	CAS(&t->top, &was, l + 1);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (first)
		level_leave(t, l);
	return true;
}

void
mmi_trie_fork(struct mmi_trie *t)
{
	if (t->bottom < t->top)
		level_leave(t, t->bottom);
}

/* Adds a new item to the newest level; 0: no memory. */
static COLD uint32_t
item_add(struct mmi_trie *t, struct mmi_batch *b, uint32_t parent, uint64_t key,
	 uint64_t hash, bool *made)
{
	struct mmi_item *n;
	uint32_t i, is;
	unsigned l = LOAD_ACQ(&t->top);
	bool put = false;

	n = item_take(t, b, &i);
	if (!n)
		return 0;
	if (UNLIKELY((i - t->from) >> (MMI_TRIE_SHIFT(l) - 2) >= 3))
		level_grow(t, l);
	STORE(&n->key, key);
	STORE(&n->parent, parent);
	while (!(is = item_put(t, i, hash, false, &put)) &&
	       level_grow(t, LOAD_ACQ(&t->top)))
		;
	*made = is == i;
	if (!*made) {
		STORE(&n->key, 0);
		/* Reuse the number later, if no other thread can have seen
		 * it. */
		b->next -= !put;
	}
	return is;
}

static inline uint32_t
item_find(const struct mmi_trie *t, uint32_t parent, uint64_t key,
	  uint64_t hash)
{
	unsigned bottom = LOAD_ACQ(&t->bottom), l = LOAD_ACQ(&t->top);
	const struct mmi_item is = { .parent = parent, .key = key };
	uint64_t *slot, in;
	uint32_t i = level_find(t, l, &is, hash, &slot, &in);

	while (UNLIKELY(!i && l > bottom))
		i = level_find(t, --l, &is, hash, &slot, &in);
	return i;
}

uint32_t
mmi_trie_find(const struct mmi_trie *t, uint32_t parent, uint64_t key)
{
	return item_find(t, parent, key, item_hash(parent, key));
}

uint32_t
mmi_trie_intern(struct mmi_trie *t, struct mmi_batch *b, uint32_t parent,
		uint64_t key, bool must, bool absent, bool *made)
{
	uint64_t hash = item_hash(parent, key);
	uint32_t i;

	*made = false;
	i = absent ? 0 : item_find(t, parent, key, hash);
	if (i)
		return i;
	if (UNLIKELY(!must && mmi_arena_tight()))
		return 0;
	return item_add(t, b, parent, key, hash, made);
}

void
mmi_trie_clear(struct mmi_trie *t)
{
	for (unsigned l = t->bottom; l <= t->top; l++)
		memset(t->level[l], 0, sizeof(uint64_t) << MMI_TRIE_SHIFT(l));
	t->from = t->items.used;
}
