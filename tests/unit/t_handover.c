/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events of several threads: blocks pass from thread to thread, threads end,
 * and new threads get their structs.  The count of frees by others is exact.
 */
#include <pthread.h>

#include "tests/tap.h"
#include "tests/unit/events.h"

#define WORKERS 4u
#define SLOTS 3000u
#define STEPS 300000u
#define CHAINS 20u

/* A place for a block; the word says whose block it is, and which. */
static struct slot {
	uint64_t state; /* atomic: 0 none, 1 in hand, else block, see below */
} slot[SLOTS];

/* A block: number of the thread from 1, chain, size, the thread's count. */
static uint64_t
block_of(unsigned who, unsigned chain, unsigned size, uint64_t seq)
{
	return (uint64_t)who << 60 | (uint64_t)chain << 52 |
	       (uint64_t)size << 32 | (uint32_t)seq;
}

/* What each thread did. */
static struct did {
	uint64_t allocs[CHAINS], bytes[CHAINS], frees[CHAINS], freed[CHAINS];
	uint64_t by_others[CHAINS], near[CHAINS], temps[CHAINS], all_allocs;
	struct mmi_done sum;
	uint32_t random;
} did[WORKERS];

static uintptr_t
address(unsigned i)
{
	return 0x500000000000 + 48 * (uintptr_t)i;
}

static void
worker_free(struct did *d, unsigned me, unsigned i, uint64_t b)
{
	unsigned chain = b >> 52 & 255, size = b >> 32 & 0xfffff;
	uint32_t since = (uint32_t)d->all_allocs - (uint32_t)b;

	d->frees[chain]++;
	d->freed[chain] += size;
	d->sum.frees++;
	d->sum.freed += size;
	if (b >> 60 != me) {
		d->by_others[chain]++;
		d->sum.of_others++;
	} else {
		d->near[chain] += since <= MONOUT_NEAR;
		d->temps[chain] += since == 1;
	}
	events_free(address(i));
}

static void *
worker(void *arg)
{
	unsigned me = (unsigned)(size_t)arg;
	struct did *d = &did[me - 1];
	char name[16];

	snprintf(name, sizeof(name), "worker %u", me);
	pthread_setname_np(pthread_self(), name);
	for (unsigned n = 0; n < STEPS; n++) {
		unsigned i, chain, size;
		uint64_t b;

		d->random = d->random * 1664525u + 1013904223u + me;
		i = (d->random >> 8) % (n % 3 ? SLOTS : 20);
		b = SWAP(&slot[i].state, 1);
		if (b == 1)
			continue;
		if (b) {
			worker_free(d, me, i, b);
			STORE_REL(&slot[i].state, 0);
			continue;
		}
		chain = (d->random >> 4) % CHAINS;
		size = (d->random >> 12) % 3000;
		events_alloc(address(i), size, chain);
		d->allocs[chain]++;
		d->bytes[chain] += size;
		b = block_of(me, chain, size, d->all_allocs++);
		d->sum.bytes += size;
		STORE_REL(&slot[i].state, b);
	}
	return NULL;
}

static void
compare(void)
{
	uint64_t bad = 0;

	for (unsigned c = 0; c < CHAINS; c++) {
		struct mmi_tables_count n, w = { 0 };
		uint64_t by_others = 0, near = 0, temps = 0;

		events_site(c);
		n = events_count();
		for (unsigned i = 0; i < WORKERS; i++) {
			w.allocs += did[i].allocs[c];
			w.bytes += did[i].bytes[c];
			w.frees += did[i].frees[c];
			w.freed += did[i].freed[c];
			by_others += did[i].by_others[c];
			near += did[i].near[c];
			temps += did[i].temps[c];
		}
		bad += memcmp(&n, &w, sizeof(n)) != 0;
		bad += site.by_others != by_others || site.near != near ||
		       site.temps != temps || site.timed > w.frees;
	}
	is_int(bad, 0, "%u chains: counts, frees by others, those freed soon",
	       CHAINS);
}

static void
compare_threads(void)
{
	unsigned found = 0, bad = 0;

	for (unsigned i = 0; i < MMI_THREAD_ROWS; i++) {
		const struct mmi_thread_row *r = mmi_ended_row(i);
		struct mmi_done w;

		if (r->state != 2 || strncmp(r->name, "worker ", 7) != 0)
			continue;
		w = did[r->name[7] - '1'].sum;
		w.allocs = did[r->name[7] - '1'].all_allocs;
		bad += r->threads != 1 || r->main ||
		       memcmp(&r->done, &w, sizeof(w)) != 0;
		found++;
	}
	ok(found == WORKERS && !bad, "a row of the table for each thread");
}

static void
hand_to_hand(void)
{
	struct mmi_heap_state s;
	const struct mmi_thread *t = NULL;
	pthread_t id[WORKERS];
	uint64_t live = 0, now;

	for (size_t i = 0; i < WORKERS; i++)
		pthread_create(&id[i], NULL, worker, (void *)(i + 1));
	for (size_t i = 0; i < WORKERS; i++)
		pthread_join(id[i], NULL);
	for (unsigned i = 0; i < SLOTS; i++)
		if (slot[i].state > 1)
			live += slot[i].state >> 32 & 0xfffff;
	compare();
	compare_threads();
	mmi_heap_read(&s);
	now = mmi_shared.heap.live;
	while ((t = mmi_thread_next(t)))
		now += (uint64_t)t->pub->delta;
	is_int(now, live, "bytes live now");
	ok(s.peak + s.slack >= live && s.slack, "the peak is near it");
	is_int(EVENTS_COUNTER(unseen) + EVENTS_COUNTER(reused) +
		       EVENTS_COUNTER(lost),
	       0, "all were seen");
	is_int(mmi_thread_count(), WORKERS, "threads");
}

#define HUNDRED 100u

static void *
maker(void *arg)
{
	for (unsigned i = 0; i < HUNDRED; i++)
		events_alloc(0x600000000000 + 64 * i, 40, 30);
	return arg;
}

static void *
breaker(void *arg)
{
	uint64_t *by_others = arg;

	for (unsigned i = 0; i < HUNDRED; i++)
		events_free(0x600000000000 + 64 * i);
	*by_others = mmi_thread_self()->pub->done.of_others;
	return mmi_thread_self();
}

/* A new thread that has the struct of an old one isn't the old one. */
static void
handed_on(void)
{
	uint32_t structs = nstructs;
	uint64_t by_others = 0, sum = 0;
	pthread_t id;
	void *t;

	for (unsigned round = 1; round <= 50; round++) {
		pthread_create(&id, NULL, maker, NULL);
		pthread_join(id, NULL);
		pthread_create(&id, NULL, breaker, &by_others);
		pthread_join(id, &t);
		sum += by_others;
	}
	is_int(nstructs, structs, "a hundred threads use old structs");
	is_int(sum, 50 * HUNDRED,
	       "what the thread before allocated is another's");
	events_site(30);
	ok(site.by_others == 50 * HUNDRED && site.near == 0 && site.temps == 0,
	   "for the chain, too");
	is_int(events_count().frees, 50 * HUNDRED, "and all is freed");
	maker(NULL);
	breaker(&by_others);
	events_site(30);
	ok(site.by_others == 50 * HUNDRED && site.near == MONOUT_NEAR &&
		   site.temps == 1,
	   "a thread's own blocks aren't");
}

/*
 * Memory doesn't grow when one thread makes blocks and another frees them, once
 * all counter owners are taken.
 */
static void
no_growth(void)
{
	uint64_t by_others = 0, used = 0;
	pthread_t id;

	mmi_record_timing(1);
	for (unsigned round = 0; round < 800; round++) {
		pthread_create(&id, NULL, maker, NULL);
		pthread_join(id, NULL);
		pthread_create(&id, NULL, breaker, &by_others);
		pthread_join(id, NULL);
		if (round == 600)
			used = mmi_arena_used();
	}
	is_int(mmi_arena_used(), used, "memory doesn't grow with threads");
}

/* A thread that has ended may still free: in the destructors of other keys. */
static pthread_key_t late;

static void
late_end(void *arg)
{
	static int pass;

	events_free(0x610000000000 + 64 * (uintptr_t)pass);
	events_alloc(0x620000000000 + 64 * (uintptr_t)pass, 10, 31);
	if (++pass < 8)
		pthread_setspecific(late, arg);
}

static void *
late_thread(void *arg)
{
	pthread_setname_np(pthread_self(), "late");
	for (int i = 0; i < 8; i++)
		events_alloc(0x610000000000 + 64 * (uintptr_t)i, 20, 31);
	pthread_setspecific(late, &late);
	return arg;
}

static void
after_the_end(void)
{
	uint64_t by_others = 0, allocs = 0, frees = 0, rows_found = 0;
	unsigned passes;
	pthread_t id;

	pthread_key_create(&late, late_end);
	pthread_create(&id, NULL, late_thread, NULL);
	pthread_join(id, NULL);
	events_site(31);
	passes = (unsigned)events_count().frees;
	ok(passes >= 3 && events_count().allocs == 8 + passes,
	   "events of a thread that ends are counted (%u passes)", passes);
	for (unsigned i = 0; i < MMI_THREAD_ROWS; i++) {
		const struct mmi_thread_row *r = mmi_ended_row(i);

		if (r->state != 2 || strcmp(r->name, "late") != 0)
			continue;
		rows_found += r->threads;
		allocs += r->done.allocs;
		frees += r->done.frees;
		by_others += r->done.of_others;
	}
	ok(rows_found == 1 && allocs == 8 + passes && frees == passes,
	   "in the table of threads, as one");
	is_int(by_others, 0, "its blocks are its own");
}

static void *
late_number(void *arg)
{
	uintptr_t p = 0x630000000040 + 64 * (uintptr_t)arg;

	events_free(0x630000000000);
	events_alloc(p, 40, 32);
	events_free(p);
	events_alloc(p, 40, 32);
	return NULL;
}

/* More threads than there are numbers for in entries of the map. */
static void
many_threads(void)
{
	const struct mmi_cell *c;
	pthread_t id;

	mmi_record_timing(0);
	events_alloc(0x630000000000, 40, 32);
	c = mmi_cells_of(events_node(32));
	/* After the wrap-around, the next thread would get this number. */
	ordinals = MMI_LIVE_NOBODY - 2 + mmi_ordinal;
	for (uintptr_t i = 0; i < 2; i++) {
		pthread_create(&id, NULL, late_number, (void *)i);
		pthread_join(id, NULL);
	}
	is_int(c->frees, 0, "the cell of a thread that runs is its own");
	events_site(32);
	is_int(site.by_others, 1, "its block was freed by another thread");
	is_int(events_count().allocs - events_count().frees, 2,
	       "all is counted of threads that have no number in entries");
	events_free(0x630000000040);
	events_free(0x630000000080);
	events_site(32);
	is_int(events_count().frees, events_count().allocs,
	       "of their blocks, too");
	ordinals = UINT32_MAX - 1;
	is_int(ordinal_next(), MMI_LIVE_NOBODY, "no number comes twice");
}

/* More than any thread, and the reserve's chunk, may have left. */
#define POOR 300u

static void *
poor(void *arg)
{
	for (unsigned i = 0; i < POOR; i++)
		events_free(0x640000000000 + 64 * (uintptr_t)i);
	return arg;
}

/*
 * poor() frees blocks of call paths from `first' on; *own: frees in main's own
 * cells.
 */
static uint64_t
poor_frees(unsigned first, uint64_t *own)
{
	const struct mmi_cell *c;
	uint64_t frees = 0;
	pthread_t id;

	for (unsigned i = 0; i < POOR; i++)
		events_alloc(0x640000000000 + 64 * (uintptr_t)i, 40, first + i);
	mmi_arena_limit(1);
	pthread_create(&id, NULL, poor, NULL);
	pthread_join(id, NULL);
	mmi_arena_limit(0);
	for (unsigned i = 0; i < POOR; i++) {
		c = mmi_cells_of(events_node(first + i));
		for (; c; c = mmi_cells_next(c))
			if (mmi_cell_owner(c) == mmi_thread_self()->owner)
				*own += c->frees;
		events_site(first + i);
		frees += events_count().frees;
	}
	return frees;
}

/* Another thread frees main's blocks when no memory is left. */
static void
no_memory(void)
{
	uint64_t unseen = EVENTS_COUNTER(unseen), own = 0, frees;

	is_int(poor_frees(1000, &own), POOR,
	       "all frees are counted without memory");
	is_int(EVENTS_COUNTER(unseen), unseen, "none isn't seen");
	reserved = RESERVE;
	frees = poor_frees(2000, &own);
	unseen = EVENTS_COUNTER(unseen) - unseen;
	ok(unseen > 0 && frees + unseen == POOR,
	   "or counted as unseen, when there is no end to it");
	is_int(own, 0, "nobody writes to another's cells");
}

int
main(void)
{
	mmi_thread_init();
	events_cached = true;
	hand_to_hand();
	handed_on();
	no_growth();
	after_the_end();
	no_memory();
	many_threads();
	return done_testing();
}
