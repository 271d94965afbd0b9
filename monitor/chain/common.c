/* SPDX-License-Identifier: MIT */
/* How many frames a call path has in common with the one before. */
#include "monitor/chain/sites.h"

/* How many outer frames two nodes have in common. */
static COLD uint32_t
pair_common(uint32_t a, uint32_t b)
{
	const struct mmi_node *x = mmi_sites_node(a), *y = mmi_sites_node(b);

	while (a && b && a != b) {
		bool up = x->depth >= y->depth;

		if (x->depth <= y->depth) {
			b = y->item.parent;
			y = mmi_sites_node(b);
		}
		if (up) {
			a = x->item.parent;
			x = mmi_sites_node(a);
		}
	}
	return a == b && a ? x->depth : 0;
}

void
mmi_sites_count(struct mmi_thread *t, uint32_t node)
{
	uint32_t last = t->last_node;
	uint64_t h = (last * 0x9e3779b1u ^ node) * 0x85ebca6bu;
	struct mmi_pair_cache *c = &t->pairs[h >> 20 & (MMI_PAIR_CACHE - 1)];
	unsigned depth = mmi_sites_node(node)->depth;

	t->pub->count.chains++;
	t->pub->count.frames += depth;
	if (node == last) {
		t->pub->count.same += depth;
		return;
	}
	if (UNLIKELY(c->one != last || c->other != node)) {
		c->one = last;
		c->other = node;
		c->common = last ? pair_common(last, node) : 0;
	}
	t->pub->count.same += c->common;
}
