/* SPDX-License-Identifier: MIT */
/* The live blocks, sorted by address, and the block at an address. */
#include "monitor/leak/leak_check.h"

#include "monitor/base/sort.h"
#include "monitor/counts/cells.h"
#include "monitor/counts/live.h"
#include "monitor/record/record.h"

#define LEAF_SHIFT 30u
#define PAGE_SHIFT 12u
#define LEAF_PAGES MMI_LEAK_LEAF_PAGES

/* Blocks of a page come in no order: larger ones may be this far back. */
#define BACK 1024u

static inline uintptr_t
block_end(const struct mmi_leak_block *b)
{
	return b->start + (b->size ? b->size : 1);
}

static void
block_count(uintptr_t a, uint64_t entry, void *arg)
{
	struct mmi_leak *l = arg;

	(void)a;
	(void)entry;
	if (l->block_room < UINT32_MAX - 1)
		l->block_room++;
}

static void
block_add(uintptr_t a, uint64_t entry, void *arg)
{
	struct mmi_leak *l = arg;
	uint32_t cell = mmi_live_cell(entry), i = l->nblocks;
	struct mmi_leak_block b = { a, 0, 0, 0 };
	struct mmi_gone g;

	if (i == l->block_room || !cell)
		return;
	mmi_record_known(entry, &g);
	b.size = g.size;
	if (!mmi_cells_inherited(cell))
		b.node = mmi_cell_node(mmi_cells_at(cell));
	l->nblocks++;
	for (unsigned k = 0; i > 0 && l->blocks[i - 1].start > a; k++) {
		if (k == BACK) {
			l->unsorted = true;
			break;
		}
		l->blocks[i] = l->blocks[i - 1];
		i--;
	}
	l->blocks[i] = b;
}

#ifdef MEMMON_ACCESS
static void
shadow_count(uint64_t granule, uint64_t entry, void *arg)
{
	block_count(granule, entry, arg);
}

/* Is address a in memory with these flags, and not in the shadow itself? */
static bool
is_mapped(struct mmi_leak *l, uintptr_t a, uint64_t flags)
{
	const struct mmi_leak_map *m = mmi_leak_find(l, a);

	return m && (m->flags & flags) == flags &&
	       a - (uintptr_t)mmi_shadow.cells >=
		       2 * MMI_SHADOW_GRANULES * sizeof(uint64_t);
}

/*
 * The shadow drops the upper bits of addresses: choose the address that is
 * mapped, or, if several are, the one that can be read.
 */
static void
shadow_add(uint64_t granule, uint64_t entry, void *arg)
{
	const unsigned bits = MMI_SHADOW_BITS + MEMMON_GRANULE_SHIFT;
	struct mmi_leak *l = arg;
	uintptr_t low = granule << MEMMON_GRANULE_SHIFT, a;

	for (uint64_t flags = MMI_LEAK_READ;; flags = 0) {
		for (uintptr_t top = 0; top < 1ull << (ARCH_ADDR_BITS - bits);
		     top++) {
			a = low | top << bits;
			if (is_mapped(l, a, flags)) {
				block_add(a, entry, arg);
				return;
			}
		}
		if (!flags)
			return;
	}
}
#endif

static bool
list_all(struct mmi_leak *l)
{
	mmi_live_walk(block_count, l);
#ifdef MEMMON_ACCESS
	mmi_shadow_walk(shadow_count, l);
#endif
	l->blocks =
		mmi_leak_map(((size_t)l->block_room + 1) * sizeof(*l->blocks));
	if (!l->blocks)
		return false;
	mmi_live_walk(block_add, l);
#ifdef MEMMON_ACCESS
	mmi_shadow_walk(shadow_add, l);
#endif
	if (l->unsorted)
		mmi_sort(l->blocks, l->nblocks, sizeof(*l->blocks) / 8);
	return true;
}

/* Find the block around each block: the pool of an item of a pool. */
static void
nest(struct mmi_leak *l)
{
	struct mmi_leak_block *b = l->blocks;
	uint32_t outer;

	for (uint32_t i = 1; i < l->nblocks; i++) {
		outer = i;
		while (outer && block_end(&b[outer - 1]) <= b[i].start)
			outer = b[outer - 1].outer;
		b[i].outer = outer;
	}
}

static bool
page_put(struct mmi_leak *l, uintptr_t page, uint32_t i)
{
	struct mmi_leak_page **leaf =
		&l->leaves[page >> (LEAF_SHIFT - PAGE_SHIFT)];
	struct mmi_leak_page *p;

	if (!*leaf)
		*leaf = mmi_leak_map(MMI_LEAK_LEAF_SIZE);
	if (!*leaf)
		return false;
	p = &(*leaf)[page & (LEAF_PAGES - 1)];
	if (!p->count)
		p->first = i;
	p->count = i - p->first + 1;
	return true;
}

bool
mmi_leak_list(struct mmi_leak *l)
{
	uintptr_t last;

	l->leaves = mmi_leak_map(MMI_LEAK_LEAVES * sizeof(*l->leaves));
	if (!l->leaves || !list_all(l))
		return false;
	nest(l);
	if (!l->nblocks)
		return true;
	l->lo = l->blocks[0].start;
	for (uint32_t i = 0; i < l->nblocks; i++) {
		last = block_end(&l->blocks[i]) - 1;
		if (last >> ARCH_ADDR_BITS || last < l->blocks[i].start)
			continue;
		if (last - l->lo >= l->span)
			l->span = last - l->lo + 1;
		for (uintptr_t p = l->blocks[i].start >> PAGE_SHIFT;
		     p <= last >> PAGE_SHIFT; p++)
			if (!page_put(l, p, i))
				return false;
	}
	return true;
}

/* Try this many blocks around the likely one. */
#define TRIES 4u

/* Blocks of a page usually have one size: guess which one contains a. */
static inline uint32_t
likely(const struct mmi_leak_page *p, uintptr_t a)
{
	return p->first +
	       (uint32_t)(a % (1u << PAGE_SHIFT) * p->count >> PAGE_SHIFT);
}

/*
 * The last block of the page that starts at or before a, near the likely one;
 * UINT32_MAX: none.
 */
static uint32_t
last_from(const struct mmi_leak_block *b, const struct mmi_leak_page *p,
	  uintptr_t a)
{
	uint32_t lo = p->first, n = p->count, half, at = likely(p, a);

	for (uint32_t k = 0; k < TRIES; k++) {
		if (b[at].start <= a) {
			if (at + 1 == lo + n || b[at + 1].start > a)
				return at;
			at++;
		} else if (at == lo) {
			return UINT32_MAX;
		} else {
			at--;
		}
	}
	if (b[lo].start > a)
		return UINT32_MAX;
	for (; n > 1; n -= half) {
		half = n / 2;
		if (b[lo + half].start <= a)
			lo += half;
	}
	return lo;
}

/* The page of an address in [l->lo, l->lo + l->span), or NULL. */
static inline const struct mmi_leak_page *
page_of(const struct mmi_leak *l, uintptr_t a)
{
	const struct mmi_leak_page *leaf = l->leaves[a >> LEAF_SHIFT];

	return leaf ? &leaf[a >> PAGE_SHIFT & (LEAF_PAGES - 1)] : NULL;
}

void
mmi_leak_fetch_page(const struct mmi_leak *l, uintptr_t a)
{
	__builtin_prefetch(page_of(l, a));
}

void
mmi_leak_fetch_block(const struct mmi_leak *l, uintptr_t a)
{
	const struct mmi_leak_page *p = page_of(l, a);

	if (p)
		__builtin_prefetch(&l->blocks[likely(p, a)]);
}

uint32_t
mmi_leak_at(const struct mmi_leak *l, uintptr_t a)
{
	const struct mmi_leak_page *p;
	const struct mmi_leak_block *b;
	uint32_t lo;

	if (a - l->lo >= l->span)
		return 0;
	p = page_of(l, a);
	if (!p)
		return 0;
	lo = p->count ? last_from(l->blocks, p, a) : UINT32_MAX;
	if (lo == UINT32_MAX)
		return 0;
	b = &l->blocks[lo];
	while (a >= block_end(b)) {
		if (!b->outer)
			return 0;
		b = &l->blocks[b->outer - 1];
	}
	return (uint32_t)(b - l->blocks) + 1;
}

uint32_t
mmi_leak_from(const struct mmi_leak *l, uintptr_t a)
{
	uint32_t lo = 0, hi = l->nblocks, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (l->blocks[mid].start < a)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}
