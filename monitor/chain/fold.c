/* SPDX-License-Identifier: MIT */
/* Recursion, folded. */
#include "monitor/chain/fold.h"

#include <string.h>

#include "monitor/chain/cfi.h"
#include "monitor/chain/modules.h"
#include "monitor/chain/node.h"

uint32_t mmi_fold_from = MMI_FOLD_FROM;
uint32_t mmi_fold_most = MMI_SITES_LIMIT;

/*
 * Variants of cycles are distinguished by their calls (level 0), by the
 * functions that call each other (1), by functions (2), or only by where they
 * begin and end.  Level i is used for all cycles while there are fewer nodes
 * than below[i] eighths of their limit.  It is also used for the first few[i]
 * cycles that begin at a node, while there are fewer nodes than the last
 * below[] eighths.
 */
#define LEVELS MMI_FOLD_ENDS
static const uint32_t below[LEVELS] = { 2, 3, 4 };
static const uint32_t few[LEVELS] = { 16, 32, 64 };

static bool
are_below(uint32_t nodes, unsigned level)
{
	uint32_t most = mmi_sites_limit < mmi_fold_most ? mmi_sites_limit
							: mmi_fold_most;

	return nodes < most / 8 * below[level];
}

/* Do only the ends of cycles count, because there are very many nodes? */
static bool
are_many(void)
{
	return !are_below(mmi_sites_nodes(), LEVELS - 1);
}

/*
 * Functions, by start address.  Functions that were in one cycle are a class:
 * .to, atomic, leads to another function of the class with a lower number; 0:
 * this function represents the class.
 */
#define FUNCTIONS_SHIFT 8u
#define FUNCTIONS_MAX (1u << 22)
static void *functions_dir[FUNCTIONS_MAX >> FUNCTIONS_SHIFT];
static uint64_t functions_first_level[1u << MMI_TRIE_SHIFT(0)];

static struct mmi_trie functions = {
	.items = {
		.chunk = functions_dir,
		.chunks = FUNCTIONS_MAX >> FUNCTIONS_SHIFT,
		.shift = FUNCTIONS_SHIFT,
		.size = sizeof(struct mmi_item),
		.used = 1,
	},
	.batch = 1,
	.level = { functions_first_level },
};

void
mmi_fold_fork(void)
{
	mmi_trie_fork(&functions);
}

/* Where the function of a key begins. */
static uint64_t
function_start(uint64_t key)
{
	uintptr_t pc = MMI_KEY_ADDR(key) - 1, start;
	struct mmi_object o;

	if (MMI_KEY_GEN(key) > MMI_GEN_MAX || !mmi_modules_find(pc, &o) ||
	    o.gen != MMI_KEY_GEN(key))
		return key;
	start = mmi_cfi_function(pc, o.eh_hdr);
	return start ? start | (uint64_t)o.gen << MMI_KEY_SHIFT : key;
}

/*
 * Functions of keys that were asked for lately: each is in many cycles, and
 * finding its start takes longest.  All threads write here: a value that is
 * read during a write fits no key.
 */
#define KNOWN_BITS 12u
static struct known {
	uint64_t key; /* atomic; mixed with the function */
	uint32_t function; /* atomic */
} known[1u << KNOWN_BITS];

static inline uint64_t
known_mix(uint64_t key, uint32_t function)
{
	return key ^ (function + 1) * 0xbf58476d1ce4e5b9ull;
}

COLD uint32_t
mmi_fold_function(uint64_t key, bool make)
{
	struct known *k =
		&known[key * 0x9e3779b97f4a7c15ull >> (64 - KNOWN_BITS)];
	uint32_t f = LOAD(&k->function);
	struct mmi_batch spare = { 0 };
	bool made;

	if (f && LOAD(&k->key) == known_mix(key, f))
		return f;
	f = make ? mmi_trie_intern(&functions, &spare, 0, function_start(key),
				   false, false, &made)
		 : mmi_trie_find(&functions, 0, function_start(key));
	if (f) {
		STORE(&k->key, known_mix(key, f));
		STORE(&k->function, f);
	}
	return f;
}

/* The function of a node: every thread finds the same one. */
static uint32_t
function_of(struct mmi_node *n)
{
	uint32_t f = LOAD(&n->function);

	if (UNLIKELY(!f)) {
		f = mmi_fold_function(n->item.key, true);
		STORE(&n->function, f);
	}
	return f;
}

static uint32_t *
up_of(uint32_t function)
{
	struct mmi_item *f = mmi_array_at(&functions.items, function);

	return &f->to;
}

/* The function that represents the class of f; f may be 0. */
static uint32_t
class_of(uint32_t f)
{
	uint32_t up, top;

	while (f && (up = LOAD(up_of(f)))) {
		/* This makes the way shorter for the next call. */
		top = LOAD(up_of(up));
		if (top)
			STORE(up_of(f), top);
		f = up;
	}
	return f;
}

static void
class_join(uint32_t f, uint32_t g)
{
	uint32_t none, low, high;

	do {
		none = 0;
		f = class_of(f);
		g = class_of(g);
		if (f == g || !f || !g)
			return;
		low = f < g ? f : g;
		high = f < g ? g : f;
	} while (!CAS(up_of(high), &none, low));
}

void
mmi_fold_learn(uint32_t start, uint32_t node)
{
	uint32_t f = function_of(mmi_sites_node(start)), entry, end = node;
	struct mmi_node *n;

	/* All functions of another cycle are already in one class: skip to its
	 * start. */
	for (; node > start; node = entry ? entry : n->item.parent) {
		n = mmi_sites_node(node);
		class_join(f, function_of(n));
		entry = node == end ? 0 : LOAD(&n->entry);
	}
}

uint32_t
mmi_fold_start(uint32_t node, uint32_t function)
{
	struct mmi_node *n;
	uint32_t entry = 0; /* start of the cycle around `node' */
	uint32_t found = 0, f;
	bool many = are_many();

	if (many)
		function = class_of(function);
	for (; node && function; node = n->item.parent) {
		n = mmi_sites_node(node);
		if (!mmi_key_is_frame(n->item.key))
			break;
		if (!entry)
			entry = LOAD(&n->entry);
		f = function_of(n);
		if ((many ? class_of(f) : f) == function) {
			found = entry ? entry : node;
			if (!many)
				break;
		}
		if (node == entry)
			entry = 0;
	}
	return found;
}

static inline uint64_t
mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ (b << 27 | b >> 37)) * 0x9e3779b97f4a7c15ull;

	h = (h ^ h >> 31) * 0xbf58476d1ce4e5b9ull;
	return (h ^ h >> 29) + b;
}

/* A set of numbers, in the thread's memory for walks. */
struct set {
	uint64_t *at;
	size_t mask, left; /* how many more it has room for */
	uint64_t sum; /* of the numbers in it */
};

static void
set_init(struct set *s, struct mmi_thread *t, size_t n)
{
	size_t most = t->limit * sizeof(*t->fresh) / sizeof(*s->at), room = 2;

	/* If the path is too long for this memory, set_add() fails. */
	while (room < 2 * n && 2 * room <= most)
		room *= 2;
	s->at = (uint64_t *)t->fresh;
	s->mask = room - 1;
	s->left = room - 1;
	s->sum = 0;
	memset(s->at, 0, room * sizeof(*s->at));
}

/* False: the set is full. */
static bool
set_add(struct set *s, uint64_t v)
{
	size_t i = v & s->mask;

	v |= !v;
	for (; s->at[i]; i = (i + 1) & s->mask)
		if (s->at[i] == v)
			return true;
	if (!s->left--)
		return false;
	s->at[i] = v;
	s->sum += mix(v, v);
	return true;
}

unsigned
mmi_fold_level(uint32_t start)
{
	uint32_t begun = LOAD(&mmi_sites_node(start)->variants);
	uint32_t nodes = mmi_sites_nodes();
	unsigned l = 0;

	if (are_many())
		return LEVELS;
	while (l < LEVELS && !are_below(nodes, l) && begun >= few[l])
		l++;
	return l;
}

uint64_t
mmi_fold_name(struct mmi_thread *t, uint32_t start, uint32_t node, uint64_t key,
	      uint32_t function, unsigned level)
{
	struct mmi_node *s = mmi_sites_node(start), *n;
	uint32_t to = function, from;
	struct set set;

	set_init(&set, t, mmi_sites_node(node)->depth - s->depth + 1);
	for (; level < LEVELS; node = n->item.parent) {
		n = mmi_sites_node(node);
		from = function_of(n);
		if (!set_add(&set, level == 0	? mix(n->item.key, to)
				   : level == 1 ? mix(from, to)
						: mix(from, 0)))
			return 0;
		if (node == start)
			break;
		to = from;
	}
	return mix(mix(set.sum, function_of(s)), key + level) | 1ull << 63;
}
