/* SPDX-License-Identifier: MIT */
/*
 * Mark all blocks that are reachable from the roots, then find which of the
 * other blocks point to which.  A pointer is an aligned word with the address
 * of a block's start or of a place inside the block; options add other forms.
 */
#include "monitor/leak/leak_check.h"

#include "monitor/base/sort.h"

/* Bits of kinds[]: the kind + 1, or 0 while unknown, and flags. */
#define KIND 7u
#define INSIDE 8u /* a reachable pointer into it was seen */
#define SEEN 16u  /* reached, kind not yet known */
#define ODD 32u   /* lost, but an unaligned pointer leads to it */
#define TAGS 64u

/* Blocks larger than this may have pages that were never touched. */
#define LARGE (64u << 10)

/* Search at most this many bytes for pointers of other forms. */
#define BUDGET ((uint64_t)256 << 20)

/* Bits that no address uses, and the bits below a multiple of 8. */
#define TAG_MASK ((((uintptr_t)1 << ARCH_ADDR_BITS) - 1) & ~(uintptr_t)7)

static void
kind_push(struct mmi_leak *l, uint32_t i, unsigned kind)
{
	l->kinds[i] = (uint8_t)((l->kinds[i] & ~KIND) | (kind + 1));
	l->stack[l->depth++] = i;
}

/* Follow only pointers to the start of blocks. */
static void
hit_start(struct mmi_leak *l, uint32_t i, bool exact)
{
	if (!exact)
		l->kinds[i] |= INSIDE;
	else if (!(l->kinds[i] & KIND))
		kind_push(l, i, MONOUT_REACHABLE);
}

/* Follow all pointers. */
static void
hit_inside(struct mmi_leak *l, uint32_t i, bool exact)
{
	(void)exact;
	if (!(l->kinds[i] & KIND))
		kind_push(l, i, MONOUT_INTERIOR);
}

/* Mark it reachable; don't search it for pointers. */
static void
hit_kept(struct mmi_leak *l, uint32_t i, bool exact)
{
	(void)exact;
	if (!(l->kinds[i] & KIND))
		l->kinds[i] |= MONOUT_REACHABLE + 1;
}

static void
hit_seen(struct mmi_leak *l, uint32_t i, bool exact)
{
	(void)exact;
	if (!(l->kinds[i] & (KIND | SEEN))) {
		l->kinds[i] |= SEEN;
		l->stack[l->depth++] = i;
	}
}

static void
hit_lost(struct mmi_leak *l, uint32_t i, bool exact)
{
	struct mmi_leak_site *root = &l->result->site[l->root];

	(void)exact;
	if (l->kinds[i] & KIND)
		return;
	kind_push(l, i, MONOUT_INDIRECT);
	if (!l->blocks[i].node || l->blocks[i].node >= l->result->nodes)
		return;
	root->holds.blocks++;
	root->holds.bytes += l->blocks[i].size;
}

/* A pointer to a lost block's start, in a form that doesn't count. */
static void
hit_form(struct mmi_leak *l, uint32_t i, bool exact)
{
	bool odd = l->forms == MMI_LEAK_UNALIGNED;
	unsigned kind = (l->kinds[i] & KIND) - 1, bit = odd ? ODD : TAGS;

	if (!exact || l->kinds[i] & bit ||
	    (kind != MONOUT_LOST && kind != MONOUT_INDIRECT))
		return;
	l->kinds[i] |= (uint8_t)bit;
	*(odd ? &l->result->odd : &l->result->tagged) += 1;
}

static void
word_is(struct mmi_leak *l, uintptr_t w)
{
	uint32_t i = mmi_leak_at(l, w);

	if (i)
		l->hit(l, i - 1, l->blocks[i - 1].start == w);
}

void
mmi_leak_word(struct mmi_leak *l, uintptr_t w)
{
	if (l->hit != hit_form)
		word_is(l, w);
	if (l->forms & MMI_LEAK_TAGGED && w != (w & TAG_MASK))
		word_is(l, w & TAG_MASK);
}

/* Also look for pointers of other forms. */
static void
words_of_forms(struct mmi_leak *l, uintptr_t lo, uintptr_t hi)
{
	uintptr_t step = l->forms & MMI_LEAK_UNALIGNED ? 1 : 8, w;

	if (hi - lo > l->budget)
		hi = lo + l->budget;
	if (l->budget != UINT64_MAX)
		l->budget -= hi - lo;
	for (lo = (lo + step - 1) & -step; lo + 8 <= hi; lo += step) {
		l->at = lo;
		w = *(const volatile mmi_leak_unaligned *)lo;
		if (l->forms & MMI_LEAK_TAGGED)
			mmi_leak_word(l, w);
		else if (w - l->lo < l->span && (l->hit != hit_form || lo & 7))
			word_is(l, w);
	}
	l->at = 0;
}

/* Look up this many words together: their blocks may be anywhere. */
#define TOGETHER 16u

/* Words at these addresses that may be pointers. */
static void
words_are(struct mmi_leak *l, const uintptr_t *const *at, const uintptr_t *word,
	  unsigned n)
{
	for (unsigned i = 0; n > 1 && i < n; i++)
		mmi_leak_fetch_page(l, word[i]);
	for (unsigned i = 0; n > 1 && i < n; i++)
		mmi_leak_fetch_block(l, word[i]);
	for (unsigned i = 0; i < n; i++) {
		l->at = (uintptr_t)at[i];
		mmi_leak_word(l, word[i]);
	}
}

void
mmi_leak_words(struct mmi_leak *l, uintptr_t lo, uintptr_t hi)
{
	const uintptr_t *at[TOGETHER];
	uintptr_t word[TOGETHER], w;
	const volatile uintptr_t *p, *end;
	unsigned n = 0;

	if (UNLIKELY(l->forms)) {
		words_of_forms(l, lo, hi);
		return;
	}
	p = (const uintptr_t *)((lo + 7) & ~(uintptr_t)7);
	end = (const uintptr_t *)(hi & ~(uintptr_t)7);
	for (; p < end; p++) {
		w = *p;
		if (LIKELY(w - l->lo >= l->span))
			continue;
		at[n] = (const uintptr_t *)p;
		word[n++] = w;
		if (n == TOGETHER) {
			words_are(l, at, word, n);
			n = 0;
		}
	}
	words_are(l, at, word, n);
	l->at = 0;
}

static void
block_scan(struct mmi_leak *l, const struct mmi_leak_block *b)
{
	const struct mmi_leak_map *m;
	uintptr_t end = b->start + b->size;

	if (b->size < sizeof(uintptr_t) || end < b->start)
		return;
	m = mmi_leak_find(l, b->start);
	if (m && b->size <= LARGE && end <= m->end && !l->in_place &&
	    m->flags & MMI_LEAK_READ &&
	    !(m->flags & (MMI_LEAK_SHARED | MMI_LEAK_DEVICE)))
		mmi_leak_words(l, b->start, end);
	else
		mmi_leak_present(l, b->start, end, mmi_leak_words);
}

void
mmi_leak_block(struct mmi_leak *l, uint32_t i)
{
	block_scan(l, &l->blocks[i]);
}

static void
drain(struct mmi_leak *l)
{
	while (l->depth && !mmi_leak_late(l))
		block_scan(l, &l->blocks[l->stack[--l->depth]]);
}

/*
 * The blocks whose kind isn't known yet, sorted by the node that allocated
 * them, then by address.  The lower half of each word is the block's number.
 * *n: how many.  NULL: no memory.
 */
static uint64_t *
by_node(struct mmi_leak *l, uint32_t *n)
{
	uint64_t *order = mmi_leak_map(((size_t)l->nblocks + 1) * 8);

	*n = 0;
	for (uint32_t i = 0; order && i < l->nblocks; i++)
		if (!(l->kinds[i] & KIND))
			order[(*n)++] = (uint64_t)l->blocks[i].node << 32 | i;
	if (order)
		mmi_sort(order, *n, 1);
	return order;
}

/*
 * Unreachable blocks form rings and trees.  If no other block leads to a ring
 * or tree, one of its blocks is lost, and all blocks that this one leads to are
 * indirectly lost.  The first pass goes through the blocks in order: each block
 * that no earlier root has led to becomes a root, so no earlier root leads to a
 * later one.  The second pass takes the roots from last to first: a root that
 * no later root has led to is lost.  The blocks are in the order in which their
 * call paths were first seen, so the lost blocks of equal rings have one call
 * path.
 */
static void
mark_lost(struct mmi_leak *l)
{
	/* After the stack: there are at most as many roots as blocks. */
	uint32_t *roots = l->stack + l->nblocks, n = 0, some;
	uint64_t *order = by_node(l, &some);

	l->hit = hit_seen;
	for (uint32_t k = 0; k < (order ? some : l->nblocks); k++) {
		uint32_t i = order ? (uint32_t)order[k] : k;

		if (!(l->kinds[i] & (KIND | SEEN))) {
			roots[n++] = i;
			hit_seen(l, i, true);
			drain(l);
		}
	}
	mmi_leak_unmap(order, ((size_t)l->nblocks + 1) * 8);
	l->hit = hit_lost;
	while (n-- > 0)
		if (!(l->kinds[roots[n]] & KIND)) {
			kind_push(l, roots[n], MONOUT_LOST);
			l->root = l->blocks[roots[n]].node;
			if (l->root >= l->result->nodes)
				l->root = 0;
			drain(l);
		}
}

/* Do pointers of other forms lead to lost blocks?  Then the file says so. */
static void
look_for_forms(struct mmi_leak *l)
{
	const unsigned asked = l->forms;
	unsigned kind;

	l->hit = hit_form;
	for (l->forms = MMI_LEAK_UNALIGNED; l->forms <= MMI_LEAK_TAGGED;
	     l->forms *= 2) {
		l->budget = BUDGET;
		if (asked & l->forms)
			continue;
		mmi_leak_roots(l);
		mmi_leak_frames(l);
		for (uint32_t i = 0; i < l->nblocks && l->budget; i++) {
			kind = (l->kinds[i] & KIND) - 1;
			if (kind == MONOUT_REACHABLE || kind == MONOUT_INTERIOR)
				block_scan(l, &l->blocks[i]);
		}
	}
	l->forms = asked;
}

/* Add the blocks reached so far to l->result->held, or subtract them. */
static void
count_reached(struct mmi_leak *l, bool subtract)
{
	struct mmi_leak_result *r = l->result;
	const struct mmi_leak_block *b;

	for (uint32_t i = 0; i < l->nblocks; i++) {
		b = &l->blocks[i];
		if (!(l->kinds[i] & (KIND | SEEN)) || !b->node ||
		    b->node >= r->nodes)
			continue;
		r->held += subtract ? -1 : 1;
		r->held_bytes += subtract ? -b->size : b->size;
	}
}

/*
 * Before the frames: mark all blocks that the other roots lead to, also by
 * pointers into blocks.  A block that is only SEEN gets its kind later.
 */
static void
mark_others(struct mmi_leak *l)
{
	l->hit = hit_seen;
	for (uint32_t i = 0; i < l->nblocks; i++)
		if (l->kinds[i] == INSIDE) {
			hit_seen(l, i, true);
			drain(l);
		}
	count_reached(l, true);
	l->hit = hit_start;
}

bool
mmi_leak_mark(struct mmi_leak *l)
{
	size_t n = (size_t)l->nblocks + 1;

	l->kinds = mmi_leak_map(n);
	l->stack = mmi_leak_map(2 * n * sizeof(*l->stack));
	l->budget = UINT64_MAX;
	if (!l->kinds || !l->stack || !mmi_leak_roots_init(l))
		return false;
	l->hit = hit_start;
	mmi_leak_roots(l);
	drain(l);
	if (l->frames.end) {
		mark_others(l);
		mmi_leak_frames(l);
		drain(l);
	}
	l->hit = hit_inside;
	for (uint32_t i = 0; i < l->nblocks; i++)
		if ((l->kinds[i] & (KIND | INSIDE)) == INSIDE) {
			kind_push(l, i, MONOUT_INTERIOR);
			drain(l);
		}
	if (l->frames.end)
		count_reached(l, false);
	l->hit = hit_kept;
	mmi_leak_ended(l);
	mark_lost(l);
	/* The result is complete, even if the time limit passes now. */
	for (uint32_t i = 0; i < l->nblocks && !l->late; i++)
		if ((l->kinds[i] & KIND) == MONOUT_LOST + 1) {
			l->until = 0;
			look_for_forms(l);
			break;
		}
	return true;
}
