/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * celldump [-r] FILE: the figures of a data file by thread and size, as the
 * reducer reads them; -r: after recount_running() has changed them:
 *
 *	known CELLS THREADS VTABLES	1 or 0: see struct mon
 *	cell SITE THREAD SIZE ALLOCS BYTES FREES FREED PEAK BYTES LOOKED SLACK
 *	differ WHAT N THERE CELLS	allocations or frees of a size, by BINS;
 *				allocations of a thread, by THREADS: where these
 *				differ from the cells, as far as cells know
 *	vtable SITE MODULE ADDR BLOCKS BYTES
 *	type SITE SIZE NAME		of a site
 *
 * SITE is its place in the table; THREAD a name, or ? if it is unknown; SIZE a
 * number, or s m l x for any of a class; MODULE the last part of its path.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/base/err.h"
#include "reduce/estimate/recount.h"
#include "reduce/monout/mon.h"
#include "reduce/monout/load.h"
#include "reduce/image/open.h"

static void
print_cell(const struct mon *m, const struct mon_cell *c)
{
	printf("cell %u %s ", c->site,
	       c->thread ? m->threads[c->thread - 1].name : "?");
	if (c->any)
		printf("%c", "smlx"[c->size]);
	else
		printf("%" PRIu64, c->size);
	printf(" %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRId64
	       " %" PRId64 " %" PRIu64 " %" PRIu64 "\n",
	       c->allocs, c->bytes, c->frees, c->freed, c->peak_blocks,
	       c->peak_bytes, c->looked, c->slack);
}

static int
compare_bins(const void *a, const void *b)
{
	uint64_t x = ((const struct mon_bin *)a)->size;
	uint64_t y = ((const struct mon_bin *)b)->size;

	return x < y ? -1 : x > y;
}

/* Compares bins by size, unless some cells are for any size. */
static void
check_bins(struct mon *m)
{
	struct mon_bin *sum = calloc(m->nbins + 1, sizeof(*sum)), *b;
	size_t i;

	qsort(m->bins, m->nbins, sizeof(*m->bins), compare_bins);
	for (i = 0; i < m->nbins; i++)
		sum[i].size = m->bins[i].size;
	for (i = 0; i < m->ncells && !m->cells[i].any; i++) {
		b = bsearch(&m->cells[i].size, sum, m->nbins, sizeof(*sum),
			    compare_bins);
		if (!b)
			continue;
		b->allocs += m->cells[i].allocs;
		b->frees += m->cells[i].frees;
	}
	for (b = m->bins; i == m->ncells && b < m->bins + m->nbins; b++, sum++)
		if (sum->allocs != b->allocs || sum->frees != b->frees)
			printf("differ bin %" PRIu64 " %" PRIu64 "/%" PRIu64
			       " %" PRIu64 "/%" PRIu64 "\n",
			       b->size, b->allocs, b->frees, sum->allocs,
			       sum->frees);
}

static void
check_thread(const struct mon *m, size_t n)
{
	uint64_t allocs = 0, bytes = 0;
	size_t i;

	for (i = 0; i < m->ncells; i++) {
		if (m->cells[i].thread != n + 1)
			continue;
		allocs += m->cells[i].allocs;
		bytes += m->cells[i].bytes;
	}
	if (allocs != m->threads[n].allocs)
		printf("differ thread %zu %" PRIu64 " %" PRIu64 "\n", n,
		       m->threads[n].allocs, allocs);
	if (bytes != m->threads[n].bytes)
		printf("differ bytes %zu %" PRIu64 " %" PRIu64 "\n", n,
		       m->threads[n].bytes, bytes);
}

static void
print_vtable(const struct mon *m, const struct mon_vtable *v)
{
	const char *path = m->modules[v->module].path;
	const char *slash = strrchr(path, '/');

	printf("vtable %u %s %" PRIx64 " %" PRIu64 " %" PRIu64 "\n", v->site,
	       slash ? slash + 1 : path, v->addr, v->blocks, v->bytes);
}

int
main(int argc, char **argv)
{
	const struct mon_type *x;
	struct err e;
	struct mon m;
	size_t i;

	bool running = argc == 3 && !strcmp(argv[1], "-r");

	if (argc != 2 + running || open_file(&m, argv[1 + running], &e))
		return 1;
	if (running)
		recount_running(&m);
	for (i = 0; i < m.nwarning; i++)
		fprintf(stderr, "%s\n", m.warning[i]);
	printf("known %d %d %d\n", m.cells_known, m.cells_threads,
	       m.vtables_known);
	for (i = 0; i < m.ncells; i++)
		print_cell(&m, &m.cells[i]);
	if (m.cells_known)
		check_bins(&m);
	for (i = 0; m.cells_threads && i < m.nthreads; i++)
		check_thread(&m, i);
	for (i = 0; i < m.nvtables; i++)
		print_vtable(&m, &m.vtables[i]);
	for (i = 0; i < m.nsites; i++) {
		x = mon_type_of(&m, m.sites[i].node);
		if (x)
			printf("type %zu %" PRIu64 " %s\n", i, x->size,
			       x->name);
	}
	mon_fini(&m);
	return 0;
}
