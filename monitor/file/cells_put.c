/* SPDX-License-Identifier: MIT */
/*
 * Cells as items of the data file.
 *
 * A cell counts the frees that its thread made, no matter which thread
 * allocated the blocks.  How many of a thread's own blocks were freed follows
 * from the live blocks: the live map says which cell counted each.  If this
 * number differs from the cell's frees, another item, without a thread, has the
 * difference.  So all items add up to the sums of the cells.  If no thread
 * runs, these differences add up to 0.
 */
#include "monitor/file/cells_put.h"

#include <string.h>

#include "monitor/base/arena.h"
#include "monitor/base/put.h"
#include "monitor/counts/history.h"
#include "monitor/counts/live.h"
#include "monitor/file/history_put.h"
#include "monitor/file/vtables.h"
#include "monitor/memory/memory.h"
#include "monitor/record/record.h"
#include "monitor/thread/owners.h"

static struct mmi_emit out = MMI_EMIT_FULL;
static struct mmi_cell_counts *rows; /* NULL: no memory */
static size_t touched;		     /* bytes of rows that are in use */
static uint32_t first, end;	     /* numbers of the cells that have a row */
/* For a site's cells without a row: the first cells, and all others. */
#define FEW 256u
static struct mmi_cell_counts few[FEW], rest[MONOUT_NCLASS];
static uint32_t few_of[FEW], nfew;

/* Find the cell of a live block, and fill in its facts; NULL: it has no row. */
static const struct mmi_cell *
cell_of(uint64_t entry, struct mmi_gone *g)
{
	uint32_t i = mmi_live_cell(entry);

	if (i < first || i >= end)
		return NULL;
	mmi_record_known(entry, g);
	return mmi_cells_at(i);
}

static void
count_live(uintptr_t a, uint64_t entry, void *arg)
{
	struct mmi_gone g;
	const struct mmi_cell *c = cell_of(entry, &g);
	struct mmi_cell_counts *row;

	(void)arg;
	if (!c)
		return;
	if (a) {
		mmi_vtables_block(a, mmi_cell_node(c), g.size);
		mmi_memory_block(a, g.size);
	}
	row = &rows[mmi_live_cell(entry) - first];
	row->live++;
	row->live_bytes += g.size;
}

static void
pin_live(uintptr_t a, uint64_t entry, void *arg)
{
	struct mmi_gone g;
	const struct mmi_cell *c = cell_of(entry, &g);

	(void)arg;
	if (c)
		mmi_memory_pin(a, g.size, mmi_cell_node(c));
}

#ifdef MEMMON_ACCESS
static void
count_shadow(uint64_t granule, uint64_t entry, void *arg)
{
	count_live(mmi_vtables_address(granule), entry, arg);
}

static void
pin_shadow(uint64_t granule, uint64_t entry, void *arg)
{
	pin_live(mmi_vtables_address(granule), entry, arg);
}
#endif

/*
 * Rows for cells that are made meanwhile: this many, and half as many as exist.
 */
#define LATER 1024u

static size_t
rows_size(void)
{
	return (size_t)(end - first) * sizeof(*rows);
}

void
mmi_cells_put_begin(void)
{
	uint32_t n;

	end = LOAD_ACQ(&mmi_cells.items.used);
	first = mmi_shared.cells_first < end ? mmi_shared.cells_first : end;
	n = end - first;
	end += n / 2 + LATER;
	rows = mmi_arena_map_part(rows_size(), (n + 1) * sizeof(*rows));
	touched = (n + 1) * sizeof(*rows);
	if (!rows)
		return;
	mmi_vtables_begin();
	mmi_live_walk(count_live, NULL);
#ifdef MEMMON_ACCESS
	mmi_shadow_walk(count_shadow, NULL);
#endif
	mmi_vtables_end();
	if (!mmi_memory_pins())
		return;
	mmi_live_walk(pin_live, NULL);
#ifdef MEMMON_ACCESS
	mmi_shadow_walk(pin_shadow, NULL);
#endif
}

void
mmi_cells_put_table(struct mmi_emit *o)
{
	mmi_emit_table_after(&out, o, MONOUT_CELLS);
	mmi_history_put_begin(o);
	if (!rows)
		mmi_history_put_lost();
}

void
mmi_cells_put_site_begin(void)
{
	memset(rest, 0, sizeof(rest));
	nfew = 0;
}

/* Is it known which of the cell's blocks are live? */
static bool
has_row(const struct mmi_cell *c)
{
	return rows && c->number < end;
}

struct mmi_cell_counts *
mmi_cells_put_of(const struct mmi_cell *c)
{
	uint32_t k = 0;

	if (has_row(c))
		return &rows[c->number - first];
	while (k < nfew && few_of[k] != c->number)
		k++;
	if (k == FEW)
		return &rest[mmi_cell_class(c)];
	if (k == nfew) {
		memset(&few[k], 0, sizeof(few[k]));
		few_of[nfew++] = c->number;
	}
	return &few[k];
}

/* size: as it is in the file */
static void
put_row(const struct mmi_tables_sums *s, uint64_t thread, uint64_t size,
	const struct mmi_cell_counts *r)
{
	/* If a cell counts all sizes, bytes may differ even if blocks don't. */
	if (!(r->allocs | r->frees | (uint64_t)r->held | r->looked | r->bytes |
	      r->freed | (uint64_t)r->held_bytes))
		return;
	mmi_put_cell(&out, &(struct monrec_cell){ .site = s->sites,
						  .thread = thread,
						  .size = size >> 1,
						  .any = size & 1,
						  .allocs = r->allocs,
						  .frees = r->frees,
						  .peak_blocks = r->held,
						  .bytes = r->bytes,
						  .freed = r->freed,
						  .peak_bytes = r->held_bytes,
						  .looked = r->looked,
						  .slack = r->slack });
}

/*
 * The earlier counts of the cell.  If it freed blocks of other threads, or
 * other threads freed its blocks, it is unknown whose allocations were live at
 * a snapshot.
 */
static void
put_history(const struct mmi_tables_sums *s, const struct mmi_cell *c,
	    uint64_t thread, uint64_t size, const struct mmi_cell_counts *r)
{
	bool own = r->frees == r->allocs - r->live &&
		   !(LOAD(&c->item.to) & MMI_CELL_BY_OTHERS);

	mmi_history_put_cell(c, s->sites, own ? thread : 0, size, r);
}

/*
 * A block is in the live map before its cell counts it: the thread may not have
 * counted it yet when the cell was read.
 */
static void
clamp_live(struct mmi_cell_counts *r)
{
	mmi_sums_at_most(&r->live, r->allocs);
	mmi_sums_at_most(&r->live_bytes, r->bytes);
}

static void
put_cell(const struct mmi_tables_sums *s, const struct mmi_cell *c, bool peak)
{
	uint64_t thread = has_row(c) ? mmi_owners_of(mmi_cell_owner(c)) : 0,
		 size = mmi_cell_size(c);
	struct mmi_cell_counts *at = mmi_cells_put_of(c), r = *at, more = { 0 };
	uint64_t looked = LOAD(&c->looked);

	if (at >= rest && at < rest + MONOUT_NCLASS) {
		at->looked += looked >> MMI_CELLS_LOOKED_SHIFT;
		at->slack += looked & MMI_CELLS_LOOKED_BYTES;
		return;
	}
	clamp_live(&r);
	size = size < MMI_CELL_ANY ? 2 * size : 2 * (size - MMI_CELL_ANY) + 1;
	r.looked = looked >> MMI_CELLS_LOOKED_SHIFT;
	r.slack = looked & MMI_CELLS_LOOKED_BYTES;
	if (!peak)
		r.held = r.held_bytes = 0;
	put_history(s, c, thread, size, &r);
	if (thread) {
		more.frees = r.frees - (r.allocs - r.live);
		more.freed = r.freed - (r.bytes - r.live_bytes);
		r.frees -= more.frees;
		r.freed -= more.freed;
	}
	put_row(s, thread, size, &r);
	put_row(s, 0, size, &more);
}

void
mmi_cells_put_site(const struct mmi_tables_sums *s, const struct mmi_cell *c,
		   bool peak)
{
	for (; c; c = mmi_cells_next(c))
		put_cell(s, c, peak);
	for (unsigned k = 0; k < MONOUT_NCLASS; k++) {
		if (!peak)
			rest[k].held = rest[k].held_bytes = 0;
		mmi_history_put_new(s->sites, 2 * k + 1, &rest[k]);
		put_row(s, 0, 2 * k + 1, &rest[k]);
	}
}

void
mmi_cells_put_end(struct mmi_tables_sums *s)
{
	s->cells = mmi_emit_end(&out);
	s->changes = mmi_history_put_end();
	MMI_ARENA_DROP_PART(rows, rows_size(), touched);
}
