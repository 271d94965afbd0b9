/* SPDX-License-Identifier: MIT */
/* Partial call paths: found by a hash of their frames. */
#include "monitor/use/paths.h"

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

uint32_t mmi_paths_frames = MONOUT_USE_FRAMES;

static inline uint64_t
mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ (b << 27 | b >> 37)) * 0x9e3779b97f4a7c15ull;

	h = (h ^ h >> 31) * 0xbf58476d1ce4e5b9ull;
	return (h ^ h >> 29) + b;
}

/*
 * What tells the path of a node's chain from others, not 0.  Of 63 bits, so two
 * that differ are one once in some 10^9 programs.
 */
static uint64_t
path_key(uint32_t node)
{
	const struct mmi_node *n;
	uint64_t key = 0;

	for (uint32_t k = 0; node; node = n->item.parent) {
		n = mmi_sites_node(node);
		if (mmi_key_is_frame(n->item.key) && k++ == mmi_paths_frames &&
		    mmi_paths_frames)
			break;
		key = mix(key, n->item.key);
	}
	return key | 1ull << 63;
}

uint32_t
mmi_paths_of(uint32_t node)
{
	struct mmi_batch one = { 0, 0 };
	bool made;

	return mmi_trie_intern(&paths, &one, mmi_shared.cells_first,
			       path_key(node), false, false, &made);
}

uint32_t
mmi_paths_find(uint32_t node)
{
	return mmi_trie_find(&paths, mmi_shared.cells_first, path_key(node));
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

bool
mmi_paths_now(const struct mmi_path *p)
{
	return LOAD(&p->item.key) &&
	       LOAD(&p->item.parent) == mmi_shared.cells_first;
}

void
mmi_paths_fork(void)
{
	mmi_trie_fork(&paths);
}
