/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libFuzzer on the reading, merging and showing of mon.out.  CRCs are made
 * right first, so that changed bytes get behind them; every other file goes in
 * as it is.  tests/long/fuzz.t builds and runs it; by hand:
 *
 *	clang -g -O1 -fsanitize=fuzzer,address,undefined -std=gnu11 -I. \
 *		tests/fuzz/load.c reduce/{arena,crc32,emit,err,groups}.c \
 *		reduce/{hash,info,items,items_after,items_use,life}.c \
 *		reduce/{load,load_check,merge,merge_run,merge_use,run}.c \
 *		-o /tmp/fuzz-load &&
 *	/tmp/fuzz-load DIRECTORY
 */
#include "reduce/crc32.h"
#include "reduce/err.h"
#include "reduce/info.h"
#include "reduce/merge.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Make the CRCs of the header and of all records right, as far as they go. */
static void
repair(unsigned char *p, size_t size)
{
	struct monout_header h;
	struct monout_record r;
	size_t at = sizeof(h);

	if (size < sizeof(h))
		return;
	memcpy(&h, p, sizeof(h));
	memcpy(h.magic, MONOUT_MAGIC, sizeof(h.magic));
	h.major = MONOUT_MAJOR;
	h.order = MONOUT_ORDER;
	memcpy(p, &h, sizeof(h));
	h.crc = crc32_add(0, p, offsetof(struct monout_header, crc));
	memcpy(p, &h, sizeof(h));
	while (size - at >= sizeof(r)) {
		memcpy(&r, p + at, sizeof(r));
		if (r.length > size - at - sizeof(r))
			return;
		r.crc = crc32_add(0, p + at,
				  offsetof(struct monout_record, crc));
		r.crc = crc32_add(r.crc, p + at + sizeof(r), r.length);
		memcpy(p + at, &r, sizeof(r));
		at += sizeof(r) + r.length;
	}
}

/* Is the sum of the sites' lives what it is said to be? */
static void
check_lives(const struct mon *m)
{
	struct life all = { 0 }, x;
	uint64_t blocks = 0, bytes = 0, weight = 0;
	size_t i;

	for (i = 0; i < m->nsites; i++) {
		blocks += m->sites[i].peak_blocks;
		bytes += m->sites[i].count.peak;
		life_get(&m->lives, m->sites[i].life, &x);
		if (x.near > counts_sum(m->sites[i].count.frees) ||
		    x.timed > x.weight || x.min > x.max || !life_fits(&all, &x))
			abort();
		life_add(&all, &x);
	}
	for (i = 0; i < PROFILE_NLIFE; i++)
		weight += all.bin[i];
	if (weight != all.weight || memcmp(&all, &m->life, sizeof(all)) != 0 ||
	    blocks != m->peak_blocks || bytes != m->peak_bytes ||
	    blocks > m->sums.allocs || bytes > m->sums.bytes)
		abort();
}

/* What holds of all that was read. */
static void
check(const struct mon *m)
{
	uint64_t bytes = 0;
	size_t i;

	check_lives(m);
	for (i = 0; i < m->nthreads; i++)
		bytes += m->threads[i].bytes;
	if (bytes != m->thread_sums.bytes)
		abort();

	if (m->sums.frees > m->sums.allocs || m->sums.freed > m->sums.bytes)
		abort();
	for (i = 1; i < m->nnodes; i++) {
		if (m->nodes[i].parent >= i ||
		    m->nodes[i].module >= (m->nmodules ? m->nmodules : 1))
			abort();
	}
	for (i = 0; i < m->nsites; i++) {
		if (m->sites[i].node && m->sites[i].node >= m->nnodes)
			abort();
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *null;
	struct merge g = { 0 };
	struct mon m;
	struct err e;
	unsigned char *copy = malloc(size + !size);
	int turn;

	if (!null)
		null = fopen("/dev/null", "w");
	memcpy(copy, data, size);
	if (size && data[size - 1] & 1)
		repair(copy, size);
	if (load_memory(&m, "fuzz", copy, size, &e) == 0) {
		info_print(&m, null);
		/* Twice: with itself it has everything in common. */
		for (turn = 0; turn < 2 && !merge_add(&g, &m, &e); turn++)
			check(&g.all);
		merge_fini(&g);
		load_fini(&m);
	}
	free(copy);
	return 0;
}
