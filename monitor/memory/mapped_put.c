/* SPDX-License-Identifier: MIT */
/* The table MAPPINGS: what the program maps by itself (record/mapped.h). */
#include "monitor/memory/mapped_put.h"

#include "monitor/base/arena.h"
#include "monitor/base/put.h"
#include "monitor/record/mapped.h"

static uint64_t *in_memory; /* bytes, by site */
static uint32_t nsites;

void
mmi_mapped_count(struct mmi_pieces *p)
{
	/* A copy: threads continue while pages are counted. */
	uint32_t room = mmi_mapped_ranges(NULL, 0), n = 0;
	struct mmi_mapped_range *r = mmi_arena_reserve(room * sizeof(*r));

	nsites = mmi_mapped_sites();
	in_memory = mmi_arena_reserve(nsites * sizeof(*in_memory));
	if (r && in_memory)
		n = mmi_mapped_ranges(r, room);
	for (uint32_t i = 0; i < n; i++)
		if (r[i].site < nsites)
			in_memory[r[i].site] +=
				mmi_pieces_resident(p, r[i].start, r[i].end);
	MMI_ARENA_DROP_PART(r, room * sizeof(*r), 0);
}

uint64_t
mmi_mapped_put(struct mmi_emit *o, uint64_t nodes)
{
	struct monrec_mapping x;
	uint64_t n;

	mmi_emit_table(o, MONOUT_MAPPINGS, 0);
	for (uint32_t i = 1; i < mmi_mapped_sites(); i++) {
		if (!mmi_mapped_site(i, &x) || !x.node || x.node > nodes)
			continue;
		if (in_memory && i < nsites)
			x.resident = in_memory[i];
		mmi_put_mapping(o, &x);
	}
	n = o->head.first + o->head.count;
	mmi_emit_flush(o);
	MMI_ARENA_DROP_PART(in_memory, nsites * sizeof(*in_memory), 0);
	nsites = 0;
	return n;
}
