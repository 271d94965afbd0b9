/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random runs for the tests of snapshots: blocks that come and go one by one.
 * Computes what they add up to by definition, and the merged data that a
 * monitor would make.  For that test only.
 */
#ifndef MEMMON_TESTS_WHEN_H
#define MEMMON_TESTS_WHEN_H

#include "reduce/monout/load.h"
#include "reduce/types/shares.h"

#include <stdlib.h>
#include <string.h>

enum { SITES = 5, THREADS = 3, SIZES = 4, BLOCKS = 60, SNAPSHOTS = 12 };
enum { KINDS = SITES * SIZES * THREADS, RUNS = 400, TICKS = 300 };

static const uint64_t sizes[SIZES] = { 8, 40, 300, 5000 };
static const char *const thread_names[THREADS] = { "a", "b", "" };

/* A block; died is TICKS if it never dies. */
struct piece {
	unsigned site, size, thread, born, died;
};

static struct piece blocks[BLOCKS];
static unsigned ends[SNAPSHOTS]; /* ticks before it are in the snapshot */
static size_t nsnapshots;
static unsigned peak_at; /* ticks before it */
static bool lose_threads; /* the changes' threads are 0 if cells tell them */
static struct mon mon;
static struct mon_module modules[2];
static struct mon_node nodes[SITES + 1];
static uint64_t state = 88172645463325252u;

static unsigned
at_random(unsigned below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 33) % below;
}

/* -------------------------------------------------------- by definition -- */

/* Selects blocks: by all numbers that aren't negative. */
struct only {
	int site, thread, size;
};

static const struct only all = { -1, -1, -1 };

static bool
is(const struct only *o, const struct piece *b)
{
	return (o->site < 0 || (unsigned)o->site == b->site) &&
	       (o->thread < 0 || (unsigned)o->thread == b->thread) &&
	       (o->size < 0 || (unsigned)o->size == b->size);
}

/* Counts before tick t. */
static struct amounts
counts(const struct only *o, unsigned t)
{
	struct amounts n = { 0 };
	const struct piece *b;

	for (b = blocks; b < blocks + BLOCKS; b++) {
		if (!is(o, b))
			continue;
		n.allocs += b->born < t;
		n.bytes += b->born < t ? sizes[b->size] : 0;
		n.frees += b->died < t;
		n.freed += b->died < t ? sizes[b->size] : 0;
	}
	return n;
}

static uint64_t
live(const struct only *o, unsigned t)
{
	struct amounts n = counts(o, t);

	return n.bytes - n.freed;
}

static bool
same(const struct amounts *a, const struct amounts *b)
{
	return a->allocs == b->allocs && a->bytes == b->bytes &&
	       a->frees == b->frees && a->freed == b->freed;
}

/* --------------------------------------------------------------- the run -- */

static inline void
random_run(void)
{
	unsigned i, t;
	struct piece *b;

	for (b = blocks; b < blocks + BLOCKS; b++) {
		*b = (struct piece){ at_random(SITES), at_random(SIZES),
				     at_random(THREADS), at_random(TICKS),
				     TICKS };
		if (at_random(19))
			b->died = b->born + 1 + at_random(TICKS / 3);
		if (b->died > TICKS)
			b->died = TICKS;
	}
	nsnapshots = 1 + at_random(SNAPSHOTS);
	for (i = t = 0; i < nsnapshots; i++)
		ends[i] = t += 1 + at_random(TICKS / SNAPSHOTS - 1);
	ends[nsnapshots - 1] = TICKS;
	for (peak_at = t = 0; t <= TICKS; t++)
		if (live(&all, t) >= live(&all, peak_at))
			peak_at = t;
}

/* A kind of blocks: a site, a size, a thread. */
static struct only
kind(unsigned i)
{
	return (struct only){ (int)(i / (SIZES * THREADS)), (int)(i % THREADS),
			      (int)(i / THREADS % SIZES) };
}

static struct mon_cell
cell(const struct only *o)
{
	struct amounts n = counts(o, TICKS), at = counts(o, peak_at);

	return (struct mon_cell){
		.site = (uint32_t)o->site,
		.thread = (uint32_t)o->thread + 1,
		.size = sizes[o->size],
		.allocs = n.allocs,
		.bytes = n.bytes,
		.frees = n.frees,
		.freed = n.freed,
		.peak_blocks = (int64_t)(at.allocs - at.frees),
		.peak_bytes = (int64_t)(at.bytes - at.freed),
	};
}

/* Is a thread the only one with blocks of its site and size? */
static bool
alone(const struct only *o)
{
	const struct only any = { o->site, -1, o->size };

	return counts(o, TICKS).allocs == counts(&any, TICKS).allocs;
}

/*
 * The changes of a kind of blocks, at each snapshot where the kind has changed.
 * With lose_threads, a thread that is certain is left out.
 */
static void
fill_changes(const struct only *o)
{
	uint32_t thread =
		lose_threads && alone(o) ? 0 : (uint32_t)o->thread + 1;

	struct amounts n, was = { 0 };
	struct mon_change *x;
	uint32_t i;

	for (i = 0; i < nsnapshots; i++) {
		n = counts(o, ends[i]);
		if (same(&n, &was))
			continue;
		was = n;
		x = &mon.changes[mon.nchanges++];
		*x = (struct mon_change){
			.site = (uint32_t)o->site,
			.thread = thread,
			.snapshot = i,
			.size = sizes[o->size],
			.allocs = n.allocs,
			.bytes = n.bytes,
			.frees = n.frees,
			.freed = n.freed,
		};
	}
}

static void
fill_snapshots(void)
{
	struct amounts n;
	unsigned i;

	for (i = 0; i < nsnapshots; i++) {
		n = counts(&all, ends[i]);
		mon.snapshots[i] = (struct mon_snapshot){
			ends[i] * 1000000000ull,
			n.allocs,
			n.bytes,
			n.frees,
			n.freed,
			0,
			4096,
		};
	}
	mon.nsnapshots = nsnapshots;
}

static void
fill_site(unsigned i)
{
	struct only o = { (int)i, -1, -1 }, of;
	struct amounts n = counts(&o, peak_at);
	struct mon_site *s = &mon.sites[i];
	unsigned k, c;

	s->node = i + 1;
	s->number = i;
	s->reallocs = 3;
	s->count.peak = n.bytes - n.freed;
	s->peak_blocks = n.allocs - n.frees;
	for (k = 0; k < SIZES; k++) {
		of = (struct only){ (int)i, -1, (int)k };
		n = counts(&of, TICKS);
		c = counts_class(sizes[k]);
		s->count.allocs[c] += n.allocs;
		s->count.bytes[c] += n.bytes;
		s->count.frees[c] += n.frees;
		s->count.freed[c] += n.freed;
	}
	(void)sums_add(&mon.sums, &s->count, 3);
}

/* The merged data of the run. */
static inline void
fill(void)
{
	struct only o;
	unsigned i;

	mon = (struct mon){ .modules = modules,
			    .nmodules = 2,
			    .nodes = nodes,
			    .nnodes = SITES + 1 };
	mon.sites = calloc(SITES, sizeof(*mon.sites));
	mon.cells = calloc(KINDS, sizeof(*mon.cells));
	mon.threads = calloc(THREADS, sizeof(*mon.threads));
	mon.snapshots = calloc(SNAPSHOTS, sizeof(*mon.snapshots));
	mon.changes = calloc(KINDS * SNAPSHOTS, sizeof(*mon.changes));
	for (i = 0; i < THREADS; i++) {
		o = (struct only){ -1, (int)i, -1 };
		mon.threads[i] = (struct mon_thread){
			.name = thread_names[i],
			.allocs = counts(&o, TICKS).allocs,
			.bytes = counts(&o, TICKS).bytes,
		};
	}
	for (i = 0; i < KINDS; i++) {
		o = kind(i);
		mon.cells[mon.ncells] = cell(&o);
		mon.ncells += mon.cells[mon.ncells].allocs != 0;
		fill_changes(&o);
	}
	for (i = 0; i < SITES; i++)
		fill_site(i);
	mon.bins = calloc(SIZES, sizeof(*mon.bins));
	for (i = 0; i < SIZES; i++) {
		o = (struct only){ -1, -1, (int)i };
		mon.bins[mon.nbins++] =
			(struct mon_bin){ .size = sizes[i],
					  .allocs = counts(&o, TICKS).allocs,
					  .frees = counts(&o, TICKS).frees };
	}
	fill_snapshots();
	mon.nsites = SITES;
	mon.nthreads = THREADS;
	mon.total[MONOUT_T_PEAK] = live(&all, peak_at);
	mon.total[MONOUT_T_PEAK_AT] = peak_at * 1000000000ull;
	mon.peaks_known = mon.lives_known = mon.threads_known = true;
	mon.cells_known = mon.cells_threads = true;
	mon.times_known = mon.changes_known = true;
}

#endif
