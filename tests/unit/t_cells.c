/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells: lifetimes, any number of sizes, forks; records. */
#include <pthread.h>

#include "tests/tap.h"
#include "tests/unit/events.h"

static void
life_bins(void)
{
	static const struct {
		uint64_t ns;
		unsigned bin;
	} want[] = { { 0, 0 },		 { 1, 0 },
		     { 2, 1 },		 { 3, 1 },
		     { 4, 2 },		 { 1023, 9 },
		     { 1024, 10 },	 { (1ull << 47) - 1, 46 },
		     { 1ull << 47, 47 }, { 1ull << 60, 47 } };

	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		struct mmi_lives l = { .min = UINT64_MAX };

		mmi_cells_life(&l, want[i].ns, 3);
		ok(l.bin[want[i].bin] == 3 && l.weight == 3 &&
			   l.sum == 3 * want[i].ns && l.min == want[i].ns &&
			   l.max == want[i].ns,
		   "%lu ns go to bin %u", (unsigned long)want[i].ns,
		   want[i].bin);
	}
}

/* The cell itself stores the first lifetimes; later ones get more room. */
static void
few_lives(void)
{
	uint64_t sum = 0;

	for (unsigned n = 1; n <= 12; n++) {
		events_alloc(0x10000, 100, 0);
		events_now += n * 1000;
		sum += n * 1000;
		events_free(0x10000);
		events_site(0);
		ok(site.timed == n && site.lives.weight == n &&
			   site.lives.sum == sum && site.lives.min == 1000 &&
			   site.lives.max == n * 1000,
		   "%u lifetimes", n);
	}
}

#define SIZES 200000u
#define FAR 0x700000000000

static uintptr_t
far_at(unsigned i)
{
	return FAR + 64 * (uintptr_t)i;
}

/* More sizes than get their own cells: all figures stay exact. */
static void
many_sizes(void)
{
	uint64_t bytes = 0, freed = 0, bad = 0, sum[4] = { 0 };
	struct mmi_tables_count c;
	uint32_t cells;

	events_fork();
	for (unsigned i = 0; i < SIZES; i++) {
		events_alloc(far_at(i), i, 1 + i % 7);
		bytes += i;
	}
	cells = mmi_cells.items.used;
	ok(cells < FEW_CELLS + 1000, "%u sizes get %u cells", SIZES, cells);
	for (unsigned i = 0; i < SIZES; i += 2) {
		events_free(far_at(i));
		freed += i;
	}
	for (unsigned k = 1; k <= 7; k++) {
		events_site(k);
		c = events_count();
		sum[0] += c.allocs;
		sum[1] += c.bytes;
		sum[2] += c.frees;
		sum[3] += c.freed;
		bad += c.allocs != SIZES / 7 + (k - 1 < SIZES % 7);
		bad += (uint64_t)site.held != c.allocs ||
		       (uint64_t)site.held_bytes != c.bytes;
		for (unsigned j = 0; j < MONOUT_NCLASS; j++)
			bad += !site.count[j].allocs;
	}
	ok(sum[0] == SIZES && sum[1] == bytes, "allocations and bytes");
	ok(sum[2] == SIZES / 2 && sum[3] == freed, "frees and their bytes");
	is_int(bad, 0, "of each chain, and at the peak, too");
	events_bins();
	bad = sum[0] = sum[1] = sum[2] = sum[3] = 0;
	for (unsigned i = 0; i <= MONOUT_BIN_MAX; i++)
		bad += bins.allocs[i] != 1 || bins.frees[i] != (i % 2 == 0);
	for (unsigned i = 0; i < MMI_BINS; i++) {
		struct mmi_bin *b = &bins.other[i];

		bad += b->allocs > 1 ||
		       b->frees != (b->allocs && !(b->size % 2));
		sum[0] += b->allocs;
		sum[1] += b->allocs * b->size;
		sum[2] += b->frees;
		sum[3] += b->frees * b->size;
	}
	is_int(bad, 0, "each bin has its size's blocks");
	ok(sum[0] + bins.big_allocs == SIZES - 1025 &&
		   sum[2] + bins.big_frees == SIZES / 2 - 513,
	   "the rest are among the others");
	ok(sum[1] + bins.big_bytes == bytes - 1024 * 1025 / 2 &&
		   sum[3] + bins.big_freed == freed - 512 * 513,
	   "with their bytes");
}

/* Blocks counted in the cells for all sizes, resized and freed soon. */
static void
any_cells(void)
{
	struct mmi_tables_count c, was;
	uint64_t temps;

	for (unsigned i = 0; i < SIZES_FIRST; i++) {
		events_alloc(0x20000, i, 9);
		events_free(0x20000);
	}
	events_site(9);
	was = events_count();
	temps = site.temps;
	events_alloc(0x20000, 7000000, 9);
	events_realloc(0x20000, 0x20000, 8000000, 9);
	events_realloc(0x20000, 0x30000, 6000001, 9);
	events_free(0x30000);
	events_site(9);
	c = events_count();
	ok(c.allocs == was.allocs + 3 && c.bytes == was.bytes + 21000001 &&
		   c.frees == was.frees + 3 && c.freed == was.freed + 21000001,
	   "a block for which there is no cell of its size, resized");
	ok(site.reallocs == 2 && site.moved == 1 && site.copied == 6000001 &&
		   site.longest == 2 && site.temps == temps + 1,
	   "with all that is known of others");
	ok(mmi_cell_size(mmi_cells_of(events_node(9))) >= MMI_CELL_ANY,
	   "was in one for all sizes");
}

/* Generations of cells are used again: old ones aren't found. */
static void
many_forks(void)
{
	unsigned bad = 0, rounds = 3 * GENERATIONS;

	for (unsigned i = 0; i < rounds; i++) {
		struct mmi_tables_count c;

		events_alloc(0x40000 + 64ull * i, 48, 11);
		events_fork();
		events_site(11);
		bad += events_count().allocs != 0;
		events_free(0x40000 + 64ull * i);
		bad += EVENTS_COUNTER(inherited) != 1;
		events_alloc(0x40000, 48, 11);
		events_free(0x40000);
		events_site(11);
		c = events_count();
		bad += c.allocs != 1 || c.frees != 1 || site.temps != 1;
	}
	is_int(bad, 0, "%u forks, one below the other", rounds);
}

static void
stamps_of_two(void)
{
	static struct mmi_thread a, b;
	uint32_t i[1000], before = records.used, grown;

	for (int round = 0; round < 1000; round++) {
		for (int k = 0; k < 1000; k++)
			i[k] = mmi_timed_take(&a, true);
		for (int k = 0; k < 1000; k++)
			mmi_timed_give(&b, i[k]);
	}
	grown = records.used - before;
	ok(grown <= 1000 + 2 * KEEP,
	   "a million records given back by another thread: %u made", grown);
}

/* Several threads take and give back: no record is in two threads. */
static uint32_t owner[1u << 20];

static void *
stamp_worker(void *arg)
{
	struct mmi_thread *t = calloc(1, sizeof(*t));
	uint32_t mine[700], me = (uint32_t)(size_t)arg;
	size_t bad = 0;

	for (unsigned round = 0; round < 500; round++) {
		unsigned n = 100 + (round * 37 + me * 11) % 600;

		for (unsigned k = 0; k < n; k++) {
			mine[k] = mmi_timed_take(t, true);
			bad += SWAP(&owner[mine[k]], me) != 0;
		}
		for (unsigned k = 0; k < n; k++) {
			bad += SWAP(&owner[mine[k]], 0) != me;
			mmi_timed_give(t, mine[k]);
		}
	}
	free(t);
	return (void *)bad;
}

static void
stamps_of_many(void)
{
	pthread_t id[4];
	uint32_t before = records.used;
	size_t bad = 0;
	void *one;

	for (size_t i = 0; i < 4; i++)
		pthread_create(&id[i], NULL, stamp_worker, (void *)(i + 1));
	for (size_t i = 0; i < 4; i++) {
		pthread_join(id[i], &one);
		bad += (size_t)one;
	}
	is_int(bad, 0, "four threads share records");
	ok(records.used - before <= 4 * (700 + KEEP), "and need few (%u)",
	   records.used - before);
}

int
main(void)
{
	mmi_record_timing(1);
	stamps_of_two();
	life_bins();
	few_lives();
	mmi_record_timing(0);
	many_sizes();
	any_cells();
	mmi_record_timing(1);
	many_forks();
	stamps_of_many();
	return done_testing();
}
