/* SPDX-License-Identifier: MIT */
/* Sums of how blocks were used: found, made, and those of live blocks. */
#include "monitor/use/use.h"

#include <string.h>
#include <time.h>

#include "monitor/base/arena.h"
#include "monitor/base/process.h"
#include "monitor/base/sampling.h"
#include "monitor/base/table.h"
#include "monitor/counts/live.h"
#include "monitor/counts/timed.h"

#define USES_MAX (1u << 22)
#define USES_SHIFT 6u /* whole pages */
_Static_assert((sizeof(struct mmi_use) << USES_SHIFT) % 4096 == 0, "pages");
static MMI_TABLE void *uses_dir[USES_MAX >> USES_SHIFT];
static uint64_t first_level[1u << MMI_TRIE_SHIFT(0)];

static struct mmi_trie uses = {
	.items = {
		.chunk = uses_dir,
		.chunks = USES_MAX >> USES_SHIFT,
		.shift = USES_SHIFT,
		.size = sizeof(struct mmi_use),
		.used = 1,
	},
	.level = { first_level },
	.batch = 1,
};

/* Blocks that were live at mmi_use_end() and aren't in sums. */
static uint64_t late_lost, late_odd;
static uint64_t ended; /* when live blocks were read, ns */
static bool ranges_held; /* may range records be read? */

struct mmi_use *
mmi_use_at(uint32_t i)
{
	return mmi_array_at(&uses.items, i);
}

static inline uint64_t
whose(const struct mmi_use *u)
{
	return u->item.key >> MMI_CELL_SIZE_BITS;
}

/* How many uses of the path are searched for the path's times. */
#define SIBLINGS 64u

/* The times of the path's blocks from that thread index; NULL: none yet. */
static struct mmi_use_time *
time_find(uint32_t path, uint64_t index)
{
	uint32_t i = LOAD_ACQ(&mmi_paths_at(path)->item.to);
	const struct mmi_use *u;

	for (unsigned k = 0; i && k < SIBLINGS; i = u->next, k++) {
		u = mmi_use_at(i);
		if (whose(u) == index)
			return u->time;
	}
	return NULL;
}

/* False: no memory; the next call tries again. */
static bool
use_init(struct mmi_thread *t, struct mmi_use *u, uint32_t i)
{
	uint64_t size = mmi_use_key_size(u);
	struct mmi_path *p = mmi_paths_at(u->item.parent);
	struct mmi_use_time *time = time_find(u->item.parent, whose(u));
	uint32_t head;

	/* Memory that the next try needs, too, is kept if this one fails. */
	if (size >= MMI_CELL_ANY && !u->bytes)
		u->bytes = mmi_arena_take(t, sizeof(*u->bytes), 16);
	if (size >= MMI_CELL_ANY && !u->bytes)
		return false;
	if (!time && !(time = mmi_arena_take(t, sizeof(*time), 16)))
		return false;
	if (size < MMI_CELL_ANY && !mmi_arena_tight() &&
	    (size <= MMI_USE_SMALL || time->sizes < MMI_USE_SIZES))
		u->grain = mmi_arena_take(
			t, 2 * mmi_use_grains(u) * sizeof(*u->grain), 16);
	time->sizes += size > MMI_USE_SMALL;
	u->time = time;
	head = LOAD_ACQ(&p->item.to);
	do
		u->next = head;
	while (!CAS(&p->item.to, &head, i));
	return true;
}

/* The use for one size; NULL: none yet. */
static struct mmi_use *
use_find(uint32_t path, uint64_t index, uint64_t size)
{
	uint32_t i =
		mmi_trie_find(&uses, path, index << MMI_CELL_SIZE_BITS | size);

	return i ? mmi_use_at(i) : NULL;
}

/*
 * Has the path sums of as many sizes as are allowed?  A sampled run needs sums
 * for each size because weights depend on the size.
 */
static bool
is_full(uint32_t path, uint64_t index, uint64_t size)
{
	const struct mmi_use_time *w;

	if (size <= MMI_USE_SMALL || size >= MMI_CELL_ANY || mmi_sample_on() ||
	    use_find(path, index, size))
		return false;
	w = time_find(path, index);
	return w && w->sizes >= MMI_USE_SIZES;
}

COLD struct mmi_use *
mmi_use_of(struct mmi_thread *t, const struct mmi_cell *c, uint32_t index)
{
	uint32_t path = mmi_paths_of(mmi_cell_node(c)), i;
	uint64_t size = mmi_cell_size(c), key;
	struct mmi_batch one = { 0, 0 };
	struct mmi_use *u;
	bool made;

	if (!path || index > MMI_USE_LATE)
		return NULL;
	if (is_full(path, index, size))
		size = MMI_CELL_ANY + mmi_class(size);
	key = (uint64_t)index << MMI_CELL_SIZE_BITS | size;
	i = mmi_trie_intern(&uses, &one, path, key, false, false, &made);
	if (!i)
		return NULL;
	u = mmi_use_at(i);
	return u->time || use_init(t, u, i) ? u : NULL;
}

uint64_t
mmi_use_size(uint64_t entry)
{
	return entry & MMI_LIVE_TIMED
		       ? mmi_timed_at(mmi_live_tail(entry))->size
		       : mmi_cell_size(mmi_cells_at(mmi_live_cell(entry)));
}

/* Is granule i in the block that begins at granule b?  *size: its size then. */
static inline bool
is_in(uint64_t i, uint64_t b, uint64_t *size)
{
	uint64_t v;

	if (b > i)
		return false;
	v = LOAD(&mmi_shadow.blocks[b]);
	if (!(v & MMI_SHADOW_START))
		return false;
	*size = mmi_use_size(v & MMI_SHADOW_ENTRY);
	return i - b < mmi_shadow_granules(*size);
}

uint64_t
mmi_use_block(uint64_t i, uint64_t *size)
{
	uint64_t b;

	if (is_in(i, i, size))
		return i;
	b = mmi_shadow_begins_far(i);
	if (is_in(i, b, size))
		return b;
	b = mmi_shadow_begins_near(i);
	return is_in(i, b, size) ? b : UINT64_MAX;
}

/* The sums of the cell's live blocks. */
static struct mmi_use *
late_of(struct mmi_thread *t, struct mmi_cell *c)
{
	if (!c->late)
		STORE_REL(&c->late, mmi_use_of(t, c, MMI_USE_LATE));
	return c->late;
}

static void
end_block(uint64_t i, uint64_t entry, void *arg)
{
	struct mmi_thread *t = arg;
	struct mmi_cell *c = mmi_cells_at(mmi_live_cell(entry));
	uint64_t size = mmi_use_size(entry);
	uint64_t info;
	uint32_t now = mmi_word_stamp(mmi_state_word(t));
	struct mmi_use *u;
	struct mmi_found f;

	if (mmi_cells_inherited(mmi_live_cell(entry)) || !size ||
	    !(LOAD(&mmi_shadow.blocks[i + 1]) & MMI_SHADOW_INFO))
		return;
	if (ranges_held)
		mmi_ranges_settle(i, mmi_shadow_granules(size));
	info = LOAD(&mmi_shadow.blocks[i + 1]);
	u = late_of(t, c);
	if (mmi_sample_on() && u) {
		if (mmi_use_grain(u, info))
			mmi_use_square(u, i, size, info);
		if (entry & MMI_LIVE_TIMED)
			t->lived = ended -
				   mmi_timed_at(mmi_live_tail(entry))->born;
	}
	if (u)
		mmi_shadow_read(&f, i, size, info, mmi_use_grain(u, info),
				false);
	late_lost += !u || !mmi_use_add(t, u, &f, size, now);
}

static void
end_odd(uintptr_t a, uint64_t entry, void *arg)
{
	(void)a;
	(void)arg;
	if (!mmi_cells_inherited(mmi_live_cell(entry)) && mmi_use_size(entry))
		late_odd++;
}

/* Resets it as if there had been no file before. */
static void
late_clear(struct mmi_use *l)
{
	struct mmi_use none = { .item = l->item,
				.grain = l->grain,
				.bytes = l->bytes,
				.time = l->time,
				.next = l->next };

	*l = none;
	l->time->pending = 0;
	l->time->groups.n = 0;
	if (l->bytes)
		memset(l->bytes, 0, sizeof(*l->bytes));
	if (l->grain)
		memset(l->grain, 0, 2 * mmi_use_grains(l) * sizeof(*l->grain));
}

void
mmi_use_end(struct mmi_thread *t)
{
	uint32_t end = LOAD_ACQ(&uses.items.used);
	struct mmi_use *u;

	for (uint32_t i = 1; i < end; i++) {
		u = mmi_use_at(i);
		if (u && u->time && whose(u) == MMI_USE_LATE)
			late_clear(u);
	}
	late_lost = late_odd = 0;
	ended = mmi_process_clock(CLOCK_MONOTONIC);
	ranges_held = mmi_ranges_hold();
	mmi_shadow_walk(end_block, t);
	if (ranges_held)
		mmi_ranges_release();
	mmi_live_walk(end_odd, NULL);
}

uint64_t
mmi_use_unfolded(void)
{
	return LOAD(&mmi_use_lost) + late_lost;
}

uint64_t
mmi_use_unplaced(void)
{
	return LOAD(&mmi_use_odd) + late_odd;
}

void
mmi_use_reset(void)
{
	mmi_use_lost = mmi_use_odd = 0;
	mmi_paths_reset();
}

void
mmi_use_fork(void)
{
	mmi_use_reset();
	mmi_trie_fork(&uses);
	mmi_paths_fork();
}
