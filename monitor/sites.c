/* SPDX-License-Identifier: MIT */
/* The calling-context trie. */
#include "monitor/sites.h"

#include <string.h>
#include <sys/single_threaded.h>

#include "monitor/arena.h"
#include "monitor/live.h"

#define NODE_CHUNKS 4096u
#define SITE_CHUNKS 8192u

static void *node_dir[NODE_CHUNKS];
static void *site_dir[SITE_CHUNKS];

/* Index 0 of both is never handed out: `used' starts at 1. */
static struct mmi_array nodes = {
	.chunk = node_dir,
	.chunks = NODE_CHUNKS,
	.shift = 14,
	.size = sizeof(struct mmi_node),
	.used = 1,
};
static struct mmi_array sites = {
	.chunk = site_dir,
	.chunks = SITE_CHUNKS,
	.shift = 10,
	.size = sizeof(struct mmi_site),
	.used = 1,
};

/*
 * The hash grows by levels: when a level is full a larger one takes the new
 * nodes, and the old ones stay.  Nothing is rehashed, so nobody waits.
 */
#define LEVELS 5u
#define LEVEL_SHIFT(l) (12u + 3u * (l)) /* buckets: 4 Ki, 32 Ki ... 16 Mi */

static uint32_t first_level[1u << LEVEL_SHIFT(0)];
static uint32_t *level[LEVELS] = { first_level };
static unsigned top; /* atomic: newest level */

static inline uint64_t
node_hash(uint32_t parent, uint64_t key)
{
	uint64_t h = (key ^ (uint64_t)parent << 40) * 0x9e3779b97f4a7c15ull;

	h ^= h >> 29;
	return (h + parent) * 0xbf58476d1ce4e5b9ull;
}

static inline struct mmi_node *
node_at(uint32_t i)
{
	return mmi_array_at(&nodes, i);
}

/* In one bucket, from entry i to entry `stop', which isn't looked at. */
static inline uint32_t
bucket_find(uint32_t i, uint32_t stop, uint32_t parent, uint64_t key)
{
	while (i != stop) {
		const struct mmi_node *n = node_at(i);

		if (n->key == key && n->parent == parent)
			return i;
		i = n->next;
	}
	return 0;
}

/* Start a new level when the newest has two nodes a bucket. */
static COLD void
level_grow(unsigned l)
{
	uint32_t *mine, *seen = NULL;
	size_t size;

	if (l + 1 == LEVELS)
		return;
	size = sizeof(uint32_t) << LEVEL_SHIFT(l + 1);
	mine = mmi_arena_map(size);
	if (!mine)
		return;
	if (!CAS(&level[l + 1], &seen, mine))
		mmi_arena_unmap(mine, size);
	CAS(&top, &l, l + 1);
}

/* A new node, in the newest level; 0: no memory. */
static COLD uint32_t
node_add(uint32_t parent, uint64_t key, uint64_t hash)
{
	unsigned l = LOAD_ACQ(&top);
	uint32_t *bucket, head, i, twin;
	struct mmi_node *n;

	n = mmi_array_add(&nodes, &i);
	if (!n)
		return 0;
	n->key = key;
	n->parent = parent;
	bucket = &LOAD_ACQ(&level[l])[hash >> (64 - LEVEL_SHIFT(l))];
	head = LOAD_ACQ(bucket);
	do {
		/* Somebody may have been quicker; then ours stays unused. */
		twin = bucket_find(head, n->next, parent, key);
		if (UNLIKELY(twin)) {
			STORE(&n->key, 0);
			return twin;
		}
		STORE(&n->next, head);
	} while (!CAS(bucket, &head, i));
	if (UNLIKELY(i >> LEVEL_SHIFT(l) >= 2))
		level_grow(l);
	return i;
}

static uint32_t
node_intern(uint32_t parent, uint64_t key)
{
	uint64_t hash = node_hash(parent, key);
	unsigned l = LOAD_ACQ(&top) + 1;
	uint32_t i, *b;

	while (l-- > 0) {
		b = LOAD_ACQ(&level[l]);
		i = bucket_find(LOAD_ACQ(&b[hash >> (64 - LEVEL_SHIFT(l))]), 0,
				parent, key);
		if (i)
			return i;
	}
	return node_add(parent, key, hash);
}

/* The site of node i; 0: no memory or too many sites. */
static uint32_t
site_intern(uint32_t i)
{
	struct mmi_node *n = node_at(i);
	uint32_t s = LOAD_ACQ(&n->site), mine;
	struct mmi_site *site;

	if (LIKELY(s))
		return s;
	site = mmi_array_add(&sites, &mine);
	if (!site || mine >= MMI_LIVE_SITES)
		return 0;
	STORE_REL(&site->node, i);
	if (CAS(&n->site, &s, mine))
		return mine;
	STORE(&site->node, 0);
	return s;
}

/* How many of the outermost frames are as in the thread's last chain. */
static inline unsigned
chain_common(const struct mmi_thread *t, unsigned n)
{
	unsigned most = n < t->depth ? n : t->depth;
	unsigned i = 0;

	while (i < most && t->prev_key[i] == t->chain[n - 1 - i])
		i++;
	return i;
}

uint32_t
mmi_sites_intern(struct mmi_thread *t, unsigned n, unsigned why)
{
	uint32_t node;
	unsigned i;

	t->count.frames += n;
	if (n > t->count.deepest)
		t->count.deepest = n;
	if (UNLIKELY(why))
		t->chain[n++] = why;
	i = chain_common(t, n);
	t->count.same += i - (why && i);
	node = i ? t->prev_node[i - 1] : 0;
	t->depth = i;
	for (; i < n; i++) {
		uint64_t key = t->chain[n - 1 - i];

		node = node_intern(node, key);
		if (UNLIKELY(!node))
			return 0;
		t->prev_key[i] = key;
		t->prev_node[i] = node;
		t->depth = i + 1;
	}
	return node ? site_intern(node) : 0;
}

struct mmi_site *
mmi_sites_at(uint32_t s)
{
	return mmi_array_at(&sites, s);
}

uint32_t
mmi_sites_count(void)
{
	return LOAD_ACQ(&sites.used) - 1;
}

uint32_t
mmi_sites_nodes(void)
{
	return LOAD_ACQ(&nodes.used) - 1;
}

const struct mmi_node *
mmi_sites_node(uint32_t i)
{
	return mmi_array_at(&nodes, i);
}

uint64_t
mmi_sites_add(uint64_t *p, uint64_t v)
{
	if (__libc_single_threaded)
		return arch_add_local(p, v);
	return FETCH_ADD(p, v);
}

void
mmi_sites_fork(void)
{
	for (uint32_t s = 1; s <= mmi_sites_count(); s++) {
		struct mmi_site *site = mmi_sites_at(s);

		if (!site)
			continue;
		site->reallocs = 0;
		memset(site->count, 0, sizeof(site->count));
	}
}
