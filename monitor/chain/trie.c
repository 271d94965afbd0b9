/* SPDX-License-Identifier: MIT */
/* Items found by parent and key. */
#include "monitor/chain/trie.h"

#include <string.h>

static inline uint64_t
item_hash(uint32_t parent, uint64_t key)
{
	uint64_t h = (key ^ (uint64_t)parent << 40) * 0x9e3779b97f4a7c15ull;

	h ^= h >> 29;
	return (h + parent) * 0xbf58476d1ce4e5b9ull;
}

/* In one bucket, from item i to item `stop', which isn't looked at. */
static inline uint32_t
bucket_find(const struct mmi_trie *t, uint32_t i, uint32_t stop,
	    uint32_t parent, uint64_t key)
{
	while (i != stop) {
		const struct mmi_item *n = mmi_array_at(&t->items, i);

		if (n->key == key && n->parent == parent)
			return i;
		i = n->next;
	}
	return 0;
}

/* Start a new level when the newest has two items a bucket. */
static COLD void
level_grow(struct mmi_trie *t, unsigned l)
{
	uint32_t *mine, *seen = NULL;
	size_t size;

	if (l + 1 == MMI_TRIE_LEVELS)
		return;
	size = sizeof(uint32_t) << MMI_TRIE_SHIFT(l + 1);
	mine = mmi_arena_map(size);
	if (!mine)
		return;
	if (!CAS(&t->level[l + 1], &seen, mine))
		mmi_arena_unmap(mine, size);
	CAS(&t->top, &l, l + 1);
}

/* A number for a new item, and the item; NULL: no memory. */
static struct mmi_item *
item_take(struct mmi_trie *t, struct mmi_batch *b, uint32_t *i)
{
	if (b->next == b->end) {
		if (!mmi_array_add_many(&t->items, t->batch, &b->next))
			return NULL;
		b->end = b->next + t->batch;
	}
	*i = b->next++;
	return mmi_array_at(&t->items, *i);
}

/* A new item, in the newest level; 0: no memory. */
static COLD uint32_t
item_add(struct mmi_trie *t, struct mmi_batch *b, uint32_t parent, uint64_t key,
	 uint64_t hash, bool *made)
{
	unsigned l = LOAD_ACQ(&t->top);
	uint32_t *bucket, head, i, twin;
	struct mmi_item *n;

	bucket = &LOAD_ACQ(&t->level[l])[hash >> (64 - MMI_TRIE_SHIFT(l))];
	head = LOAD_ACQ(bucket);
	twin = bucket_find(t, head, 0, parent, key);
	if (UNLIKELY(twin))
		return twin;
	n = item_take(t, b, &i);
	if (!n)
		return 0;
	n->key = key;
	n->parent = parent;
	STORE(&n->next, head);
	while (!CAS(bucket, &head, i)) {
		/* Somebody may have been quicker; then ours is for later. */
		twin = bucket_find(t, head, n->next, parent, key);
		if (UNLIKELY(twin)) {
			STORE(&n->key, 0);
			b->next--;
			return twin;
		}
		STORE(&n->next, head);
	}
	*made = true;
	if (UNLIKELY(i >> MMI_TRIE_SHIFT(l) >= 2))
		level_grow(t, l);
	return i;
}

static inline uint32_t
item_find(const struct mmi_trie *t, uint32_t parent, uint64_t key,
	  uint64_t hash)
{
	unsigned l = LOAD_ACQ(&t->top) + 1;
	uint32_t i = 0, *first;

	while (!i && l-- > 0) {
		first = LOAD_ACQ(&t->level[l]);
		i = bucket_find(
			t, LOAD_ACQ(&first[hash >> (64 - MMI_TRIE_SHIFT(l))]),
			0, parent, key);
	}
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
	for (unsigned l = 0; l <= t->top; l++)
		memset(t->level[l], 0, sizeof(uint32_t) << MMI_TRIE_SHIFT(l));
}
