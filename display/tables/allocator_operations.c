/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost of the allocator: operations, with system calls and locks. */
#include "display/grid/grid.h"
#include "display/tables/allocator.h"
#include "reduce/base/sort.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------- time -- */

enum { SHARE, TIME };

static void
get_time(const struct grid *g, const void *row, unsigned at,
	 struct grid_cell *c)
{
	const struct allocator *a = g->t->p->allocator;
	const struct allocator_op *o = row;

	c->n = o->ns.all;
	c->unknown = !o->time.n;
	c->estimate = o->time.n != o->calls.n;
	if (at == SHARE)
		c->of = a->all.time.n ? a->all.ns.all : 0;
}

static const struct grid_column times[] = {
	COLUMN("% time", TENTHS, 8, get_time, SHARE,
	       "share of the time in the allocator, rounded"),
	MEMBER("calls", COUNT, 11, allocator_op, calls.n,
	       "number of operations"),
	COLUMN("time", TIME, 9, get_time, TIME,
	       "their time together; ~: estimated from those that were timed"),
	MEMBER_MAX("mean", TIME, 8, allocator_op, ns.mean,
		   "mean time of one operation"),
	MEMBER_MAX("median", TIME, 8, allocator_op, ns.median,
		   "half of them took at most this, to within a 16th"),
	MEMBER_MAX("p99", TIME, 8, allocator_op, ns.p99,
		   "99 of 100 took at most this, to within a 16th"),
	MEMBER_MAX("max", TIME, 8, allocator_op, ns.most, "the longest"),
	MEMBER_MAX("cycles", COUNT, 9, allocator_op, ns.cycles,
		   "the mean in ticks of the time stamp counter"),
	NAME_OF("operation", "   ", allocator_op, name,
		"big: from the threshold above on, by usable size; new: at an "
		"address that no block had before, or whose page the kernel "
		"had in between; several threads: while several threads used "
		"the allocator"),
};

static const struct legend times_legend = {
	.about = "Time of each operation in the allocator, without the time "
		 "of memmon.",
};

static int
by_cycles(const void *va, const void *vb)
{
	const struct allocator_op *a = va, *b = vb;
	uint64_t x = a->time.n ? a->ns.all : 0, y = b->time.n ? b->ns.all : 0;

	return x != y ? (x < y ? 1 : -1) : (a->of > b->of) - (a->of < b->of);
}

static void
allocator_operations_print_times(struct tables *t)
{
	const struct allocator *a = t->p->allocator;
	struct allocator_op *v = tables_room(t, a->nops, sizeof *v);

	memcpy(v, a->ops, a->nops * sizeof *v);
	qsort(v, a->nops, sizeof *v, by_cycles);
	GRID_TABLE(t, times, v, a->nops, &times_legend);
}

/* --------------------------------------------------------- system calls -- */

struct call {
	const struct allocator_op *op;
	int kind;
	struct allocator_sum ns;
	uint64_t bytes; /* UINT64_MAX: not a call with bytes */
};
enum { C_SHARE, C_MEAN };

static void
get_call(const struct grid *g, const void *row, unsigned at,
	 struct grid_cell *c)
{
	const struct allocator *a = g->t->p->allocator;
	const struct call *r = row;

	c->n = at == C_SHARE ? r->ns.sum : number_mean(r->ns.sum, r->ns.n);
	if (at == C_SHARE)
		c->of = a->all.time.n ? a->all.ns.all : 0;
}

static void
allocator_operations_put_call(const struct grid *g, const void *row)
{
	const struct call *r = row;

	line_left(&g->t->line, 0,
		  r->kind == ALLOCATOR_OTHER ? "others"
					     : allocator_calls[r->kind]);
	line_left(&g->t->line, 0, " in ");
	tables_name(g->t, r->op->name);
}

static const struct grid_column calls[] = {
	COLUMN("% time", TENTHS, 8, get_call, C_SHARE,
	       "share of the time in the allocator, rounded"),
	MEMBER("calls", COUNT, 11, call, ns.n, "how often"),
	MEMBER("time", TIME, 9, call, ns.sum,
	       "time in the kernel, all "
	       "together"),
	COLUMN("mean", TIME, 8, get_call, C_MEAN, "mean time of one call"),
	MEMBER("max", TIME, 8, call, ns.most, "the longest"),
	MEMBER_MAX("bytes", BYTES, 12, call, bytes,
		   "bytes that the calls were for"),
	NAME("system call", "   ", allocator_operations_put_call,
	     "the call, and the operation that made it"),
};

static const struct legend calls_legend = {
	.about = "System calls inside the allocator.",
};

SORT_BY(by_kernel, struct call, SORT_DOWN(ns.sum) SORT_UP(op->of) SORT_UP(kind))

static struct call
call_of(const struct allocator_op *op, int kind)
{
	return (struct call){ op, kind, op->kernel[kind],
			      kind < ALLOCATOR_FUTEX ? op->bytes[kind].sum
						     : UINT64_MAX };
}

static void
print_calls(struct tables *t)
{
	const struct allocator *a = t->p->allocator;
	struct call *v = tables_room(t, a->nops * ALLOCATOR_NCALL, sizeof *v);
	size_t n = 0;

	for (size_t i = 0; i < a->nops; i++)
		for (int k = 0; k < ALLOCATOR_NCALL; k++)
			if (a->ops[i].kernel[k].n)
				v[n++] = call_of(&a->ops[i], k);
	if (!a->all.watched)
		tables_say(t, "System calls inside the allocator weren't seen: "
			      "that takes Linux 5.11 and libmemmon.so.");
	else if (!n)
		tables_say(t, "The allocator made no system call.");
	if (a->all.watched && a->all.watched < a->all.calls.n) {
		char text[NUMBER_SIZE];

		line_say(&t->line,
			 "The system calls of %s of the operations are known.",
			 number_share(text, a->all.watched, a->all.calls.n));
	}
	if (n) {
		qsort(v, n, sizeof *v, by_kernel);
		GRID_TABLE(t, calls, v, n, &calls_legend);
	}
}

/* --------------------------------------------------------------- events -- */

static void
get_event(const struct grid *g, const void *row, unsigned at,
	  struct grid_cell *c)
{
	const struct allocator_op *o = row;
	const struct allocator_sum *e = &o->event[at];

	(void)g;
	if (at == ALLOCATOR_NEVENT) {
		c->n = o->event[0].n;
		return;
	}
	c->unknown = !e->n;
	c->estimate = e->n && e->n < o->calls.n;
	/* An estimate for all operations, from those that were examined. */
	c->n = e->n ? (uint64_t)((unsigned __int128)e->sum * o->calls.n / e->n)
		    : 0;
}

static const struct grid_column events[] = {
	COLUMN("looked at", COUNT, 10, get_event, ALLOCATOR_NEVENT,
	       "operations whose events were counted"),
	COLUMN("faults", COUNT, 10, get_event, ALLOCATOR_FAULTS,
	       "page faults; ~: of all operations, estimated from these"),
	COLUMN("major", COUNT, 8, get_event, ALLOCATOR_MAJOR,
	       "how many of these read a disk"),
	COLUMN("switches", COUNT, 10, get_event, ALLOCATOR_SWITCHES,
	       "times that the thread waited"),
	COLUMN("preempted", COUNT, 10, get_event, ALLOCATOR_PREEMPTED,
	       "times that the thread lost its CPU"),
	COLUMN("instructions", COUNT, 13, get_event, ALLOCATOR_INSTRUCTIONS,
	       "instructions of the program in them"),
	COLUMN("cache", COUNT, 10, get_event, ALLOCATOR_CACHE,
	       "misses of the last cache"),
	COLUMN("TLB", COUNT, 10, get_event, ALLOCATOR_TLB, "misses of the TLB"),
	NAME_OF("operation", "   ", allocator_op, name, NULL),
};

static const struct legend events_legend = {
	.about = "Events during the operations; an operation without events "
		 "has no row.",
};

static void
print_events(struct tables *t)
{
	const struct allocator *a = t->p->allocator;
	const struct allocator_op *v[MONOUT_NOP];
	struct grid g;
	size_t n = 0;

	for (size_t i = 0; i < a->nops; i++) {
		uint64_t any = 0;

		for (int k = 0; k < ALLOCATOR_NEVENT; k++)
			any += a->ops[i].event[k].sum;
		if (any)
			v[n++] = &a->ops[i];
	}
	GRID_INIT(&g, t, events);
	for (size_t i = 0; i < n; i++)
		grid_fit(&g, v[i]);
	if (n)
		grid_head(&g);
	for (size_t i = 0; i < n; i++)
		grid_row(&g, v[i], NULL);
	if (n)
		grid_legend(&g, &events_legend);
	if (a->no_counters)
		line_say(&t->line,
			 "Instructions, cache and TLB misses weren't counted: "
			 "perf_event_open(2): %s%s.",
			 strerror((int)a->no_counters),
			 a->no_counters == EACCES
				 ? " (see /proc/sys/kernel/perf_event_paranoid)"
			 : a->no_counters == ENOENT
				 ? " (the CPU, or its virtual machine, has no "
				   "such counters)"
				 : "");
	line_end(&t->line);
}

/* ---------------------------------------------------------------- locks -- */

static void
put_lock(const struct grid *g, const void *row)
{
	const struct allocator_lock *l = row;

	if (l->at)
		line_add(&g->t->line, "0x%" PRIx64, l->at);
	else
		line_left(&g->t->line, 0, "(others)");
}

#define LOCK(title, how, columns, member, text) \
	MEMBER(title, how, columns, allocator_lock, member, text)
static const struct grid_column locks[] = {
	LOCK("taken", COUNT, 11, taken.n, "how often"),
	LOCK("held", TIME, 9, taken.sum,
	     "how long the lock was held, all "
	     "together"),
	LOCK("longest", TIME, 9, taken.most, "the longest of these"),
	LOCK("contended", COUNT, 11, wait.n,
	     "how often another thread had the lock"),
	LOCK("waited", TIME, 9, wait.sum,
	     "how long threads waited for the lock, all together"),
	LOCK("most", TIME, 9, wait.most, "the longest of these"),
	NAME("lock", "   ", put_lock, "its address"),
};

static const struct legend locks_legend = {
	.about = "Mutexes and spin locks of the C library that the allocator "
		 "took.  Locks of its own appear only as waits in futex.",
};

static void
print_locks(struct tables *t)
{
	const struct allocator *a = t->p->allocator;
	size_t n = a->nlocks < 20 || t->o->verbosity == OPTIONS_VERBOSE
			   ? a->nlocks
			   : 20;
	struct allocator_lock other = { .at = 0 };
	struct grid g;

	if (!n) {
		tables_say(t, a->lock_slots
				      ? "The allocator took no lock."
				      : "The allocator made no call that takes "
					"a lock of the C library.");
		return;
	}
	for (size_t i = n; i < a->nlocks; i++) {
		const struct allocator_lock *l = &a->locks[i];

		allocator_sum_add(&other.taken, &l->taken);
		allocator_sum_add(&other.wait, &l->wait);
	}
	GRID_INIT(&g, t, locks);
	grid_print(&g, &(struct grid_rows){ .v = a->locks,
					    .n = n,
					    .size = sizeof other,
					    .other = &other,
					    .others = a->nlocks - n });
	grid_legend(&g, &locks_legend);
}

void
allocator_operations(struct tables *t)
{
	allocator_operations_print_times(t);
	tables_say(t, "");
	print_calls(t);
	tables_say(t, "");
	print_events(t);
	print_locks(t);
}
