/* SPDX-License-Identifier: MIT */
/* The table COSTS of the data file. */
#include "monitor/costs/costs_put.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <string.h>
#include <time.h>

#include "monitor/base/process.h"
#include "monitor/base/put.h"
#include "monitor/costs/cost.h"
#include "monitor/costs/costs.h"
#include "monitor/costs/pmu.h"
#include "monitor/costs/footprint.h"
#include "monitor/costs/kernel.h"
#include "monitor/costs/locks.h"
#include "monitor/costs/operations.h"

static struct mmi_cost_op sum; /* a stack may be small; one at a time */

static void
put(struct mmi_emit *o, const char *name, uint64_t of, uint64_t at, uint64_t n,
    uint64_t total, uint64_t most)
{
	mmi_put_cost(o, &(struct monrec_cost){ .name = name,
					       .namelen = strlen(name),
					       .of = of,
					       .at = at,
					       .n = n,
					       .sum = total,
					       .most = most });
}

/* Add up the operations of all threads; false: there were none. */
static bool
read_op(unsigned of)
{
	const struct mmi_costs *c;

	memset(&sum, 0, sizeof(sum));
	for (c = mmi_costs_first(); c; c = c->next) {
		const struct mmi_cost_op *x = &c->op[of];

		/* Most of them were never touched. */
		if (!LOAD(&x->n))
			continue;
		sum.n += LOAD(&x->n);
		sum.bytes += LOAD(&x->bytes);
		mmi_cost_most(&sum.largest, LOAD(&x->largest));
		sum.cycles += LOAD(&x->cycles);
		mmi_cost_most(&sum.longest, LOAD(&x->longest));
		sum.watched += LOAD(&x->watched);
		sum.remote += LOAD(&x->remote);
		sum.remote_bytes += LOAD(&x->remote_bytes);
		sum.with_events += LOAD(&x->with_events);
		sum.with_counters += LOAD(&x->with_counters);
		for (unsigned i = 0; i < MMI_COST_NEVENT; i++) {
			sum.event[i] += LOAD(&x->event[i]);
			mmi_cost_most(&sum.most[i], LOAD(&x->most[i]));
		}
		for (unsigned i = 0; i < MMI_COST_NCALL; i++)
			mmi_cost_kernel_add(&sum.kernel[i], &x->kernel[i]);
		for (unsigned b = 0; b < MONOUT_COST_BINS; b++)
			sum.bin[b] += LOAD(&x->bin[b]);
	}
	return sum.n != 0;
}

static void
put_op(struct mmi_emit *o, unsigned of)
{
	uint64_t timed = 0;
	static const char *const calls[] = {
#define X(NAME, name) [MMI_COST_##NAME] = #name,
		MONREC_COST_CALLS(X)
#undef X
	};
	static const char *const events[] = {
#define X(NAME, name) [MMI_COST_##NAME] = name,
		MONREC_COST_EVENTS(X)
#undef X
	};

	put(o, "calls", of, 0, sum.n, sum.bytes, sum.largest);
	put(o, "watched", of, mmi_kernel_way(), sum.watched, 0, 0);
	if (sum.remote)
		put(o, "remote", of, 0, sum.remote, sum.remote_bytes, 0);
	for (unsigned b = 0; b < MONOUT_COST_BINS; b++)
		timed += sum.bin[b];
	if (timed)
		put(o, "time", of, 0, timed,
		    (int64_t)(sum.cycles - timed * mmi_costs_timer) > 0
			    ? sum.cycles - timed * mmi_costs_timer
			    : 0,
		    sum.longest);
	for (unsigned b = 0; b < MONOUT_COST_BINS; b++)
		if (sum.bin[b])
			put(o, "cycles", of, b, sum.bin[b], 0, 0);
	for (unsigned i = 0; i < MMI_COST_NCALL; i++) {
		const struct mmi_cost_kernel *k = &sum.kernel[i];

		if (!k->n)
			continue;
		put(o, calls[i], of, 0, k->n, k->cycles, k->longest);
		if (k->bytes)
			put(o, calls[i], of, 1, 0, k->bytes, k->largest);
	}
	for (unsigned i = 0; i < MMI_COST_NEVENT; i++) {
		uint64_t n = i < MMI_COST_COUNTED ? sum.with_events
						  : sum.with_counters;

		if (n)
			put(o, events[i], of, 0, n, sum.event[i], sum.most[i]);
	}
}

static void
put_lock(unsigned of, const struct mmi_cost_lock *l, void *arg)
{
	put(arg, "lock", of, l->at, l->n, l->held, l->longest);
	if (l->contended)
		put(arg, "wait", of, l->at, l->contended, l->waited, l->most);
}

static void
put_sizes(struct mmi_emit *o)
{
	const struct mmi_costs *c;
	uint64_t live, free;

	for (unsigned i = 0; i < MMI_COST_SIZES; i++) {
		struct mmi_cost_size s = { 0 };
		uint64_t size = mmi_cost_size_of(i);

		for (c = mmi_costs_first(); c; c = c->next) {
			s.allocs += LOAD(&c->size[i].allocs);
			s.bytes += LOAD(&c->size[i].bytes);
			mmi_cost_most(&s.most, LOAD(&c->size[i].most));
		}
		if (s.allocs)
			put(o, "class", 0, size, s.allocs, s.bytes, s.most);
		mmi_footprint_size(i, &live, &free);
		if (live)
			put(o, "class-live", 0, size, live, 0, 0);
		if (free)
			put(o, "class-free", 0, size, free, 0, 0);
	}
}

static uint64_t
after_start(uint64_t at)
{
	return at > mmi_process.mono ? at - mmi_process.mono : 0;
}

static void
put_known(struct mmi_emit *o, const char *name, uint64_t at, uint64_t bytes)
{
	if (bytes != UINT64_MAX)
		put(o, name, 0, at, 1, bytes, 0);
}

static void
put_footprint(struct mmi_emit *o)
{
	const struct mmi_cache_lines *l = mmi_footprint_look();
	const struct mmi_cache_lines_of *paths;
	const struct mmi_footprint *f;
	unsigned n, peak, heap;

	/* Without usable sizes the free bytes are unknown. */
	if (!mmi_operations_sizes())
		return;
	f = mmi_footprint_all(&n, &peak, &heap);
	for (unsigned i = 0; i < n; i++) {
		uint64_t at = after_start(f[i].at);

#define X(name) put_known(o, #name, at, f[i].name);
		MONREC_COST_MEMORY(X)
#undef X
		if (i == peak)
			put(o, "peak", 0, at, 1, f[i].usable, 0);
		if (i == heap)
			put(o, "largest", 0, at, 1, f[i].usable + f[i].unused,
			    0);
	}
	if (!l->at)
		return;
	put(o, "look", 0, after_start(l->at), 1, l->bytes, l->guessed);
	put(o, "lines", 0, 64, l->lines, l->bytes, 0);
	put(o, "lines", 0, ARCH_PAGE, l->pages, l->bytes, 0);
	put(o, "shared-active", 0, 64, l->active, 0, 0);
	put(o, "shared-passive", 0, 64, l->passive, 0, 0);
	for (paths = mmi_cache_lines_of(&n); n-- > 0; paths++) {
		if (paths->active)
			put(o, "path-active", 0, paths->node, paths->active, 0,
			    0);
		if (paths->passive)
			put(o, "path-passive", 0, paths->node, paths->passive,
			    0, 0);
	}
}

/* The CPU time of the process, ns.  clock_gettime() of the vdso makes a system
 * call here, and a filter may end the process for this call. */
static uint64_t
cpu_time(void)
{
	struct timespec t = { 0, 0 };

	ARCH_SYS(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &t, 0, 0, 0, 0);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The file with this malloc, and the CPU time that the process used. */
static void
put_process(struct mmi_emit *o)
{
	static char name[PATH_MAX + 16] = "allocator ";
	const char *path = NULL;
#ifndef MEMMON_STATIC
	struct dl_find_object f;

	if (_dl_find_object((void *)mmi_operations_allocator(), &f) == 0 &&
	    f.dlfo_link_map)
		path = f.dlfo_link_map->l_name;
#endif
	/* The program's own file has no name there. */
	if (path && !*path)
		path = mmi_process.exe;
	if (path && strlen(path) < PATH_MAX) {
		memcpy(name + strlen("allocator "), path, strlen(path) + 1);
		put(o, name, 0, 0, 1, 0, 0);
	}
	put(o, "cpu", 0, 0, 1, cpu_time(), 0);
}

void
mmi_costs_put(struct mmi_emit *o)
{
	if (!mmi_operations_on())
		return;
	put_process(o);
	put(o, "hz", 0, 0, 1, 0, mmi_costs_hz());
	put(o, "timer", 0, 0, 1, 0, mmi_costs_timer);
	put(o, "threshold", 0, 0, 1, 0, mmi_costs_threshold);
	put(o, "one-in", 0, 0, 1, 0, mmi_costs_one_in);
	put(o, "uncounted", 0, 0, mmi_operations_uncounted(), 0, 0);
	if (mmi_pmu_why())
		put(o, "counters", 0, (uint64_t)mmi_pmu_why(), 1, 0, 0);
	put(o, "lock-slots", 0, 0, mmi_locks_slots(), 0, 0);
	for (unsigned of = 0; of < MONOUT_NOP; of++)
		if (read_op(of))
			put_op(o, of);
	mmi_locks_each(put_lock, o);
	put_footprint(o);
	put_sizes(o);
}
