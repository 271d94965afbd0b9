/* SPDX-License-Identifier: MIT */
/*
 * From the roots to all that is reachable; then what points to what among the
 * rest.  Pointers are words at multiples of their size, to the start of a block
 * or into it.
 */
#include "monitor/leak/leak_check.h"

/* Bits of kinds[]: the kind + 1, or 0 while it isn't known, and two more. */
#define KIND 7u
#define INSIDE 8u /* a reachable pointer into it was seen */
#define SEEN 16u  /* reached from a block that isn't reachable itself */

/* Blocks larger than this may have pages that were never touched. */
#define LARGE (64u << 10)

static void
kind_push(struct mmi_leak *l, uint32_t i, unsigned kind)
{
	l->kinds[i] = (uint8_t)((l->kinds[i] & ~KIND) | (kind + 1));
	l->stack[l->depth++] = i;
}

/* By pointers to the start alone. */
static void
hit_start(struct mmi_leak *l, uint32_t i, bool exact)
{
	if (!exact)
		l->kinds[i] |= INSIDE;
	else if (!(l->kinds[i] & KIND))
		kind_push(l, i, MONOUT_REACHABLE);
}

/* By any. */
static void
hit_inside(struct mmi_leak *l, uint32_t i, bool exact)
{
	(void)exact;
	if (!(l->kinds[i] & KIND))
		kind_push(l, i, MONOUT_INTERIOR);
}

/* Kept, whatever it leads to. */
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

void
mmi_leak_word(struct mmi_leak *l, uintptr_t w)
{
	uint32_t i = mmi_leak_at(l, w);

	if (i)
		l->hit(l, i - 1, l->blocks[i - 1].start == w);
}

void
mmi_leak_words(struct mmi_leak *l, uintptr_t lo, uintptr_t hi)
{
	const volatile uintptr_t *p, *end;

	p = (const uintptr_t *)((lo + 7) & ~(uintptr_t)7);
	end = (const uintptr_t *)(hi & ~(uintptr_t)7);
	for (; p < end; p++)
		if (UNLIKELY(*p - l->lo < l->span))
			mmi_leak_word(l, *p);
}

static void
block_scan(struct mmi_leak *l, const struct mmi_leak_block *b)
{
	const struct mmi_leak_map *m;
	uintptr_t end = b->start + b->size;

	if (b->size < sizeof(uintptr_t) || end < b->start)
		return;
	m = mmi_leak_find(l, b->start);
	if (m && b->size <= LARGE && end <= m->end &&
	    m->flags & MMI_LEAK_READ && !(m->flags & MMI_LEAK_SHARED))
		mmi_leak_words(l, b->start, end);
	else
		mmi_leak_present(l, b->start, end, mmi_leak_words);
}

static void
drain(struct mmi_leak *l)
{
	while (l->depth)
		block_scan(l, &l->blocks[l->stack[--l->depth]]);
}

/*
 * Of what isn't reachable, one block of each ring or tree to which no other
 * block leads is lost, and all that it leads to is indirectly lost.  The first
 * pass goes through the blocks in order, and makes each a root that no earlier
 * one has led to; so no earlier root leads to a later one.  The second takes
 * the roots from the last to the first: one that no later root has led to is
 * lost.
 */
static void
mark_lost(struct mmi_leak *l)
{
	/* Behind the stack: there are at most as many roots as blocks. */
	uint32_t *roots = l->stack + l->nblocks, n = 0;

	l->hit = hit_seen;
	for (uint32_t i = 0; i < l->nblocks; i++)
		if (!(l->kinds[i] & (KIND | SEEN))) {
			roots[n++] = i;
			hit_seen(l, i, true);
			drain(l);
		}
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

bool
mmi_leak_mark(struct mmi_leak *l)
{
	size_t n = (size_t)l->nblocks + 1;

	l->kinds = mmi_leak_map(n);
	l->stack = mmi_leak_map(2 * n * sizeof(*l->stack));
	if (!l->kinds || !l->stack)
		return false;
	l->hit = hit_start;
	if (!mmi_leak_roots(l))
		return false;
	drain(l);
	l->hit = hit_inside;
	for (uint32_t i = 0; i < l->nblocks; i++)
		if (l->kinds[i] == INSIDE) {
			kind_push(l, i, MONOUT_INTERIOR);
			drain(l);
		}
	l->hit = hit_kept;
	mmi_leak_ended(l);
	mark_lost(l);
	return true;
}
