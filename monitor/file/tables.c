/* SPDX-License-Identifier: MIT */
/* The tables of the data file. */
#include "monitor/file/tables.h"
#include "monitor/record/sample.h"

#include <string.h>

#include "monitor/base/put.h"
#include "monitor/chain/modules.h"
#include "monitor/chain/sites.h"
#include "monitor/counts/bins.h"
#include "monitor/counts/cells.h"
#include "monitor/counts/endings.h"
#ifdef MEMMON_ACCESS
#include "monitor/file/accesses.h"
#endif
#include "monitor/file/cells_put.h"
#include "monitor/file/codes_put.h"
#include "monitor/file/figures_put.h"
#include "monitor/file/names_put.h"
#include "monitor/file/thread_totals.h"
#include "monitor/file/snapshots_put.h"
#include "monitor/file/vtables.h"
#include "monitor/leak/leak.h"
#include "monitor/memory/memory.h"
#include "monitor/record/types.h"

/*
 * A site's cells together.  Frees are read before allocations, as a free
 * follows its allocation; parts of either are read before both.  The list of
 * cells is fetched again each time: a block whose free was read may be in a
 * cell that was made meanwhile.  So no part is ever larger than its whole.
 */
struct site {
	struct mmi_tables_count count[MONOUT_NCLASS];
	uint64_t reallocs;
	int64_t held, held_bytes;
	uint64_t temps, near, by_others, moved, copied, longest, timed;
	struct mmi_lives lives;
};

/* Static, since a signal stack may be small; one file is written at a time. */
static struct site site;
static struct mmi_bins bins;
static struct mmi_emit peaks_out = MMI_EMIT_FULL, lives_out = MMI_EMIT_FULL;

/* An incomplete module also has an item; nothing refers to it. */
static void
put_module(struct mmi_emit *o, unsigned i)
{
	static const struct mmi_module none;
	const struct mmi_module *m = mmi_modules_at(i);
	const char *path;

	if (!m)
		m = &none;
	path = mmi_names_path(i, m);
	mmi_put_module(o,
		       &(struct monrec_module){
			       .start = m->start,
			       .end = m->end,
			       .bias = m->bias,
			       .flags = (m->exe ? MONOUT_M_EXE : 0) |
					(LOAD(&m->gone) ? MONOUT_M_GONE : 0) |
					(mmi_names_gone(i) ? MONOUT_M_DELETED
							   : 0),
			       .id = m->buildid,
			       .idlen = m->buildid_len,
			       .path = path,
			       .pathlen = strlen(path) });
}

/* The module of a key; usually the module of the key before. */
static int
module_of(uint64_t key)
{
	static int last = -1;
	const struct mmi_module *m = last < 0 ? NULL : mmi_modules_at(last);
	uintptr_t pc = MMI_KEY_ADDR(key) - 1;

	if (!m || pc < m->start || pc >= m->end || m->gen != MMI_KEY_GEN(key))
		last = mmi_modules_of_key(key);
	return last;
}

static void
put_node(struct mmi_emit *o, uint32_t i, const struct mmi_node *n)
{
	uint64_t key = n->item.key ? n->item.key : MONOUT_PC_NONE;
	uint32_t parent = n->item.key ? n->item.parent : 0;
	bool type = key >= MONOUT_PC_TYPE;
	int m = MONOUT_IS_PC(key) ? module_of(key) : -1;
	struct monrec_node x = { i - parent, (uint64_t)(m + 1), key };

	if (!type)
		x.addr = MMI_KEY_ADDR(key);
	if (m >= 0) {
		x.addr -= mmi_modules_at(m)->bias;
		mmi_codes_in_module(key);
		mmi_names_mark((unsigned)m, MMI_KEY_ADDR(key) - 1);
	} else if (MONOUT_IS_PC(key) && (m = mmi_codes_module_of(key)) >= 0) {
		x.module = (uint64_t)m + 1;
	}
	mmi_put_node(o, &x);
}

/* How many blocks of the cell were live at the peak. */
static void
read_held(const struct mmi_cell *c, uint64_t peaks, bool any,
	  struct mmi_cell_counts *row)
{
	struct mmi_extra *x = c->extra;
	int64_t n, bytes = 0;

	if (MMI_HEAP_SAME_PEAK(LOAD_ACQ(&c->epoch), peaks)) {
		n = LOAD(&c->held);
		if (any)
			bytes = LOAD(&x->held_bytes);
	} else {
		n = (int64_t)(LOAD(&c->allocs) - LOAD(&c->frees));
		if (any)
			bytes = (int64_t)(LOAD(&x->bytes) - LOAD(&x->freed));
	}
	if (!any)
		bytes = n * (int64_t)mmi_cell_size(c);
	row->held += n;
	row->held_bytes += bytes;
	site.held += n;
	site.held_bytes += bytes;
}

static void
read_lives(const struct mmi_fate *f)
{
	struct mmi_lives *to = &site.lives;
	/* In this order: a cell with more than a few lifetimes has lives. */
	uint32_t timed = LOAD_ACQ(&f->timed);
	const struct mmi_lives *l = LOAD_ACQ(&f->lives);
	uint64_t n;

	site.timed += timed;
	for (unsigned i = 0; !l && i < timed; i++)
		mmi_cells_life(to, f->few[i], 1);
	if (!l)
		return;
	for (unsigned b = 0; b < MONOUT_LIFE_BINS; b++) {
		/* Read it once: the thread may count another one meanwhile. */
		n = LOAD(&l->bin[b]);
		to->bin[b] += n;
		to->weight += n;
	}
	to->sum += LOAD(&l->sum);
	if (LOAD(&l->min) < to->min)
		to->min = LOAD(&l->min);
	if (LOAD(&l->max) > to->max)
		to->max = LOAD(&l->max);
}

static void
read_fate(const struct mmi_fate *f)
{
	site.by_others += LOAD_ACQ(&f->by_others);
	mmi_figures_put_read(f);
	site.copied += LOAD_ACQ(&f->copied);
	site.moved += LOAD_ACQ(&f->moved);
	site.reallocs += LOAD_ACQ(&f->reallocs);
	if (LOAD(&f->longest) > site.longest)
		site.longest = LOAD(&f->longest);
	read_lives(f);
}

/* Tries: sometimes the thread counts another block meanwhile. */
#define TRIES 16

/*
 * How many blocks a cell has counted as allocated, or (frees) as freed, and
 * their bytes, both at the same time.
 */
static uint64_t
cell_counts(const struct mmi_cell *c, const struct mmi_extra *x, bool frees,
	    uint64_t *bytes)
{
	const uint64_t *from = frees ? &c->frees : &c->allocs;
	uint64_t away = mmi_cell_away(x), n = LOAD_ACQ(from);

	if (mmi_cell_size(c) < MMI_CELL_ANY) {
		*bytes = (n - away) * mmi_cell_size(c);
		return n - away;
	}
	*bytes = 0;
	for (int i = 0; x && i < TRIES; i++) {
		*bytes = LOAD(&x->away_bytes);
		*bytes = LOAD_ACQ(frees ? &x->freed : &x->bytes) - *bytes;
		if (LOAD_ACQ(from) == n)
			break;
		away = mmi_cell_away(x);
		n = LOAD_ACQ(from);
	}
	if (n == away)
		*bytes = 0;
	return n - away;
}

/* Parts of the frees or allocations, also of those in other cells. */
static void
read_parts(const struct mmi_cell *c)
{
	const struct mmi_fate *f = mmi_cell_fate(c);

	site.temps += LOAD_ACQ(&c->temps);
	site.near += LOAD_ACQ(&c->near);
	if (f)
		read_fate(f);
}

static void
read_frees(const struct mmi_cell *c, uint64_t peaks)
{
	bool any = mmi_cell_size(c) >= MMI_CELL_ANY;
	const struct mmi_extra *x = LOAD_ACQ(&c->extra);
	struct mmi_tables_count *to = &site.count[mmi_cell_class(c)];
	struct mmi_cell_counts *row = mmi_cells_put_of(c);
	uint64_t n, bytes;

	if (any && !x)
		return;
	read_held(c, peaks, any, row);
	n = cell_counts(c, x, true, &bytes);
	to->frees += n;
	to->freed += bytes;
	row->frees += n;
	row->freed += bytes;
	if (!any)
		mmi_bins_add(&bins, mmi_cell_size(c), 0, n);
}

static void
read_allocs(const struct mmi_cell *c)
{
	bool any = mmi_cell_size(c) >= MMI_CELL_ANY;
	const struct mmi_extra *x = LOAD_ACQ(&c->extra);
	struct mmi_tables_count *to = &site.count[mmi_cell_class(c)];
	uint64_t bytes, n = cell_counts(c, x, false, &bytes);
	struct mmi_cell_counts *row = mmi_cells_put_of(c);

	if (any && !x)
		return;
	to->allocs += n;
	to->bytes += bytes;
	row->allocs += n;
	row->bytes += bytes;
	if (!any)
		mmi_bins_add(&bins, mmi_cell_size(c), n, 0);
}

/* Read a node's cells into `site'.  Returns the newest cell; NULL: none. */
static const struct mmi_cell *
read_site(uint32_t node, uint64_t peaks)
{
	const struct mmi_cell *newest = mmi_cells_of(node), *c;

	if (!newest)
		return NULL;
	memset(&site, 0, sizeof(site));
	mmi_figures_put_clear();
	mmi_cells_put_site_begin();
	site.lives.min = UINT64_MAX;
	for (c = newest; c; c = mmi_cells_next(c))
		read_parts(c);
	for (c = mmi_cells_of(node); c; c = mmi_cells_next(c))
		read_frees(c, peaks);
	newest = mmi_cells_of(node);
	for (c = newest; c; c = mmi_cells_next(c))
		read_allocs(c);
	return newest;
}

static void
count_add(struct mmi_tables_count *sum, const struct mmi_tables_count *c)
{
	sum->allocs += c->allocs;
	sum->bytes += c->bytes;
	sum->frees += c->frees;
	sum->freed += c->freed;
}

/* It is below 0 if threads ran while the peak was set. */
static bool
holds(void)
{
	return site.held > 0 && site.held_bytes >= 0;
}

static void
put_peak(struct mmi_tables_sums *s)
{
	if (!holds())
		return;
	mmi_put_peak(&peaks_out,
		     &(struct monrec_peak){ s->sites, (uint64_t)site.held,
					    (uint64_t)site.held_bytes });
	s->peak_blocks += (uint64_t)site.held;
	s->peak_bytes += (uint64_t)site.held_bytes;
}

/* Limit each part to the whole, as read. */
static void
clamp_parts(uint64_t allocs, uint64_t frees)
{
	mmi_sums_at_most(&site.reallocs, allocs);
	mmi_sums_at_most(&site.moved, site.reallocs);
	if (!site.moved)
		site.copied = 0;
	mmi_sums_at_most(&site.near, frees);
	mmi_sums_at_most(&site.temps, site.near);
	mmi_sums_at_most(&site.by_others, frees);
	mmi_sums_at_most(&site.timed, frees);
	if (!site.timed)
		memset(&site.lives, 0, sizeof(site.lives));
}

/*
 * A lifetime that was just being added may be only in some of the numbers: make
 * the least, the longest and the sum agree with the bins.
 */
static void
clamp_lives(struct mmi_lives *l, unsigned first, unsigned end)
{
	uint64_t low = first ? 1ull << first : 0, high = 1ull << (end - 1);
	uint64_t most;

	if (l->min < low || l->min >= 2ull << first)
		l->min = low;
	if (l->max < (end > 1 ? high : 0))
		l->max = high;
	if (l->max < l->min)
		l->max = l->min;
	if (end < MONOUT_LIFE_BINS && l->max >= 2 * high)
		l->max = 2 * high - 1;
	if (l->sum < l->min * l->weight)
		l->sum = l->min * l->weight;
	if (!__builtin_mul_overflow(l->max, l->weight, &most) && l->sum > most)
		l->sum = most;
}

static void
put_life(struct mmi_tables_sums *s)
{
	struct mmi_lives *l = &site.lives;
	unsigned first = 0, end = MONOUT_LIFE_BINS;

	if (!(site.near | site.by_others | site.moved | site.longest |
	      site.timed))
		return;
	while (first < end && !l->bin[first])
		first++;
	while (end > first && !l->bin[end - 1])
		end--;
	if (end > first)
		clamp_lives(l, first, end);
	mmi_put_life(&lives_out,
		     &(struct monrec_life){ .site = s->sites,
					    .temps = site.temps,
					    .near = site.near,
					    .by_others = site.by_others,
					    .moved = site.moved,
					    .copied = site.copied,
					    .longest = site.longest,
					    .timed = site.timed,
					    .weight = l->weight,
					    .sum = l->sum,
					    .min = l->min,
					    .max = l->max,
					    .first = first,
					    .n = end - first,
					    .bins = (void *)&l->bin[first] });
}

static void
put_site(struct mmi_emit *o, struct mmi_tables_sums *s, uint32_t node,
	 const struct mmi_cell *newest)
{
	struct monrec_site x = { .node = node };
	struct mmi_tables_count all = { 0 };

	for (unsigned i = 0; i < MONOUT_NCLASS; i++) {
		if (!site.count[i].allocs)
			continue;
		x.mask |= 1u << i;
		x.size_class[i].allocs = site.count[i].allocs;
		x.size_class[i].bytes = site.count[i].bytes;
		x.size_class[i].frees = site.count[i].frees;
		x.size_class[i].freed = site.count[i].freed;
		count_add(&all, &site.count[i]);
	}
	if (!x.mask)
		return;
	clamp_parts(all.allocs, all.frees);
	x.reallocs = site.reallocs;
	mmi_put_site(o, &x);
	count_add(&s->count, &all);
	s->reallocs += site.reallocs;
	put_peak(s);
	put_life(s);
	mmi_cells_put_site(s, newest, holds());
	mmi_vtables_site(s, node);
	mmi_leak_site(s->sites, node);
	mmi_memory_site(s->sites, node);
	mmi_endings_site(s->sites, node);
	mmi_figures_put_site(s->sites);
#ifdef MEMMON_ACCESS
	mmi_accesses_site(s, node, all.allocs, all.bytes);
#endif
	s->sites++;
}

static void
put_sites(struct mmi_emit *o, struct mmi_tables_sums *s, uint64_t peaks)
{
	const struct mmi_cell *newest;

	mmi_emit_table(o, MONOUT_SITES, 0);
	mmi_emit_table_after(&peaks_out, o, MONOUT_PEAKS);
	mmi_emit_table_after(&lives_out, o, MONOUT_LIVES);
	mmi_cells_put_table(o);
	mmi_vtables_table(o);
	mmi_leak_begin(o);
	mmi_memory_begin_table(o);
	mmi_endings_begin(o, s->nodes);
	mmi_figures_put_begin(o);
#ifdef MEMMON_ACCESS
	mmi_accesses_begin(o);
#endif
	for (uint32_t i = 1; i <= s->nodes; i++) {
		newest = read_site(i, peaks);
		if (newest)
			put_site(o, s, i, newest);
	}
	mmi_emit_flush(o);
	s->peaks = mmi_emit_end(&peaks_out);
	s->lives = mmi_emit_end(&lives_out);
	mmi_cells_put_end(s);
	mmi_vtables_table_end(s);
	mmi_leak_tables(&s->leaks, &s->holds, &s->links);
	s->pins = mmi_memory_end_table();
	s->endings = mmi_endings_end();
	s->figures = mmi_figures_put_end();
#ifdef MEMMON_ACCESS
	mmi_accesses_end(s);
#endif
}

static void
put_bin(struct mmi_emit *o, struct mmi_tables_sums *s, uint64_t size,
	uint64_t allocs, uint64_t frees)
{
	if (!allocs)
		return;
	mmi_put_bin(o, &(struct monrec_bin){ size, allocs, frees });
	s->bins++;
}

static void
put_bins(struct mmi_emit *o, struct mmi_tables_sums *s)
{
	mmi_bins_complete(&bins, s->count.allocs, s->count.bytes,
			  s->count.frees, s->count.freed);
	mmi_emit_table(o, MONOUT_BINS, 0);
	for (unsigned i = 0; i <= MONOUT_BIN_MAX; i++)
		put_bin(o, s, i, bins.allocs[i], bins.frees[i]);
	for (unsigned i = 0; i < MMI_BINS; i++)
		put_bin(o, s, bins.other[i].size, bins.other[i].allocs,
			bins.other[i].frees);
	mmi_emit_flush(o);
	s->big = (struct mmi_tables_count){ bins.big_allocs, bins.big_bytes,
					    bins.big_frees, bins.big_freed };
}

void
mmi_tables_put(struct mmi_emit *o, uint64_t peaks, struct mmi_tables_sums *s)
{
	memset(s, 0, sizeof(*s));
	memset(&bins, 0, sizeof(bins));
	/* Before the cells: they contain all that the bins contain then. */
	mmi_bins_sum(&bins);
	/* Before the cells' rows: a cell made later is in no snapshot. */
	mmi_snapshots_put_begin();
	mmi_cells_put_begin();
	/* In this order: items refer to items of tables counted later. */
	s->nodes = mmi_sites_nodes();
	s->modules = mmi_modules_count();
	mmi_names_begin((unsigned)s->modules);
	mmi_emit_table(o, MONOUT_MODULES, 1);
	for (unsigned i = 0; i < s->modules; i++)
		put_module(o, i);
	s->modules = mmi_codes_put_modules(o, (unsigned)s->modules);
	mmi_emit_flush(o);
	mmi_emit_table(o, MONOUT_NODES, 1);
	for (uint32_t i = 1; i <= s->nodes; i++)
		put_node(o, i, mmi_sites_node(i));
	mmi_emit_flush(o);
	mmi_thread_totals_put(o, s);
	s->types = mmi_types_put(o);
	put_sites(o, s, peaks);
	put_bins(o, s);
}

/* How many blocks the recorded ones represent; all have about the same size. */
static void
weigh(uint64_t *blocks, uint64_t *bytes)
{
	double w;

	if (!mmi_sample_on() || !*blocks)
		return;
	w = mmi_sample_weight(*bytes / *blocks);
	*blocks = (uint64_t)((double)*blocks * w + 0.5);
	*bytes = (uint64_t)((double)*bytes * w + 0.5);
}

void
mmi_tables_sum(struct mmi_tables_sums *s)
{
	const struct mmi_cell *c;

	memset(s, 0, sizeof(*s));
	for (uint32_t i = 1; i <= mmi_sites_nodes(); i++) {
		struct mmi_tables_count n = { 0 };

		for (c = mmi_cells_of(i); c; c = mmi_cells_next(c)) {
			const struct mmi_extra *x = LOAD_ACQ(&c->extra);
			const struct mmi_fate *f = mmi_cell_fate(c);
			uint64_t bytes, k = cell_counts(c, x, true, &bytes);

			weigh(&k, &bytes);
			n.frees += k;
			n.freed += bytes;
			s->reallocs += f ? LOAD(&f->reallocs) : 0;
		}
		for (c = mmi_cells_of(i); c; c = mmi_cells_next(c)) {
			const struct mmi_extra *x = LOAD_ACQ(&c->extra);
			uint64_t bytes, k = cell_counts(c, x, false, &bytes);

			weigh(&k, &bytes);
			n.allocs += k;
			n.bytes += bytes;
		}
		count_add(&s->count, &n);
	}
}
