/* SPDX-License-Identifier: MIT */
/* The calling-context trie. */
#include "monitor/chain/sites.h"

#include "monitor/base/table.h"
#include "monitor/chain/cached_frames.h"
#include "monitor/chain/fold.h"
#include "monitor/image/image.h"

MMI_TABLE void *mmi_sites_dir[MMI_SITES_MAX >> MMI_SITES_SHIFT];
static uint64_t first_level[1u << MMI_TRIE_SHIFT(0)];

static struct mmi_trie nodes = {
	.items = {
		.chunk = mmi_sites_dir,
		.chunks = MMI_SITES_MAX >> MMI_SITES_SHIFT,
		.shift = MMI_SITES_SHIFT,
		.size = sizeof(struct mmi_node),
		.used = 1,
	},
	.batch = 1,
	.level = { first_level },
};

/*
 * Steps that lead to a node that isn't a child, by node and key; and the first
 * step of each cycle, by the node before the cycle and its name (see fold.h).
 * .to is the node that the step leads to, atomic; 0: not set yet.
 */
#define STEPS_SHIFT 10u
static MMI_TABLE void *steps_dir[MMI_SITES_MAX >> STEPS_SHIFT];
static uint64_t steps_first_level[1u << MMI_TRIE_SHIFT(0)];

static struct mmi_trie steps = {
	.items = {
		.chunk = steps_dir,
		.chunks = MMI_SITES_MAX >> STEPS_SHIFT,
		.shift = STEPS_SHIFT,
		.size = sizeof(struct mmi_item),
		.used = 1,
	},
	.batch = 1,
	.level = { steps_first_level },
};

/*
 * New frames get nodes while there are fewer nodes than this: of whole call
 * paths, and of call paths that keep `inner' innermost frames.  Later call
 * paths keep fewer frames.  ALWAYS: with any number of nodes.
 */
#define ALWAYS UINT32_MAX
#define INNER 4u
uint32_t mmi_sites_limit = MMI_SITES_LIMIT;
uint32_t mmi_sites_all_typed = 1;

static inline uint32_t
room_for_whole(void)
{
	return mmi_sites_limit - mmi_sites_limit / 8;
}

static uint32_t ntyped; /* atomic: nodes of types */

static uint32_t
room_for(unsigned inner)
{
	return mmi_sites_limit - inner * (mmi_sites_limit / 64);
}

/* The child of a node; 0: no memory, or no room. */
static COLD uint32_t
node_intern(struct mmi_thread *t, uint32_t parent, uint64_t key, uint32_t room)
{
	const struct mmi_node *p;
	struct mmi_node *n;
	uint32_t i;
	bool made;

	if (UNLIKELY(mmi_sites_nodes() >= room))
		return mmi_trie_find(&nodes, parent, key);
	mmi_node_will_have(parent, key);
	/* A node's number is above its parent's. */
	if (t->spare.next <= parent)
		t->spare.next = t->spare.end;
	i = mmi_trie_intern(&nodes, &t->spare, parent, key, room == ALWAYS,
			    false, &made);
	if (made) {
		n = mmi_sites_node(i);
		if (key >= MONOUT_PC_TYPE)
			FETCH_ADD(&ntyped, 1);
		n->depth = mmi_key_is_frame(key);
		n->limited = key == MONOUT_PC_LIMIT;
		n->cut = key == MONOUT_PC_CUT;
		if (parent) {
			p = mmi_sites_node(parent);
			n->depth += p->depth;
			n->limited |= p->limited;
			n->cut |= p->cut;
		}
	}
	return i;
}

/* Where a step leads that was taken before; 0: it wasn't taken yet. */
static uint32_t
step_find(uint32_t node, uint64_t key)
{
	uint32_t i = mmi_trie_find(&steps, node, key);
	const struct mmi_item *s = i ? mmi_array_at(&steps.items, i) : NULL;

	return s ? LOAD_ACQ(&s->to) : 0;
}

/* The step leads to node `to', or to the node that another thread has set. */
static uint32_t
step_add(struct mmi_thread *t, uint32_t node, uint64_t key, uint32_t to)
{
	uint32_t i, was = 0;
	struct mmi_item *s;
	bool made;

	i = mmi_trie_intern(&steps, &t->spare_step, node, key, false, false,
			    &made);
	s = i ? mmi_array_at(&steps.items, i) : NULL;
	return !s || CAS(&s->to, &was, to) ? to : was;
}

/*
 * The node for a frame that closes the cycle from `start' to `parent', if that
 * cycle has a node; otherwise 0, and *name is the cycle's name.
 */
static uint32_t
cycle_find(struct mmi_thread *t, uint32_t start, uint32_t parent, uint64_t key,
	   uint32_t function, uint64_t *name)
{
	unsigned level = mmi_fold_level(start);
	const struct mmi_node *n;
	uint64_t full;
	uint32_t i;

	*name = mmi_fold_name(t, start, parent, key, function, level);
	if (!*name)
		return 0;
	i = step_find(mmi_sites_node(start)->item.parent, *name);
	if (!i || !level)
		return i;
	/* Has the node's cycle exactly the same calls? */
	n = mmi_sites_node(i);
	full = mmi_fold_name(t, start, parent, key, function, 0);
	if (!full || full != mmi_fold_name(t, n->entry, n->item.parent,
					   n->item.key, function, 0))
		*(level < MMI_FOLD_ENDS ? &t->pub->count.joined
					: &t->pub->count.joined_ends) += 1;
	return i;
}

/* Adds a frame that wasn't seen yet below `parent', whose path is folded. */
static COLD uint32_t
frame_enter(struct mmi_thread *t, uint32_t parent, uint64_t key, uint32_t room)
{
	uint32_t function = mmi_fold_function(key, mmi_sites_nodes() < room);
	uint64_t name = 0;
	uint32_t start = mmi_fold_start(parent, function), i;
	struct mmi_node *n;

	i = start ? cycle_find(t, start, parent, key, function, &name) : 0;
	if (i)
		return step_add(t, parent, key, i);
	if (!name)
		start = 0; /* a cycle without a name isn't folded */
	i = node_intern(t, parent, key, room);
	if (!i)
		return 0;
	n = mmi_sites_node(i);
	STORE(&n->function, function);
	STORE(&n->entry, start);
	STORE_REL(&n->folded, i);
	if (!start)
		return i;
	t->pub->count.folded++;
	FETCH_ADD(&mmi_sites_node(start)->variants, 1);
	mmi_fold_learn(start, i);
	return step_add(t, mmi_sites_node(start)->item.parent, name, i);
}

/* The node of a key below a node whose path is folded. */
static uint32_t
folded_step(struct mmi_thread *t, uint32_t parent, uint64_t key, uint32_t room)
{
	bool may = mmi_node_may_have(parent, key);
	uint32_t i = may ? mmi_trie_find(&nodes, parent, key) : 0, to;

	if (i && (to = LOAD_ACQ(&mmi_sites_node(i)->folded)))
		return to;
	to = step_find(parent, key);
	if (!to)
		to = frame_enter(t, parent, key, room);
	if (i)
		STORE_REL(&mmi_sites_node(i)->folded, to);
	return to;
}

/* The folded node of a node; its parent's is known; 0: no memory. */
static uint32_t
node_fold(struct mmi_thread *t, uint32_t node)
{
	struct mmi_node *n = mmi_sites_node(node);
	uint32_t parent = n->item.parent, to = node;

	if (mmi_key_is_frame(n->item.key))
		to = folded_step(
			t,
			parent ? LOAD_ACQ(&mmi_sites_node(parent)->folded) : 0,
			n->item.key, ALWAYS);
	if (to)
		STORE_REL(&n->folded, to);
	return to;
}

/* How many node numbers a step of nodes_fold() stores. */
#define WAY 64u

/*
 * node_fold() for a node and the ones outside it, n in all, not 0, outermost
 * first.  Divides the path into WAY parts and each part in the same way.  This
 * takes little stack, and goes along the longest path four times.
 */
static uint32_t
nodes_fold(struct mmi_thread *t, uint32_t node, uint32_t n)
{
	uint32_t way[WAY] = { 0 }, part = (n + WAY - 1) / WAY, k = 0, to;

	for (uint32_t i = 0; i < n; i++) {
		if (i % part == 0)
			way[k++] = node;
		node = mmi_sites_node(node)->item.parent;
	}
	do {
		k--;
		to = part == 1 ? node_fold(t, way[k])
			       : nodes_fold(t, way[k], n - k * part);
		n = k * part;
	} while (k && to);
	return to;
}

/*
 * The folded node of a node; 0: no memory.  Also folds nodes from the time when
 * nothing was folded.
 */
static COLD uint32_t
node_folded(struct mmi_thread *t, uint32_t node)
{
	uint32_t to = LOAD_ACQ(&mmi_sites_node(node)->folded), n = 0, i = node;

	while (!to && i && (!n || !LOAD_ACQ(&mmi_sites_node(i)->folded))) {
		i = mmi_sites_node(i)->item.parent;
		n++;
	}
	return n ? nodes_fold(t, node, n) : to;
}

/* The node of a key below another node, by the tables of all threads. */
static uint32_t
node_enter(struct mmi_thread *t, uint32_t parent, uint64_t key, uint32_t room)
{
	if (MMI_KEY_GEN(key) == MMI_GEN_OWN)
		return parent;
	if (!mmi_key_is_frame(key) || mmi_sites_nodes() < mmi_fold_from)
		return node_intern(t, parent, key, room);
	if (parent && !(parent = node_folded(t, parent)))
		return 0;
	return folded_step(t, parent, key, room);
}

/* node_enter() with the thread's own cache. */
static inline uint32_t
node_step(struct mmi_thread *t, uint32_t parent, uint64_t key, uint32_t room)
{
	uint64_t h = (key + parent) * 0x9e3779b97f4a7c15ull;
	/* A few frames need few entries. */
	bool many = t->many_frames || t->made_state;
	uint32_t mask = (many ? MMI_NODE_CACHE : 64) - 1;
	struct mmi_node_cache *c = &t->nodes[h >> 32 & mask];
	uint32_t i;

	if (LIKELY(c->key == key && c->parent == parent))
		return c->node;
	i = node_enter(t, parent, key, room);
	/* A step without room now never gets room. */
	if (UNLIKELY(!i &&
		     (room != room_for_whole() || mmi_sites_nodes() < room)))
		return 0;
	c->key = key;
	c->parent = parent;
	c->node = i;
	return i;
}

uint32_t
mmi_sites_step(struct mmi_thread *t, uint32_t node, uint64_t key)
{
	if (node && mmi_sites_node(node)->limited)
		return 0;
	return node_step(t, node, key, room_for_whole());
}

uint32_t
mmi_sites_typed(struct mmi_thread *t, uint32_t node, uint64_t type)
{
	return node_step(t, node, type, mmi_sites_more_types() ? ALWAYS : 0);
}

bool
mmi_sites_more_types(void)
{
	return LOAD(&ntyped) / mmi_sites_all_typed <
	       mmi_sites_limit / MMI_SITES_TYPED;
}

/*
 * Copies the innermost frames of the call path of s, or of t->chain; returns
 * how many.
 */
static unsigned
chain_inner(struct mmi_thread *t, const struct mmi_frame *s, uint64_t to[INNER])
{
	unsigned n = 0;

	for (; !s && n < t->nchain && n < INNER; n++)
		to[n] = t->chain[n];
	for (unsigned k = t->below; !s && k && n < INNER; k--)
		to[n++] = mmi_frames_last_key(t, k);
	for (; s && n < INNER; s = mmi_frames_at(t, s->parent))
		to[n++] = s->key;
	return n;
}

/* The node of n frames below a node, innermost first; 0: no memory, no room. */
static uint32_t
node_inner(struct mmi_thread *t, uint32_t node, const uint64_t *frame,
	   unsigned n, uint32_t room)
{
	while (node && n-- > 0)
		node = node_step(t, node, frame[n], room);
	return node;
}

/*
 * No room for all of a call path, or no memory: its innermost frames, or none.
 */
static COLD uint32_t
node_short(struct mmi_thread *t, const struct mmi_frame *s)
{
	uint64_t frame[INNER];
	unsigned n = chain_inner(t, s, frame), k = n;
	uint32_t base, node = 0;

	if (mmi_sites_nodes() >= room_for_whole()) {
		base = node_step(t, 0, MONOUT_PC_LIMIT, ALWAYS);
		while (!(node = node_inner(t, base, frame, k, room_for(k))) &&
		       k > 0)
			k = k > 2 ? 2 : k - 1;
		if (node)
			return node;
	}
	base = node_step(t, 0, MONOUT_PC_NONE, ALWAYS);
	node = node_inner(t, base, frame, n > 0, ALWAYS);
	return t->shortened = node ? node : base;
}

/*
 * node_short() for a cached frame, which stores it: there won't be room again.
 */
static COLD uint32_t
cached_short(struct mmi_thread *t, struct mmi_frame *s)
{
	uint32_t node = node_short(t, s);

	if (!t->shortened)
		s->node = node;
	return node;
}

/* The node that is the parent of the outermost frame; false: no memory. */
static bool
node_base(struct mmi_thread *t, unsigned why, uint32_t *node)
{
	*node = why ? node_step(t, 0, why, ALWAYS) : 0;
	return *node || !why;
}

/* The node of a frame with more callers than a call path keeps. */
static COLD uint32_t
node_of_deep(struct mmi_thread *t, struct mmi_frame *s)
{
	const struct mmi_frame *f = s;
	uint32_t node;

	for (unsigned i = 0; i < t->depth; i++, f = &t->frames[f->parent])
		t->chain[i] = f->key;
	if (!node_base(t, MONOUT_PC_CUT, &node))
		return cached_short(t, s);
	node = node_inner(t, node, t->chain, t->depth, room_for_whole());
	return node ? s->node = node : cached_short(t, s);
}

/* The node of a cached frame; makes those of its callers, too. */
static uint32_t
node_of_cached(struct mmi_thread *t, struct mmi_frame *s)
{
	uint32_t i = mmi_frames_number(t, s), node;
	uint64_t *todo = t->chain;
	size_t n = 0;

	if (UNLIKELY(s->depth > t->depth))
		return node_of_deep(t, s);
	for (; i && !t->frames[i].node; i = t->frames[i].parent)
		todo[n++] = i;
	if (i)
		node = t->frames[i].node;
	else if (!node_base(t, s->why, &node))
		return cached_short(t, s);
	if (node && mmi_sites_node(node)->limited)
		return cached_short(t, s);
	while (n-- > 0) {
		struct mmi_frame *f = &t->frames[todo[n]];

		node = node_step(t, node, f->key, room_for_whole());
		if (UNLIKELY(!node))
			return cached_short(t, s);
		f->node = node;
	}
	return node;
}

static uint32_t
node_of_chain(struct mmi_thread *t)
{
	struct mmi_last *l = t->below ? &t->last[t->below] : NULL;
	uint32_t node;

	if (t->nchain > t->depth) {
		t->nchain = t->depth;
		t->why = MONOUT_PC_CUT;
	}
	if (t->nchain > t->pub->count.deepest)
		mmi_frames_deepest(t, 0, t->nchain, t->chain, t->nchain);
	if (t->below)
		node = mmi_frames_last_node(t, t->below);
	else if (!t->nchain || !node_base(t, t->why, &node))
		return node_short(t, NULL);
	if (node && mmi_sites_node(node)->limited)
		return node_short(t, NULL);
	for (unsigned i = t->nchain; i-- > 0;) {
		node = node_step(t, node, t->chain[i], room_for_whole());
		if (UNLIKELY(!node))
			return node_short(t, NULL);
		if (l)
			(++l)->node = node;
	}
	if (l)
		t->nlast = t->nbelow;
	return node;
}

uint32_t
mmi_sites_node_of(struct mmi_thread *t, struct mmi_frame *s)
{
	t->shortened = 0;
	if (LIKELY(s))
		return LIKELY(s->node) ? s->node : node_of_cached(t, s);
	return node_of_chain(t);
}

uint32_t
mmi_sites_nodes(void)
{
	return LOAD_ACQ(&nodes.items.used) - 1;
}

void
mmi_sites_fork(void)
{
	mmi_trie_fork(&nodes);
	mmi_trie_fork(&steps);
	mmi_fold_fork();
	for (uint32_t i = 1; i <= mmi_sites_nodes(); i++)
		mmi_sites_node(i)->item.to = 0;
}

void
mmi_sites_log(uint32_t node)
{
	unsigned number = mmi_image_number;
	struct mmi_node *n;

	for (; number && node; node = n->item.parent) {
		n = mmi_sites_node(node);
		if (n->logged == number)
			break;
		n->logged = number & 0xff;
		mmi_image_node(node, n->item.parent, n->item.key);
	}
}

void
mmi_sites_unlog(void)
{
	for (uint32_t i = 1; i <= mmi_sites_nodes(); i++)
		mmi_sites_node(i)->logged = 0;
}

void
mmi_sites_reset(uint32_t first)
{
	uint32_t head;

	for (uint32_t i = 1; i <= mmi_sites_nodes(); i++) {
		head = LOAD_ACQ(&mmi_sites_node(i)->item.to);
		if (head && head < first)
			CAS(&mmi_sites_node(i)->item.to, &head, 0);
	}
}
