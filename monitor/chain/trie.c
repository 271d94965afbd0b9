/* SPDX-License-Identifier: MIT */
/* Items found by parent and key. */
#include "monitor/chain/trie.h"

#include <string.h>

/*
 * Of 32 bits, the upper ones of what is returned.  Of these in turn the upper
 * ones say where an item is looked for, and the others tell it from others.
 */
static inline uint64_t
item_hash(uint32_t parent, uint64_t key)
{
	uint64_t h = (key ^ (uint64_t)parent << 40) * 0x9e3779b97f4a7c15ull;

	h ^= h >> 29;
	return (h + parent) * 0xbf58476d1ce4e5b9ull >> 32 << 32;
}

/*
 * Of one level: the item of the parent and key that `is' has, or 0, and then
 * *slot is where it may be put: that of one that is nowhere, or the first that
 * has none; what is in it is *in.  NULL if there is none among those in which
 * it may be.  *is is read only where there is one of this hash.
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

	/* In this order: it is empty until both are new. */
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
 * Item i goes into the newest level, unless it is there, or another of the same
 * key, which may be somebody's who was quicker: which of them is; 0: it has no
 * place there.
 * *put becomes true if a slot has it now, perhaps of an older level.  moves: it
 * is in an older one.  That moves it without a look at it, for it is far away.
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
		/* It may have come there since it was looked for. */
		for (unsigned k = l; !moves && !twin && k > bottom;)
			twin = level_find(t, --k, is, hash, &older, &other);
		if (twin || !slot)
			return twin;
		if (!CAS(slot, &in, hash | i))
			continue;
		*put = moves = true;
		/* Who moves the level now may be past the slot. */
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		if (LIKELY(LOAD(&t->top) == l))
			return i;
	}
}

/* All items of level l go into the newest. */
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
 * So the next one is the oldest now; that of before is all 0, for who reads
 * there.  Several threads may do it, as one may be held up in it for long.
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
 * Start a new level after level l.  Who still puts an item into the old one
 * sees the new one afterwards, and puts it there, too; or it is met and moved.
 * False: there is none, for want of memory.
 */
static COLD bool
level_grow(struct mmi_trie *t, unsigned l)
{
	uint64_t *mine, *seen = NULL;
	unsigned bottom, was = l;
	size_t size;
	bool first;

	/* Who moves an older one may not have run for as long as this took. */
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

/* A new item, in the newest level; 0: no memory. */
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
		/* It is for later, if nobody can have met it. */
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
