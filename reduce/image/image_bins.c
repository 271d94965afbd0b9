/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bins of an image: allocations and frees by size. */
#include "reduce/base/arena.h"
#include "reduce/image/image_reader.h"

static void
bin_add(struct image *g, uint64_t size, uint64_t allocs, uint64_t frees)
{
	uint32_t i = hash_intern(&g->bin_hash, size, 0, 0, (uint32_t)g->nbins);

	if (i == g->nbins)
		ARRAY_ADD(g->bins, g->bin_room, g->nbins,
			  (struct image_bin){ .size = size });
	image_add(&g->bins[i].allocs, allocs);
	image_add(&g->bins[i].frees, frees);
}

/*
 * Add bins from cells for all sizes: frees in the first pass, allocations in
 * the second.
 */
void
image_bins_any(struct image *g)
{
	const struct monimg_bins *o = &g->global->bins[g->global->epoch & 1];
	bool all = g->second;
	size_t i;

	for (i = 0; i <= MONOUT_BIN_MAX; i++) {
		if ((o->allocs[i] | o->frees[i]))
			bin_add(g, i, all ? o->allocs[i] : 0,
				all ? 0 : o->frees[i]);
	}
	for (i = 0; i < MONIMG_BINS; i++) {
		if ((o->other[i].allocs | o->other[i].frees))
			bin_add(g, o->other[i].size,
				all ? o->other[i].allocs : 0,
				all ? 0 : o->other[i].frees);
	}
}

static struct amounts
bin_amounts(const struct image_bin *b)
{
	return (struct amounts){ b->allocs, b->allocs * b->size, b->frees,
				 b->frees * b->size };
}

/* Are these counts possible? */
static bool
sum_sane(const struct amounts *s)
{
	return (int64_t)s->allocs >= 0 && (int64_t)s->bytes >= 0 &&
	       s->frees <= s->allocs && s->freed <= s->bytes;
}

/*
 * Compute the blocks that are in no bin.  Their sizes had no room in the table,
 * or they were about to be added to a bin: the monitor updates the cell first.
 * Events between the two reads may leave these blocks with more frees than
 * allocations; then bins are added to them until the counts are possible.
 */
void
image_bins_complete(struct image *g)
{
	struct amounts *big = &g->t.big;
	struct amounts x;
	struct image_bin *b;
	size_t i;

	*big = (struct amounts){ 0 };
	for (i = 0; i < g->npairs; i++)
		image_add_amounts(big, &AMOUNTS(&g->pairs[i]));
	for (i = 0; i < g->nbins; i++) {
		b = &g->bins[i];
		b->frees = counts_least(b->frees, b->allocs);
		x = bin_amounts(b);
		TOTALS_TAKE(big, &x);
	}
	for (i = 0; i < g->nbins && !sum_sane(big); i++) {
		b = &g->bins[i];
		x = bin_amounts(b);
		TOTALS_ADD(big, &x);
		b->allocs = b->frees = 0;
	}
}

/*
 * Add a pair's blocks to the bin of its size, which also has blocks from cells
 * for all sizes.  If the monitor's table had no room for the size, those blocks
 * are in no bin; then the pair gets none, because the bin would be incomplete.
 */
void
image_bins_exact(struct image *g, const struct image_pair *p)
{
	const struct monimg_bin *o =
		g->global->bins[g->global->epoch & 1].other;
	uint64_t h = MONIMG_BIN_HASH(p->size), size = p->size;
	bool has = size <= MONOUT_BIN_MAX;

	if (size >= MONIMG_SIZE_ANY)
		return;
	for (unsigned i = 0; i < MONIMG_BIN_WINDOW && !has; i++) {
		size = o[(h + i) % MONIMG_BINS].size;
		has = !size || size == p->size;
	}
	if (has)
		bin_add(g, p->size, p->allocs, p->frees);
}
