/* SPDX-License-Identifier: MIT */
/* The threads that call the allocator, and their counts. */
#include "monitor/costs/costs.h"

#include <string.h>

#include "monitor/base/arena.h"
#include "monitor/base/next.h"
#include "monitor/base/process.h"
#include "monitor/base/wait.h"
#include "monitor/costs/footprint.h"
#include "monitor/costs/kernel.h"
#include "monitor/costs/locks.h"
#include "monitor/costs/operations.h"
#include "monitor/costs/pmu.h"
#include "monitor/thread/enter.h"

TLS struct mmi_costs *mmi_costs_mine;
uint64_t mmi_costs_timer, mmi_costs_ticks;
uint32_t mmi_costs_one_in;
uint64_t mmi_costs_threshold = 128u << 10;

static struct mmi_costs *all, *idle; /* atomic */
static int taking;		     /* atomic: a thread is changing `idle' */
static int users;		     /* atomic: threads that have a struct */

struct mmi_costs *
mmi_costs_first(void)
{
	return LOAD_ACQ(&all);
}

bool
mmi_costs_parallel(void)
{
	return LOAD(&users) > 1;
}

/* ---------------------------------------------------------------- clock -- */

static void
nothing(void *p)
{
	(void)p;
}

/*
 * The mean time between two readings of the clock, around an empty call or with
 * arch_ticks().  Times of more than twice the median don't count: the thread
 * was taken off its processor.
 */
static uint64_t
clock_cost(bool around)
{
	enum { TIMES = 4096, MOST = 1024 };
	uint32_t seen[MOST] = { 0 }, n = 0, median;
	void (*volatile call)(void *) = nothing;
	uint64_t t, sum = 0;

	for (int i = 0; i < TIMES; i++) {
		if (around) {
			t = arch_ticks_begin();
			call(NULL);
			t = arch_ticks_end() - t;
		} else {
			t = arch_ticks();
			t = arch_ticks() - t;
		}
		seen[t < MOST ? t : MOST - 1]++;
	}
	for (median = 0; median < MOST && (n += seen[median]) <= TIMES / 2;
	     median++)
		;
	n = 0;
	for (uint32_t i = 0; i < MOST - 1 && i < 2 * median + 1; i++) {
		n += seen[i];
		sum += (uint64_t)i * seen[i];
	}
	return n ? (sum + n / 2) / n : median;
}

/* The clock's rate, compared with the monotonic clock since the start. */
static uint64_t start_ticks, start_ns;

uint64_t
mmi_costs_hz(void)
{
	uint64_t ns = mmi_process_clock(CLOCK_MONOTONIC) - start_ns;
	uint64_t ticks = arch_ticks() - start_ticks;

	return ns ? (uint64_t)((unsigned __int128)ticks * 1000000000u / ns) : 0;
}

/* -------------------------------------------------------------- threads -- */

static struct mmi_costs *
idle_pop(void)
{
	struct mmi_costs *c;

	if (SWAP(&taking, 1))
		return NULL;
	c = idle;
	if (c)
		idle = c->next_free;
	STORE_REL(&taking, 0);
	return c;
}

/*
 * Gives up soon: a struct that can't be put back by then is never used again.
 */
static void
idle_push(struct mmi_costs *c)
{
	struct mmi_wait wait = { 0, 0 };

	while (SWAP(&taking, 1))
		if (!mmi_wait_more(&wait, 20 * MMI_WAIT_MS))
			return;
	c->next_free = idle;
	idle = c;
	STORE_REL(&taking, 0);
}

/* About how much of a struct is touched. */
#define TOUCHED (32 * ARCH_PAGE)

static COLD struct mmi_costs *
costs_new(void)
{
	struct mmi_costs *c = mmi_arena_map_part(sizeof(*c), TOUCHED);
	struct mmi_costs *head = LOAD_ACQ(&all);

	if (!c)
		return NULL;
	do
		c->next = head;
	while (!CAS(&all, &head, c));
	return c;
}

/* The thread's first operation. */
COLD struct mmi_costs *
mmi_costs_take(void)
{
	static uint32_t serial;
	struct mmi_costs *c;

	/* The last operations of an ending thread aren't counted. */
	if (mmi_thread_me == &mmi_thread_ended || mmi_thread_internal() ||
	    mmi_thread_stopped())
		return NULL;
	c = idle_pop();
	if (!c)
		c = costs_new();
	if (!c)
		return NULL;
	c->busy = 0;
	c->selector = 0;
	c->fresh = true;
	c->who = (uint8_t)(FETCH_ADD(&serial, 1) % 255 + 1);
	c->to_timed = c->to_events = 1;
	c->watched = mmi_kernel_watch(c);
	mmi_pmu_open(&c->counters);
	mmi_costs_mine = c;
	FETCH_ADD(&users, 1);
	return c;
}

/* See thread/enter.h. */
void
mmi_thread_costs_end(void)
{
	struct mmi_costs *c = mmi_costs_mine;

	if (!c)
		return;
	mmi_kernel_unwatch(c);
	mmi_pmu_close(&c->counters);
	mmi_costs_mine = NULL;
	FETCH_ADD(&users, -1);
	mmi_footprint_flush(c);
	idle_push(c);
}

/* ---------------------------------------------------------------- start -- */

/* The launcher has measured "... threshold=BYTES ...". */
static void
read_probe(void)
{
	const char *s = mmi_process_variable("MEMMON_ALLOCATOR_PROBE");
	uint64_t n = 0;

	s = s ? strstr(s, "threshold=") : NULL;
	for (s = s ? s + strlen("threshold=") : ""; *s >= '0' && *s <= '9'; s++)
		n = n * 10 + (uint64_t)(*s - '0');
	if (n)
		mmi_costs_threshold = n;
}

void
mmi_costs_init(void)
{
	unsigned long n;

	/* libmemmon-access is next, not an allocator. */
	if (mmi_operations_on() ||
	    !mmi_process_number("MEMMON_ALLOCATOR", &n) || !n ||
	    mmi_next_monitored())
		return;
	mmi_costs_one_in = n < 1u << 30 ? (uint32_t)n : 1u << 30;
	start_ns = mmi_process_clock(CLOCK_MONOTONIC);
	start_ticks = arch_ticks();
	mmi_costs_ticks = clock_cost(false);
	mmi_costs_timer = clock_cost(true);
	mmi_kernel_start();
	read_probe();
	mmi_operations_take();
}

void
mmi_costs_start(void)
{
	if (!mmi_operations_on())
		return;
	mmi_locks_start(mmi_operations_allocator());
}

void
mmi_costs_fork(void)
{
	struct mmi_costs *c;

	if (!mmi_operations_on())
		return;
	STORE(&taking, 0);
	idle = NULL;
	for (c = mmi_costs_first(); c; c = c->next) {
		mmi_pmu_fork(&c->counters);
		c->usable = 0;
		c->nlocks = 0;
		c->seen = false;
		memset(c->kernel, 0, sizeof(c->kernel));
		/* Don't touch memory that was never touched. */
		for (unsigned i = 0; i < MONOUT_NOP; i++)
			if (c->op[i].n)
				memset(&c->op[i], 0, sizeof(c->op[i]));
		for (unsigned i = 0; i < MMI_COST_SIZES; i++)
			if (c->size[i].allocs | c->size[i].frees)
				memset(&c->size[i], 0, sizeof(c->size[i]));
		if (c != mmi_costs_mine)
			idle_push(c);
	}
	users = mmi_costs_mine ? 1 : 0;
	mmi_locks_fork();
	mmi_footprint_fork();
	if (mmi_costs_mine)
		mmi_costs_mine->watched = mmi_kernel_watch(mmi_costs_mine);
	if (mmi_costs_mine)
		mmi_pmu_open(&mmi_costs_mine->counters);
}
