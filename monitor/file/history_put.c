/* SPDX-License-Identifier: MIT */
/* The counts of cells at snapshots, put into the file. */
#include "monitor/file/history_put.h"

#include <limits.h>

#include "monitor/base/put.h"
#include "monitor/counts/history_notes.h"
#include "monitor/counts/snapshots.h"
#include "monitor/file/snapshots_put.h"

static struct mmi_emit out = MMI_EMIT_FULL;
static bool all; /* nothing is missing */

void
mmi_history_put_begin(struct mmi_emit *o)
{
	all = mmi_snapshots_step() && mmi_history_whole();
	mmi_emit_table_after(&out, o, MONOUT_CHANGES);
}

void
mmi_history_put_lost(void)
{
	all = false;
}

/* The notes of one cell, with places instead of numbers of snapshots. */
static struct mmi_notes notes;

/* Packing takes less time than it takes until the next snapshot. */
#define TRIES 4

static bool
read_notes(const struct mmi_cell *c)
{
	const struct mmi_head *h = mmi_history_head(c->number);
	bool any = mmi_cell_size(c) >= MMI_CELL_ANY;

	for (int i = 0; i < TRIES; i++) {
		notes.n = 0;
		if (!h || mmi_history_read(&notes, h, any,
					   mmi_snapshots_put_place) != UINT_MAX)
			return true;
	}
	return false;
}

/* As in the file: the difference to the note before. */
static void
put_notes(uint64_t site, uint64_t thread, uint64_t size)
{
	static __typeof__(*((struct monrec_change *)NULL)
				   ->changes) list[MMI_SNAPSHOTS + 2];
	struct mmi_note last = { 0 };

	for (unsigned i = 0; i < notes.n; i++) {
		const struct mmi_note *n = &notes.note[i];

		list[i].snapshot = n->snapshot - last.snapshot;
		list[i].allocs = n->allocs - last.allocs;
		list[i].frees = n->frees - last.frees;
		list[i].bytes = n->bytes - last.bytes;
		list[i].freed = n->freed - last.freed;
		last = *n;
	}
	mmi_put_change(&out, &(struct monrec_change){ .site = site,
						      .thread = thread,
						      .size = size >> 1,
						      .any = size & 1,
						      .n = notes.n,
						      .changes = list });
}

/* Write `notes', and after them *r, the counts at `snapshot', as the last. */
static void
put_last(uint64_t site, uint64_t thread, uint64_t size, uint64_t snapshot,
	 const struct mmi_cell_counts *r)
{
	struct mmi_note n = { .snapshot = snapshot,
			      .allocs = r->allocs,
			      .frees = r->frees };

	if (size & 1) {
		n.bytes = r->bytes;
		n.freed = r->freed;
	}
	mmi_history_add(&notes, n, mmi_snapshots_put_place);
	put_notes(site, thread, size);
}

void
mmi_history_put_new(uint64_t site, uint64_t size,
		    const struct mmi_cell_counts *r)
{
	if (!all || !(r->allocs | r->frees))
		return;
	notes.n = 0;
	put_last(site, 0, size, UINT64_MAX, r);
}

void
mmi_history_put_cell(const struct mmi_cell *c, uint64_t site, uint64_t thread,
		     uint64_t size, const struct mmi_cell_counts *r)
{
	uint64_t heard = LOAD_ACQ(&c->epoch) >> MMI_HEAP_SNAPSHOT;

	if (!all || !(r->allocs | r->frees))
		return;
	if (read_notes(c))
		put_last(site, thread, size, heard + 1, r);
	else
		all = false;
}

uint64_t
mmi_history_put_end(void)
{
	uint64_t items = mmi_emit_end(&out);

	return all && mmi_history_whole() ? items : UINT64_MAX;
}
