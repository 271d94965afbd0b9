/* SPDX-License-Identifier: MIT */
/* Which call paths freed timed blocks: see endings.h. */
#include "monitor/counts/endings.h"

#include "monitor/base/arena.h"
#include "monitor/base/put.h"
#include "monitor/base/shared.h"
#include "monitor/base/sort.h"
#include "monitor/base/table.h"
#include "monitor/base/wait.h"
#include "monitor/chain/sites.h"
#include "monitor/chain/unwind.h"

/* Places, a power of 2, and how many of them may be used. */
#define ENDINGS_PLACES 4096u
#define ENDINGS_MOST (ENDINGS_PLACES / 4 * 3)

struct endings_pair {
	uint64_t node; /* that allocated; above it the era */
	uint64_t by;   /* node that freed; 0: unknown */
	uint64_t blocks, weight, bytes, life;
};

static MMI_TABLE struct endings_pair endings_pairs[ENDINGS_PLACES];
static MMI_TABLE uint16_t endings_place[ENDINGS_MOST]; /* of used pairs */
/* Pairs of an earlier era are free places: a reset and a fork begin another. */
static uint32_t endings_era = 1, endings_used;
static uint32_t endings_epoch; /* of recording, see control.h */
static uint64_t endings_lost;  /* atomic */
static int endings_held;       /* atomic: a thread uses the pairs */

/*
 * False: another thread holds the pairs, or the code that this one interrupted.
 */
static bool
endings_take(void)
{
	struct mmi_wait w = { 0, 0 };
	int none = 0;

	while (UNLIKELY(!CAS(&endings_held, &none, 1))) {
		/* The holder needs some ns: don't sleep. */
		if (w.n == MMI_WAIT_SPINS || !mmi_wait_more(&w, 0))
			return false;
		none = 0;
	}
	return true;
}

static void
endings_forget(void)
{
	STORE(&endings_era, endings_era + 1);
	endings_used = 0;
	STORE(&endings_lost, 0);
}

/* After a reset the old counts mean nothing any more. */
static void
endings_look_for_reset(void)
{
	uint32_t now = LOAD_ACQ(&mmi_shared.control.epoch);

	if (now == endings_epoch)
		return;
	endings_epoch = now;
	endings_forget();
}

/* The pair, made if necessary; NULL: all places are used. */
static struct endings_pair *
endings_pair_of(uint32_t node, uint32_t by)
{
	uint64_t h = ((uint64_t)node << 32 | by) * 0x9e3779b97f4a7c15ull;
	uint64_t key = (uint64_t)endings_era << 32 | node;
	struct endings_pair *p;

	for (uint32_t i = (uint32_t)(h >> 40);; i++) {
		p = &endings_pairs[i % ENDINGS_PLACES];
		if (p->node == key && p->by == by)
			return p;
		if (p->node >> 32 != endings_era)
			break;
	}
	if (endings_used == ENDINGS_MOST)
		return NULL;
	STORE(&p->blocks, 0);
	p->weight = p->bytes = p->life = 0;
	p->by = by;
	STORE_REL(&p->node, key);
	endings_place[endings_used] = (uint16_t)(p - endings_pairs);
	STORE_REL(&endings_used, endings_used + 1);
	return p;
}

void
mmi_endings_add(struct mmi_thread *t, uint32_t node, const struct arch_entry *e,
		uint64_t size, uint32_t weight, uint64_t ns)
{
	uint32_t by = e ? mmi_sites_node_of(t, mmi_unwind(t, e)) : 0;
	struct endings_pair *p;

	if (UNLIKELY(!endings_take())) {
		FETCH_ADD(&endings_lost, 1);
		return;
	}
	endings_look_for_reset();
	p = endings_pair_of(node, by);
	if (p) {
		STORE(&p->weight, p->weight + weight);
		STORE(&p->bytes, p->bytes + size * weight);
		STORE(&p->life, p->life + ns * weight);
		STORE_REL(&p->blocks, p->blocks + 1);
	} else {
		FETCH_ADD(&endings_lost, 1);
	}
	STORE_REL(&endings_held, 0);
}

void
mmi_endings_fork(void)
{
	STORE(&endings_held, 0);
	endings_epoch = mmi_shared.control.epoch;
	endings_forget();
}

/* ------------------------------------------------------------------ files */

static struct mmi_emit endings_out = MMI_EMIT_FULL;
static struct endings_pair *endings_sorted; /* by node; NULL: no memory */
static uint32_t endings_n, endings_next;
static uint64_t endings_last; /* node of the file */

#define ENDINGS_BYTES (ENDINGS_MOST * sizeof(*endings_sorted))

void
mmi_endings_begin(struct mmi_emit *o, uint64_t nodes)
{
	mmi_emit_table_after(&endings_out, o, MONOUT_ENDINGS);
	endings_sorted = mmi_arena_map(ENDINGS_BYTES);
	endings_n = endings_next = 0;
	endings_last = nodes;
	if (!endings_sorted ||
	    endings_epoch != LOAD_ACQ(&mmi_shared.control.epoch))
		return;
	for (uint32_t i = 0, n = LOAD_ACQ(&endings_used); i < n; i++) {
		const struct endings_pair *p = &endings_pairs[endings_place[i]];
		struct endings_pair *to = &endings_sorted[endings_n];
		uint64_t blocks = LOAD_ACQ(&p->blocks);

		if (p->node >> 32 != endings_era || !blocks)
			continue;
		/* A block that is just being counted may be missing, or counted
		 * in part. */
		*to = *p;
		to->blocks = blocks;
		to->node = (uint32_t)to->node;
		endings_n++;
	}
	mmi_sort(endings_sorted, endings_n,
		 sizeof(*endings_sorted) / sizeof(uint64_t));
}

void
mmi_endings_site(uint64_t number, uint32_t node)
{
	while (endings_next < endings_n &&
	       endings_sorted[endings_next].node < node)
		endings_next++;
	for (; endings_next < endings_n &&
	       endings_sorted[endings_next].node == node;
	     endings_next++) {
		const struct endings_pair *p = &endings_sorted[endings_next];

		mmi_put_ending(&endings_out,
			       &(struct monrec_ending){
				       .site = number,
				       .node = p->by <= endings_last ? p->by
								     : 0,
				       .blocks = p->blocks,
				       .weight = p->weight,
				       .bytes = p->bytes,
				       .life = p->life });
	}
}

uint64_t
mmi_endings_end(void)
{
	MMI_ARENA_DROP(endings_sorted, ENDINGS_BYTES);
	return mmi_emit_end(&endings_out);
}

uint64_t
mmi_endings_lost(void)
{
	return endings_epoch == LOAD_ACQ(&mmi_shared.control.epoch)
		       ? LOAD(&endings_lost)
		       : 0;
}
