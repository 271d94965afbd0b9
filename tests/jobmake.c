/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jobmake DIRECTORY FILES [SITES [ALL]]: the data files of a parallel job of
 * FILES ranks, DIRECTORY/RANK.mon, 64 ranks to a host.  Each has SITES (1000)
 * of ALL (3000) call paths of eight frames, with cells, bins, lifetimes, the
 * blocks live at the peak, and snapshots.  The figures of a path depend on its
 * number and the rank alone.  It has 10 + (7 * path + 3 * rank) % 50 blocks of
 * 16 + 8 * (path % 100) bytes.  rank % 4 of them weren't freed if the path's
 * number is a multiple of 5, and 1 + (path + rank) % 4 were live at the peak.
 * Each rank has path 0; rank 3 has 1000 more blocks of it at the peak.
 */
#define _GNU_SOURCE
#include "reduce/base/hash.h"
#include "reduce/monout/emit.h"
#include "reduce/monout/items.h"
#include "reduce/model/life.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 8, SIZES = 100, HOST = 64 };
#define SECOND 1000000000ull
#define START (1700000000 * SECOND)

static uint64_t nsites = 1000, all = 3000;

struct path {
	uint64_t number, size, allocs, frees, held;
};

static struct path
path_of(uint64_t rank, uint64_t i)
{
	uint64_t n = i ? 1 + (rank * 131 + i) % (all - 1) : 0;
	struct path p = { .number = n, .size = 16 + 8 * (n % SIZES) };

	p.allocs = 10 + (7 * n + 3 * rank) % 50;
	p.frees = p.allocs - (n % 5 ? 0 : rank % 4);
	p.held = 1 + (n + rank) % 4;
	if (!n && rank == 3) {
		p.allocs += 1000;
		p.frees += 1000;
		p.held += 1000;
	}
	return p;
}

static void
put_run(struct emit *e, uint64_t rank)
{
	char host[32];
	int n = snprintf(host, sizeof(host), "node%d", (int)(rank / HOST));

	emit_header(e, 0);
	emit_open(e, MONOUT_RUN, 0);
	emit_key_string(e, MONOUT_R_PROGRAM, "/job/app", 8);
	emit_key_string(e, MONOUT_R_COMMAND, "app\0-x", 7);
	emit_key_number(e, MONOUT_R_PID, 1000 + rank);
	emit_key_number(e, MONOUT_R_START, START + rank);
	emit_key_number(e, MONOUT_R_LENGTH, 10 * SECOND);
	emit_key_number(e, MONOUT_R_END, MONOUT_E_EXIT);
	emit_key_number(e, MONOUT_R_THREADS, 1);
	emit_key_number(e, MONOUT_R_TIMING, 1);
	emit_key_string(e, MONOUT_R_HOST, host, (size_t)n);
	emit_key_number(e, MONOUT_R_RANK, rank);
	emit_key_string(e, MONOUT_R_JOB, "4711", 4);
	emit_close(e);
	emit_open(e, MONOUT_MODULES, 1);
	items_put_module(e,
			 &(struct mon_module){ .start = 0x400000 + rank * 4096,
					       .end = 0x800000 + rank * 4096,
					       .bias = rank * 4096,
					       .flags = MONOUT_M_EXE,
					       .id = (void *)"\1\2\3\4",
					       .idlen = 4,
					       .path = "/job/app" });
	emit_close(e);
}

/* The nodes of all call paths; node[] gets the last one of each. */
static void
put_nodes(struct emit *e, uint64_t rank, uint64_t *node)
{
	struct hash h = { 0 };
	uint64_t part, at, addr;
	uint32_t n = 1, is;

	emit_open(e, MONOUT_NODES, 1);
	for (uint64_t i = 0; i < nsites; i++) {
		at = 0;
		part = path_of(rank, i).number;
		for (int k = FRAMES - 1; k >= 0; k--) {
			/* Each frame has two more bits of the number. */
			addr = (uint64_t)(FRAMES - k) << 20 | part >> 2 * k;
			is = hash_intern(&h, at, 1, addr, n);
			if (is == n)
				items_put_node(e, &(struct monrec_node){
							  n - at, 1, addr });
			n += is == n;
			at = is;
		}
		node[i] = at;
	}
	emit_close(e);
	hash_fini(&h);
}

static void
put_sites(struct emit *e, uint64_t rank, const uint64_t *node)
{
	uint64_t bin[SIZES][2] = { { 0 } };

	emit_open(e, MONOUT_SITES, 0);
	for (uint64_t i = 0; i < nsites; i++) {
		struct path p = path_of(rank, i);
		unsigned c = counts_class(p.size);
		struct monrec_site s = { .node = node[i], .mask = 1u << c };

		s.size_class[c].allocs = p.allocs;
		s.size_class[c].bytes = p.allocs * p.size;
		s.size_class[c].frees = p.frees;
		s.size_class[c].freed = p.frees * p.size;
		items_put_site(e, &s);
		bin[p.number % SIZES][0] += p.allocs;
		bin[p.number % SIZES][1] += p.frees;
	}
	emit_close(e);
	emit_open(e, MONOUT_BINS, 0);
	for (uint64_t i = 0; i < SIZES; i++)
		if (bin[i][0])
			items_put_bin(e,
				      &(struct mon_bin){ .size = 16 + 8 * i,
							 .allocs = bin[i][0],
							 .frees = bin[i][1] });
	emit_close(e);
}

static struct life
life_of(const struct path *p)
{
	struct life l = { .timed = p->frees,
			  .weight = p->frees,
			  .sum = 1000 * p->frees,
			  .min = 1000,
			  .max = 1000 };

	l.bin[life_bin(1000)] = p->frees;
	return l;
}

static void
put_parts(struct emit *e, uint64_t rank)
{
	struct path p;
	struct life l;
	uint64_t i;

	emit_open(e, MONOUT_PEAKS, 0);
	for (i = 0; i < nsites; i++) {
		p = path_of(rank, i);
		items_put_peak(e, &(struct monrec_peak){ i, p.held,
							 p.held * p.size });
	}
	emit_close(e);
	emit_open(e, MONOUT_LIVES, 0);
	for (i = 0; i < nsites; i++) {
		p = path_of(rank, i);
		l = life_of(&p);
		items_put_of_life(e, i, &l);
	}
	emit_close(e);
}

/* The sums of all sites. */
struct sum {
	uint64_t allocs, bytes, frees, freed, held, held_bytes;
};

static struct sum
sum_of(uint64_t rank)
{
	struct sum s = { 0 };

	for (uint64_t i = 0; i < nsites; i++) {
		struct path p = path_of(rank, i);

		s.allocs += p.allocs;
		s.bytes += p.allocs * p.size;
		s.frees += p.frees;
		s.freed += p.frees * p.size;
		s.held += p.held;
		s.held_bytes += p.held * p.size;
	}
	return s;
}

static void
put_rest(struct emit *e, uint64_t rank, const struct sum *s)
{
	uint64_t live = s->bytes - s->freed;

	emit_open(e, MONOUT_THREADS, 0);
	items_put_thread(e, &(struct mon_thread){ .flags = MONOUT_TH_MAIN,
						  .threads = 1,
						  .name = "app",
						  .allocs = s->allocs,
						  .bytes = s->bytes,
						  .frees = s->frees,
						  .freed = s->freed });
	emit_close(e);
	emit_open(e, MONOUT_CELLS, 0);
	for (uint64_t i = 0; i < nsites; i++) {
		struct path p = path_of(rank, i);

		items_put_cell(e, &(struct mon_cell){
					  .site = (uint32_t)i,
					  .thread = 1,
					  .size = p.size,
					  .allocs = p.allocs,
					  .frees = p.frees,
					  .peak_blocks = (int64_t)p.held });
	}
	emit_close(e);
	/* At 4 s, just after the peak; and at the end. */
	emit_open(e, MONOUT_SNAPSHOTS, 0);
	items_put_snapshot(e, &(struct mon_snapshot){ 4 * SECOND, s->held,
						      s->held_bytes, 0, 0,
						      s->held_bytes, 0 });
	items_put_snapshot(e, &(struct mon_snapshot){
				      6 * SECOND, s->allocs - s->held,
				      s->bytes - s->held_bytes, s->frees,
				      s->freed, live, 0 });
	emit_close(e);
}

static void
put_totals(struct emit *e, const struct sum *s, uint64_t nodes)
{
	const uint64_t total[MONOUT_T_MAX] = {
		[MONOUT_T_ALLOCS] = s->allocs,
		[MONOUT_T_BYTES] = s->bytes,
		[MONOUT_T_FREES] = s->frees,
		[MONOUT_T_FREED] = s->freed,
		[MONOUT_T_MODULES] = 1,
		[MONOUT_T_NODES] = nodes,
		[MONOUT_T_SITES] = nsites,
		[MONOUT_T_PEAK] = s->held_bytes,
		[MONOUT_T_PEAK_AT] = 3 * SECOND,
		[MONOUT_T_PEAKS] = nsites,
		[MONOUT_T_PEAK_BLOCKS] = s->held,
		[MONOUT_T_PEAK_BYTES] = s->held_bytes,
		[MONOUT_T_LIVES] = nsites,
		[MONOUT_T_THREADS] = 1,
		[MONOUT_T_CELLS] = nsites,
		[MONOUT_T_SNAPSHOTS] = 2,
	};

	emit_open(e, MONOUT_TOTALS, 0);
	for (uint64_t k = 1; k < MONOUT_T_MAX; k++)
		if (total[k])
			emit_key_number(e, k, total[k]);
	emit_close(e);
}

static int
write_file(const char *directory, uint64_t rank, uint64_t *node)
{
	struct emit e = { 0 };
	struct sum s = sum_of(rank);
	uint64_t nodes = 0;
	char *name;
	FILE *f;

	put_run(&e, rank);
	put_nodes(&e, rank, node);
	nodes = e.first - 1;
	put_sites(&e, rank, node);
	put_parts(&e, rank);
	put_rest(&e, rank, &s);
	put_totals(&e, &s, nodes);
	if (e.failed ||
	    asprintf(&name, "%s/%05d.mon", directory, (int)rank) < 0)
		return -1;
	f = fopen(name, "w");
	if (!f || fwrite(e.data, 1, e.length, f) != e.length || fclose(f)) {
		perror(name);
		return -1;
	}
	free(name);
	emit_fini(&e);
	return 0;
}

int
main(int argc, char **argv)
{
	uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 0, *node;

	if (argc > 3)
		nsites = strtoull(argv[3], NULL, 10);
	if (argc > 4)
		all = strtoull(argv[4], NULL, 10);
	if (!n || !nsites || nsites > all) {
		fputs("usage: jobmake DIRECTORY FILES [SITES [ALL]]\n", stderr);
		return 2;
	}
	node = calloc(nsites, sizeof(*node));
	for (uint64_t rank = 0; node && rank < n; rank++)
		if (write_file(argv[1], rank, node))
			return 1;
	return !node;
}
