/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The monitor with less and less memory: events that it can't record are
 * counted as lost, and the sums are still the program's.
 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tap.h"
#include "tests/unit/events.h"

#define BLOCKS 20000u

/* How one run ended. */
struct result {
	struct mmi_tables_count count;
	uint64_t lost, lost_bytes, unseen, shortened, untimed, bins;
	uint64_t used, most, structs;
};

static uintptr_t
address(unsigned i)
{
	return 0x500000000000 + 96 * (uintptr_t)i;
}

static uint64_t
size_of(unsigned i)
{
	return 1 + i % 90;
}

/* Frees every third block. */
static void *
helper(void *arg)
{
	for (unsigned i = 0; i < BLOCKS; i += 3)
		events_free(address(i));
	return arg;
}

static void
help(bool threads)
{
	pthread_t id;

	if (!threads)
		helper(NULL);
	else if (pthread_create(&id, NULL, helper, NULL) == 0)
		pthread_join(id, NULL);
}

/*
 * Makes every block, by one of 500 call paths, and frees two of three; a
 * thread, if there is one, frees half of those.
 */
static struct result
run(uint64_t most, bool threads)
{
	struct result r = { .most = most };
	struct mmi_tables_sums s;
	const struct mmi_thread *t = NULL;

	mmi_arena_limit(most);
	for (unsigned i = 0; i < BLOCKS; i++)
		events_alloc(address(i), size_of(i), i % 500);
	for (unsigned i = 1; i < BLOCKS; i += 3)
		events_free(address(i));
	help(threads);
	mmi_tables_sum(&s);
	events_bins();
	r.count = s.count;
	for (unsigned i = 0; i <= MONOUT_BIN_MAX; i++)
		r.bins += bins.allocs[i] + (bins.frees[i] << 32);
	r.lost = EVENTS_COUNTER(lost) + mmi_shared.lost_allocs;
	r.lost_bytes = EVENTS_COUNTER(lost_bytes) + mmi_shared.lost_bytes;
	r.unseen = EVENTS_COUNTER(unseen);
	r.shortened = EVENTS_COUNTER(shortened);
	r.untimed = EVENTS_COUNTER(untimed);
	r.used = mmi_arena_used();
	while ((t = mmi_thread_next(t)))
		r.structs++;
	return r;
}

/* Runs in its own process. */
static bool
apart(uint64_t most, bool threads, struct result *r)
{
	int fd[2], st;
	bool ok;

	if (pipe(fd) != 0)
		return false;
	if (fork() == 0) {
		*r = run(most, threads);
		_exit(write(fd[1], r, sizeof(*r)) != sizeof(*r));
	}
	close(fd[1]);
	ok = read(fd[0], r, sizeof(*r)) == sizeof(*r);
	close(fd[0]);
	wait(&st);
	return ok && st == 0;
}

/*
 * Does the result add up?  A thread without a struct can't count frees of
 * blocks that weren't seen.  All other events are counted somewhere.
 */
static bool
adds_up(const struct result *r, bool threads)
{
	uint64_t bytes = 0, frees = (BLOCKS + 2) / 3 + (BLOCKS + 1) / 3;

	for (unsigned i = 0; i < BLOCKS; i++)
		bytes += size_of(i);
	if (threads && r->structs == 1)
		frees -= (BLOCKS + 2) / 3;
	if (r->structs == 0)
		frees = 0;
	if (r->count.allocs + r->lost == BLOCKS &&
	    r->count.bytes + r->lost_bytes == bytes &&
	    r->count.frees + r->unseen == frees &&
	    r->bins == r->count.allocs + (r->count.frees << 32) &&
	    (!r->most || r->used <= r->most))
		return true;
	diag("with %lu: allocations %lu lost %lu, bytes %lu lost %lu, "
	     "frees %lu unseen %lu of %lu, structs %lu, used %lu",
	     r->most, r->count.allocs, r->lost, r->count.bytes, r->lost_bytes,
	     r->count.frees, r->unseen, frees, r->structs, r->used);
	return false;
}

static void
sweep(bool threads)
{
	struct result r, all = { 0 };
	uint64_t step, none = 0, some = 0, full = 0, wrong = 0, runs = 0;

	wrong = !apart(0, threads, &all) || !adds_up(&all, threads);
	ok(!wrong && !all.lost && !all.shortened && !all.untimed,
	   "enough memory (%lu bytes)", all.used);
	step = all.used / 97 + 1;
	for (uint64_t most = step; most < all.used + step; most += step) {
		runs++;
		if (!apart(most, threads, &r) || !adds_up(&r, threads)) {
			wrong++;
			continue;
		}
		none += r.count.allocs == 0;
		some += r.count.allocs && r.lost;
		full += !r.lost;
	}
	is_int(wrong, 0, "%lu runs with more and more memory add up", runs);
	ok(none && some && full, "%lu record nothing, %lu a part, %lu all",
	   none, some, full);
}

#define SIZES 160000u
#define FOREIGN 1000u

static void *
any_helper(void *arg)
{
	unsigned n = *(unsigned *)arg;

	/* A struct for the thread, while there is memory. */
	if (!n)
		events_alloc(0x100000, 8, 600);
	for (unsigned i = SIZES - n; i < SIZES; i++)
		events_free(address(i));
	return NULL;
}

/*
 * Too many different sizes: their blocks are counted in cells for all sizes.
 * A thread without such cells frees them.
 */
static void
any_cells(void)
{
	unsigned n = 0, foreign = FOREIGN;
	uint64_t freed = 0, bytes = 0, frees;
	struct mmi_tables_sums s;
	pthread_t id;

	mmi_record_timing(0);
	for (unsigned i = 0; i < SIZES; i++) {
		events_alloc(address(i), i, i % 3);
		bytes += i;
		freed += i < SIZES - FOREIGN ? 0 : i;
	}
	pthread_create(&id, NULL, any_helper, &n);
	pthread_join(id, NULL);
	mmi_arena_limit(1);
	for (struct mmi_thread *t = all; t; t = t->next) {
		t->pool_left = 0;
		t->batch = (struct mmi_batch){ 0, 0 };
	}
	pthread_create(&id, NULL, any_helper, &foreign);
	pthread_join(id, NULL);
	mmi_tables_sum(&s);
	ok(s.count.frees == FOREIGN && s.count.freed == freed,
	   "a thread that has no cells frees blocks of all sizes");
	is_int(s.count.bytes, bytes + 8, "whose bytes are known");
	events_bins();
	frees = bins.big_frees;
	for (unsigned i = 0; i < MMI_BINS; i++)
		frees += bins.other[i].frees;
	is_int(frees, FOREIGN, "and so in the bins");
}

int
main(void)
{
	mmi_thread_init();
	mmi_record_timing(1);
	sweep(false);
	sweep(true);
	any_cells();
	return done_testing();
}
