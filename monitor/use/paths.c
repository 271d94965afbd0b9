/* SPDX-License-Identifier: MIT */
/* Partial call paths: found by a hash of their elements. */
#include "monitor/use/paths.h"

#include "monitor/chain/fold.h"
#include "monitor/chain/node.h"

#define PATHS_MAX (1u << 22)
#define PATHS_SHIFT 7u
static void *paths_dir[PATHS_MAX >> PATHS_SHIFT];
static uint64_t first_level[1u << MMI_TRIE_SHIFT(0)];

static struct mmi_trie paths = {
	.items = {
		.chunk = paths_dir,
		.chunks = PATHS_MAX >> PATHS_SHIFT,
		.shift = PATHS_SHIFT,
		.size = sizeof(struct mmi_path),
		.used = 1,
	},
	.level = { first_level },
	.batch = 1,
};

bool mmi_paths_whole;

static inline uint64_t
mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ (b << 27 | b >> 37)) * 0x9e3779b97f4a7c15ull;

	h = (h ^ h >> 31) * 0xbf58476d1ce4e5b9ull;
	return (h ^ h >> 29) + b;
}

/* How many frames, from the innermost on, are searched for recursion. */
#define LOOK 64u

/* The innermost frames of a call path, and the node outside them. */
struct inner {
	uint32_t n, outer;
	uint64_t key[LOOK];
	uint32_t function[LOOK];
};

static void
inner_read(struct inner *in, uint32_t node)
{
	const struct mmi_node *n;

	in->n = 0;
	for (; node && in->n < LOOK; node = n->item.parent) {
		n = mmi_sites_node(node);
		if (!mmi_key_is_frame(n->item.key))
			break;
		in->key[in->n] = n->item.key;
		in->function[in->n++] = mmi_fold_function(n->item.key, true);
	}
	in->outer = node;
}

/*
 * The outer end of the element that contains frame k.  A cycle ends with the
 * outermost frame of any function in it.
 */
static uint32_t
element_end(const struct inner *in, uint32_t k)
{
	uint32_t end = k;

	for (uint32_t i = k; i <= end; i++)
		for (uint32_t j = in->n - 1; j > end; j--)
			if (in->function[j] == in->function[i])
				end = j;
	return end;
}

/*
 * The key of a path: its `most' innermost elements, and whether there are more
 * outside them.  It has 63 bits, so two different paths get the same key once
 * in some 10^9 programs.  Never 0.
 */
static uint64_t
inner_key(const struct inner *in, uint64_t type, uint32_t most)
{
	uint64_t key = type;
	uint32_t k = 0, end;

	for (uint32_t n = 0; n < most && k < in->n; n++, k = end + 1) {
		end = element_end(in, k);
		key = mix(key, in->key[k]);
		if (end > k)
			key = mix(key, in->function[end]);
	}
	if (k < in->n)
		key = mix(key, 1);
	else if (in->outer)
		key = mix(key, in->n == LOOK
				       ? 1
				       : mmi_sites_node(in->outer)->item.key);
	return key | 1ull << 63;
}

/* The key of a whole call path. */
static uint64_t
whole_key(uint32_t node)
{
	uint64_t key = 0;

	for (; node; node = mmi_sites_node(node)->item.parent)
		key = mix(key, mmi_sites_node(node)->item.key);
	return key | 1ull << 63;
}

static uint32_t
path_find(uint64_t key)
{
	return mmi_trie_find(&paths, mmi_shared.cells_first, key);
}

static uint32_t
path_intern(uint64_t key)
{
	struct mmi_batch one = { 0, 0 };
	bool made;

	return mmi_trie_intern(&paths, &one, mmi_shared.cells_first, key, false,
			       false, &made);
}

static uint32_t before; /* atomic: paths from before a fork or a reset */

/* May there be one more path with this many elements? */
static bool
has_room(uint32_t elements)
{
	uint32_t n = mmi_paths_count() - LOAD(&before);

	return elements == 1 ||
	       n < MMI_PATHS_MOST - MMI_PATHS_MOST / 16 * elements;
}

/*
 * The longest partial path that exists for the call path or may be made; 0: no
 * memory.
 */
static uint32_t
path_make(uint32_t node)
{
	struct inner in;
	uint64_t type = 0, key;
	uint32_t i;

	if (mmi_paths_whole)
		return path_intern(whole_key(node));
	key = mmi_sites_node(node)->item.key;
	if (key >= MONOUT_PC_TYPE) {
		type = key;
		node = mmi_sites_node(node)->item.parent;
	}
	inner_read(&in, node);
	for (uint32_t most = MMI_PATHS_ELEMENTS; most; most /= 2) {
		key = inner_key(&in, type, most);
		i = path_find(key);
		if (i || has_room(most))
			return i ? i : path_intern(key);
	}
	return 0;
}

/* The path, or 0 if it is from before a fork or a reset. */
static inline uint32_t
path_now(uint32_t i)
{
	return i && mmi_paths_at(i)->item.parent == mmi_shared.cells_first ? i
									   : 0;
}

/* The path that any thread sets first stays. */
uint32_t
mmi_paths_of(uint32_t node)
{
	uint32_t *at = &mmi_sites_node(node)->path, was = LOAD_ACQ(at);
	uint32_t i = path_now(was);

	if (i)
		return i;
	i = path_make(node);
	if (!i || CAS(at, &was, i))
		return i;
	return path_now(was);
}

uint32_t
mmi_paths_find(uint32_t node)
{
	return path_now(LOAD_ACQ(&mmi_sites_node(node)->path));
}

struct mmi_path *
mmi_paths_at(uint32_t i)
{
	return mmi_array_at(&paths.items, i);
}

uint32_t
mmi_paths_count(void)
{
	return LOAD_ACQ(&paths.items.used) - 1;
}

void
mmi_paths_reset(void)
{
	STORE(&before, mmi_paths_count());
}

void
mmi_paths_fork(void)
{
	mmi_paths_reset();
	mmi_trie_fork(&paths);
}
