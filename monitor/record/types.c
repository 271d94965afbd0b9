/* SPDX-License-Identifier: MIT */
/* Types that the program gives to blocks. */
#include "monitor/record/types.h"
#include "monitor/base/table.h"
#include "monitor/record/sample.h"

#include <errno.h>
#include <string.h>

#include "monitor/base/arena.h"
#include "monitor/base/put.h"
#include "monitor/counts/bins.h"
#include "monitor/counts/cells.h"
#include "monitor/counts/live.h"
#include "monitor/image/image.h"
#ifdef MEMMON_ACCESS
#include "monitor/use/grow.h"
#endif
#define MEMMON_ADDRESS(p) /* for callers only */
#include "monitor/base/next.h"
#include "monitor/base/pass.h"
#include "monitor/memmon.h"
#include "monitor/record/figures.h"
#include "monitor/record/record.h"
#include "monitor/thread/enter.h"

struct type {
	uint64_t hash, size;
	uint32_t length; /* of the name */
	char name[];
};

/*
 * Types by number, from 1, and numbers by hash: a type is within TYPES_WINDOW
 * places from its hash.  If two threads add the same type at the same time, it
 * may get two numbers; then one of them has no type.
 */
#define TYPE_SLOTS (2 * (MONOUT_TYPE_MAX + 1))
#define TYPES_WINDOW 64u
static MMI_TABLE struct type *types[MONOUT_TYPE_MAX + 1]; /* atomic; set once */
static MMI_TABLE uint32_t slots[TYPE_SLOTS];		/* atomic; set once */
uint32_t mmi_types_n;

static uint64_t
hash_of(const char *name, size_t n, uint64_t size)
{
	uint64_t h = 0xcbf29ce484222325u ^ size;

	while (n--)
		h = (h ^ (unsigned char)*name++) * 0x100000001b3u;
	return h * 0x9e3779b97f4a7c15ull;
}

static bool
is_type(const struct type *x, uint64_t hash, const char *name, size_t n,
	uint64_t size)
{
	return x && x->hash == hash && x->size == size && x->length == n &&
	       !memcmp(x->name, name, n);
}

/* A new number for a type; 0: no number is left, or no memory. */
static COLD uint32_t
type_new(struct mmi_thread *t, uint64_t hash, const char *name, size_t n,
	 uint64_t size)
{
	struct type *x;
	uint32_t i;

	if (LOAD(&mmi_types_n) >= MONOUT_TYPE_MAX || mmi_arena_tight() ||
	    !mmi_sites_more_types())
		return 0;
	x = mmi_arena_take(t, sizeof(*x) + n, 16);
	if (!x || (i = FETCH_ADD(&mmi_types_n, 1) + 1) > MONOUT_TYPE_MAX)
		return 0;
	x->hash = hash;
	x->size = size;
	x->length = (uint32_t)n;
	memcpy(x->name, name, n);
	STORE_REL(&types[i], x);
	mmi_image_type(i, size, name, n);
	return i;
}

uint64_t
mmi_types_key(struct mmi_thread *t, const char *name, uint64_t size)
{
	uint64_t hash;
	uint32_t i, mine = 0, *slot;
	size_t n = 0;

	while (n < MONOUT_TYPE_NAME_MAX && name[n])
		n++;
	hash = hash_of(name, n, size);
	for (unsigned k = 0; k < TYPES_WINDOW; k++) {
		slot = &slots[((hash >> 40) + k) % TYPE_SLOTS];
		i = LOAD_ACQ(slot);
		if (!i) {
			if (!mine)
				mine = type_new(t, hash, name, n, size);
			if (!mine)
				return 0;
			if (CAS(slot, &i, mine))
				return MONOUT_PC_TYPE + mine;
		}
		if (is_type(LOAD_ACQ(&types[i]), hash, name, n, size))
			return MONOUT_PC_TYPE + i;
	}
	return 0;
}

uint64_t
mmi_types_of(uint64_t entry)
{
	uint32_t i = mmi_live_cell(entry);
	const struct mmi_node *n;

	if (mmi_cells_inherited(i))
		return 0;
	n = mmi_sites_node(mmi_cell_node(mmi_cells_at(i)));
	return mmi_types_is(n) ? n->item.key : 0;
}

/* ------------------------------------------------- from cell to cell -- */

/* A block that moves. */
struct move {
	uint64_t size;
	bool own;  /* both cells and the block are this thread's */
	bool held; /* live at the peak, as far as is known */
};

/*
 * Before c changes.  If the block was live at the peak, c's `held' stays right.
 */
static void
move_note(struct mmi_thread *t, struct mmi_cell *c, const struct move *m,
	  uint64_t peaks)
{
	mmi_record_time(t, c, peaks);
	if (!m->held)
		mmi_record_held(c, peaks);
}

/* Takes the block out of c. */
static void
move_out(struct mmi_thread *t, struct mmi_cell *c, struct mmi_extra *x,
	 const struct move *m)
{
	uint64_t peaks = LOAD(&mmi_shared.heap.peaks);
	bool any = mmi_cell_size(c) >= MMI_CELL_ANY;

	move_note(t, c, m, peaks);
	if (m->held && MMI_HEAP_SAME_PEAK(c->epoch, peaks)) {
		c->held--;
		if (any)
			x->held_bytes -= (int64_t)m->size;
	}
	if (any) {
		STORE(&x->freed, x->freed + m->size);
		STORE(&x->away_bytes, x->away_bytes + m->size);
		mmi_bins_add(mmi_bins_of(t), m->size, -1ull, 0);
	}
	STORE_REL(&c->frees, c->frees + 1);
	STORE_REL(&x->away, x->away + 1);
}

/* Puts the block into c. */
static void
move_in(struct mmi_thread *t, struct mmi_cell *c, const struct move *m)
{
	uint64_t peaks = LOAD(&mmi_shared.heap.peaks);
	bool any = mmi_cell_size(c) >= MMI_CELL_ANY;

	move_note(t, c, m, peaks);
	if (m->held && MMI_HEAP_SAME_PEAK(c->epoch, peaks)) {
		c->held++;
		if (any)
			c->extra->held_bytes += (int64_t)m->size;
	}
	if (any) {
		STORE(&c->extra->bytes, c->extra->bytes + m->size);
		mmi_bins_add(mmi_bins_of(t), m->size, 1, 0);
	}
	STORE_REL(&c->allocs, c->allocs + 1);
}

/* Moves the count of the realloc that made the block to the cell `to'. */
static void
move_realloc(struct mmi_thread *t, struct mmi_fate *x, struct mmi_cell *to,
	     uint32_t resized)
{
	struct mmi_fate *y =
		x && x->reallocs ? mmi_cells_fate(t, to, true) : NULL;
	struct monimg_figure *n;
	uint64_t bytes;

	if (!y)
		return;
	if (x->figures && (n = mmi_cells_figures(t, to)))
		mmi_figures_move(x->figures, n, x->reallocs);
	STORE(&x->reallocs, x->reallocs - 1);
	STORE(&y->reallocs, y->reallocs + 1);
	if (resized > y->longest)
		STORE(&y->longest, resized);
	/* If there were other reallocs, it isn't known which moved a block. */
	if (x->moved > x->reallocs) {
		bytes = x->copied / x->moved;
		STORE(&x->moved, x->moved - 1);
		STORE(&x->copied, x->copied - bytes);
		STORE(&y->moved, y->moved + 1);
		STORE(&y->copied, y->copied + bytes);
	}
}

/* Moves the count of the block's usable size, too. */
static void
move_looked(const void *p, struct mmi_cell *from, struct mmi_cell *to,
	    struct mmi_timed *s)
{
	uint64_t one = 1ull << MMI_CELLS_LOOKED_SHIFT, more;

	if (!(s->weight & MMI_TIMED_LOOKED))
		return;
	more = mmi_next.malloc_usable_size((void *)p) - s->size;
	s->weight &= ~MMI_TIMED_LOOKED;
	if (from->looked < one + more)
		return;
	STORE(&from->looked, from->looked - one - more);
	if (mmi_cells_looked(to, more))
		s->weight |= MMI_TIMED_LOOKED;
}

/*
 * The new entry of the block of `entry', for cell i; 0: no memory.  A cell for
 * all sizes has timed blocks only.
 */
static uint64_t
entry_move(struct mmi_thread *t, uint64_t entry, uint32_t i,
	   const struct mmi_gone *g, bool own)
{
	uint32_t tail = mmi_live_tail(entry), n;
	struct mmi_timed *s;

	if (!(entry & MMI_LIVE_TIMED) &&
	    mmi_cell_size(mmi_cells_at(i)) < MMI_CELL_ANY)
		return mmi_live_entry(
			i, 0,
			own ? tail : tail | MMI_LIVE_TAIL(MMI_LIVE_NOBODY, 0));
	if (!(entry & MMI_LIVE_TIMED)) {
		n = mmi_timed_take(t, true);
		if (!n)
			return 0;
		s = mmi_timed_at(n);
		*s = (struct mmi_timed){ .size = g->size,
					 .ordinal = g->ordinal,
					 .seq = MMI_LIVE_PLACE(tail) };
		tail = n;
	}
	if (!own)
		mmi_timed_at(tail)->ordinal = MMI_LIVE_NOBODY;
	return mmi_live_entry(i, MMI_LIVE_TIMED, tail);
}

/*
 * Moves the block from its cell, of a node, to a cell of node `to'.  Returns
 * its new entry; 0: no memory.
 */
static uint64_t
cell_move(struct mmi_thread *t, const void *p, uint64_t entry, uint32_t node,
	  uint32_t to)
{
	struct mmi_cell *c = mmi_cells_at(mmi_live_cell(entry)), *from, *k;
	struct mmi_gone g;
	struct move m;
	struct mmi_extra *x;
	uint32_t i, j;

	mmi_record_known(entry, &g);
	m.size = g.size;
	m.own = t->mine && g.ordinal == t->mine;
	mmi_heap_top();
	m.held = !MMI_HEAP_SAME_PEAK(LOAD_ACQ(&c->epoch),
				     LOAD(&mmi_shared.heap.peaks));
	/* Only the other thread may change its cells: this thread counts the
	 * move in cells of its own, for blocks of other threads. */
	j = m.own ? c->number : mmi_cells_others(t, node, g.size);
	i = m.own ? mmi_cells_find(t, to, g.size)
		  : mmi_cells_others(t, to, g.size);
	if (!i || !j)
		return 0;
	from = mmi_cells_at(j);
	k = mmi_cells_at(i);
	x = mmi_cells_extra(t, from, true);
	if (!x || !(entry = entry_move(t, entry, i, &g, m.own)))
		return 0;
	move_in(t, k, &m);
	move_out(t, from, x, &m);
#ifdef MEMMON_ACCESS
	if (m.own && mmi_grow_made(t, k, p, g.size))
		mmi_grow_mark((uintptr_t)p);
#endif
	if (m.own && entry & MMI_LIVE_TIMED) {
		struct mmi_timed *s = mmi_timed_at(mmi_live_tail(entry));

		if (s->resized)
			move_realloc(t, from->fate, k, s->resized);
		move_looked(p, from, k, s);
	}
	return entry;
}

bool
mmi_types_give(struct mmi_thread *t, const void *p, uint64_t key)
{
	uint64_t entry = mmi_live_take(p), new = 0;
	uint32_t i = mmi_live_cell(entry), node, base, to;
	bool ok;

	if (!entry)
		return false;
	if (!mmi_cells_inherited(i)) {
		node = mmi_cell_node(mmi_cells_at(i));
		base = mmi_types_is(mmi_sites_node(node))
			       ? mmi_sites_node(node)->item.parent
			       : node;
		to = key ? mmi_sites_typed(t, base, key) : 0;
		if (to == node)
			new = entry;
		else if (to)
			new = cell_move(t, p, entry, node, to);
		t->pub->count.untyped += !new;
	}
	mmi_live_put(t, p, 0, new ? new : entry, &ok);
	return ok && new;
}

EXPORT int
memmon_type(const void *p, const char *name, size_t size)
{
	struct mmi_thread *t;
	bool ok = false;
	int e = errno;
	uint64_t key;

	PASS(memmon_type, p, name, size);
	if (!p || !name)
		return -1;
	t = mmi_thread_enter_on();
	if (t) {
		key = mmi_types_key(t, name, size);
		ok = mmi_types_give(t, p, key) || (key && mmi_sample_on());
		mmi_thread_leave(t);
	}
	errno = e;
	return ok ? 0 : -1;
}

/* -------------------------------------------------------------- the file -- */

uint64_t
mmi_types_put(struct mmi_emit *o)
{
	uint32_t n = LOAD_ACQ(&mmi_types_n);
	const struct type *x;

	if (n > MONOUT_TYPE_MAX)
		n = MONOUT_TYPE_MAX;
	mmi_emit_table(o, MONOUT_TYPES, 1);
	for (uint32_t i = 1; i <= n; i++) {
		x = LOAD_ACQ(&types[i]);
		mmi_put_type(o, &(struct monrec_type){ .size = x ? x->size : 0,
						       .name = x ? x->name : "",
						       .namelen = x ? x->length
								    : 0 });
	}
	mmi_emit_flush(o);
	return n;
}

void
mmi_types_share(void)
{
	const struct type *x;

	for (uint32_t i = 1; i <= LOAD_ACQ(&mmi_types_n); i++) {
		x = i <= MONOUT_TYPE_MAX ? LOAD_ACQ(&types[i]) : NULL;
		if (x)
			mmi_image_type(i, x->size, x->name, x->length);
	}
}
