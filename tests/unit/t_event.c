/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events of one thread and its signal handlers, compared with a plain model. */
#include "tests/tap.h"
#include "tests/unit/events.h"

#define CHAINS 40u
#define SLOTS 2000u

/* The expected result. */
struct sums {
	uint64_t allocs, bytes, frees, freed, reallocs;
	uint64_t held, held_bytes;
	uint64_t temps, near, moved, copied, longest;
	uint64_t timed, life, min, max;
};

static struct block {
	uint64_t size, born, seq;
	unsigned chain, resized;
	bool live, inherited, handler;
} block[SLOTS];

static struct sums want[CHAINS];
static uint64_t live, peak, inherited, unseen, seq;
static bool all_timed;

static unsigned
any(unsigned n)
{
	return (unsigned)random() % n;
}

static uintptr_t
address(unsigned slot)
{
	return 0x500000000000 + 8 * 7 * (uintptr_t)slot;
}

static void
model_alloc(struct block *b, uint64_t size, unsigned chain, bool handler)
{
	struct sums *w = &want[chain];

	*b = (struct block){ .size = size,
			     .born = events_now,
			     .seq = seq,
			     .chain = chain,
			     .live = true,
			     .handler = handler };
	seq += !handler;
	w->allocs++;
	w->bytes += size;
	live += size;
	if (live <= peak)
		return;
	peak = live;
	for (unsigned i = 0; i < CHAINS; i++) {
		want[i].held = want[i].allocs - want[i].frees;
		want[i].held_bytes = want[i].bytes - want[i].freed;
	}
}

/* near: does the monitor record how soon the block was freed? */
static void
model_free(struct block *b, bool near)
{
	struct sums *w = &want[b->chain];
	uint64_t ns = events_now - b->born;

	b->live = false;
	if (b->inherited) {
		inherited++;
		return;
	}
	w->frees++;
	w->freed += b->size;
	live -= b->size;
	if (near && !b->handler) {
		w->near += seq - b->seq <= MONOUT_NEAR;
		w->temps += seq - b->seq == 1;
	}
	if (!w->timed || ns < w->min)
		w->min = ns;
	if (ns > w->max)
		w->max = ns;
	w->timed++;
	w->life += ns;
}

static void
do_alloc(unsigned slot, bool handler)
{
	static const uint64_t sizes[] = { 0,   1,    16,   32,	 33,	  256,
					  257, 2048, 2049, 5000, 1u << 20 };
	unsigned chain = any(CHAINS);
	uint64_t size = any(4) ? 10 + chain : sizes[any(11)];

	model_alloc(&block[slot], size, chain, handler);
	events_alloc(address(slot), size, chain);
}

static void
do_realloc(unsigned slot)
{
	struct block *b = &block[slot], old = *b;
	unsigned to = any(2) ? slot : any(SLOTS), chain = any(CHAINS);
	uint64_t size = any(5000);
	struct sums *w = &want[chain];

	if (to != slot && block[to].live)
		to = slot;
	if (!any(10)) {
		events_realloc(address(slot), 0, size, chain);
		return;
	}
	model_free(b, false);
	model_alloc(&block[to], size, chain, false);
	events_realloc(address(slot), address(to), size, chain);
	if (old.inherited)
		return;
	block[to].resized = old.resized + 1;
	w->reallocs++;
	if (block[to].resized > w->longest)
		w->longest = block[to].resized;
	if (to == slot)
		return;
	w->moved++;
	w->copied += old.size < size ? old.size : size;
}

static void
step(void)
{
	unsigned slot = any(SLOTS), r = any(100);
	struct mmi_thread *me = mmi_thread_self();
	bool handler = me && any(20) == 0;

	events_now += any(1000);
	/* As if an event of this thread had been interrupted. */
	if (handler)
		me->busy = 1;
	if (block[slot].live && r < 8 && !handler) {
		do_realloc(slot);
	} else if (block[slot].live) {
		model_free(&block[slot], !handler);
		events_free(address(slot));
	} else if (r == 0) {
		unseen++;
		events_free(address(slot));
	} else if (r < 30 && !handler) {
		/* Freed soon. */
		do_alloc(slot, false);
		for (unsigned n = any(3) ? 0 : any(20); n > 0; n--) {
			unsigned other = any(SLOTS);

			if (!block[other].live)
				do_alloc(other, false);
		}
		model_free(&block[slot], true);
		events_free(address(slot));
	} else {
		do_alloc(slot, handler);
	}
	if (handler)
		me->busy = 0;
}

static void
compare_lives(const struct sums *w, const char *phase)
{
	const struct mmi_lives *l = &site.lives;
	uint64_t n = 0;

	for (unsigned i = 0; i < MONOUT_LIFE_BINS; i++)
		n += l->bin[i];
	if (timing == 0)
		is_int(site.timed, 0, "%s: none timed", phase);
	else if (all_timed)
		ok(site.timed == w->timed && l->weight == w->timed &&
			   n == w->timed && l->sum == w->life &&
			   (!w->timed ||
			    (l->min == w->min && l->max == w->max)),
		   "%s: all timed", phase);
	else
		ok(site.timed <= w->timed && n == l->weight &&
			   l->weight >= site.timed &&
			   (!site.timed ||
			    (l->min >= w->min && l->max <= w->max)),
		   "%s: some timed", phase);
}

static void
compare_site(unsigned chain, const char *phase)
{
	const struct sums *w = &want[chain];
	struct mmi_tables_count c;

	events_site(chain);
	c = events_count();
	ok(c.allocs == w->allocs && c.bytes == w->bytes &&
		   c.frees == w->frees && c.freed == w->freed,
	   "%s: chain %u: counts", phase, chain);
	ok((uint64_t)site.held == w->held &&
		   (uint64_t)site.held_bytes == w->held_bytes,
	   "%s: held at the peak", phase);
	ok(site.reallocs == w->reallocs && site.moved == w->moved &&
		   site.copied == w->copied && site.longest == w->longest,
	   "%s: reallocs", phase);
	ok(site.near == w->near && site.temps == w->temps && !site.by_others,
	   "%s: freed soon, %lu and %lu", phase, (unsigned long)w->near,
	   (unsigned long)w->temps);
	compare_lives(w, phase);
}

/* As in a forked child, with the parent's blocks and its own. */
static void
phase(const char *name, unsigned every, bool cached, unsigned steps)
{
	struct mmi_heap_state s;

	events_fork();
	mmi_record_timing(every);
	events_cached = cached;
	all_timed = every == 1;
	memset(want, 0, sizeof(want));
	live = peak = inherited = unseen = 0;
	for (unsigned i = 0; i < SLOTS; i++)
		block[i].inherited = block[i].live;
	for (unsigned i = 0; i < steps; i++)
		step();
	for (unsigned i = 0; i < CHAINS; i += 1 + CHAINS / 7)
		compare_site(i, name);
	mmi_heap_read(&s);
	is_int(mmi_shared.heap.live, live, "%s: live", name);
	is_int(s.peak, peak, "%s: the peak", name);
	is_int(s.slack, 0, "%s: exactly", name);
	is_int(EVENTS_COUNTER(inherited), inherited, "%s: inherited", name);
	is_int(EVENTS_COUNTER(unseen), unseen, "%s: unseen", name);
	is_int(EVENTS_COUNTER(lost) + EVENTS_COUNTER(reused), 0,
	       "%s: none lost", name);
}

/* When the peak is reached again, the first time still counts. */
static void
same_peak(void)
{
	events_fork();
	for (unsigned i = 1; i <= 3; i++) {
		events_alloc(0x7000, 100, i);
		events_free(0x7000);
	}
	events_site(1);
	is_int(site.held_bytes, 100, "held at the peak");
	events_site(2);
	is_int(site.held_bytes, 0, "not when as much was live again");
	events_alloc(0x7000, 101, 3);
	events_free(0x7000);
	events_site(1);
	is_int(site.held_bytes, 0, "no longer after a higher one");
	events_site(3);
	is_int(site.held_bytes, 101, "which another chain held");
}

/* Blocks that come and go take no lasting memory, timed or not. */
static void
no_growth(void)
{
	struct mmi_thread *me = mmi_thread_self();
	uint64_t used = 0;

	for (unsigned i = 0; i < 200000; i++) {
		uintptr_t p = 0x510000000000 + 32 * (uintptr_t)(i % 500);

		mmi_record_timing(i % 3);
		events_alloc(p, i % 50, i % CHAINS);
		if (i % 5 == 0)
			events_realloc(p, p, 60, i % CHAINS);
		me->busy = i % 7 == 0;
		events_free(p);
		me->busy = 0;
		if (i == 100000)
			used = mmi_arena_used();
	}
	is_int(mmi_arena_used(), used, "memory doesn't grow with events");
}

/*
 * A thread that frees a block from before a reset may still read its cell's
 * node.
 */
static void
old_cell(void)
{
	struct mmi_thread *me = mmi_thread_self();
	uint32_t i = mmi_cells_find(me, 1, 24), now;

	STORE(&mmi_shared.control.epoch, mmi_shared.control.epoch + 1);
	mmi_cells_reset();
	mmi_resync(me);
	now = mmi_cells_find(me, 1, 24);
	ok(now != i && !mmi_cells_inherited(now), "a new cell after a reset");
	is_int(mmi_cell_node(mmi_cells_at(i)), 1,
	       "the old one has its node yet");
	is_int(mmi_cells_find(me, 1, 24), now, "... and isn't found");
}

int
main(void)
{
	srandom(1);
	phase("plain", 0, false, 60000);
	phase("cached frames", 0, true, 60000);
	phase("all timed", 1, false, 60000);
	phase("all timed, cached frames", 1, true, 60000);
	phase("some timed", 64, true, 60000);
	phase("short", 64, true, 300);
	same_peak();
	no_growth();
	old_cell();
	return done_testing();
}
