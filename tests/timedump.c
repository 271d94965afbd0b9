/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timedump FILE: the figures of a data file by snapshot, as the reducer reads
 * them:
 *
 *	known SNAPSHOTS CHANGES	1 or 0: see struct mon
 *	snapshot I AT ALLOCS BYTES FREES FREED PEAK RSS	? for unknown
 *	differ I ALLOCS BYTES FREES FREED	by how much the changes up to it
 *				exceed snapshot I, if they don't add up to it
 *	change SITE THREAD SIZE SNAPSHOT ALLOCS BYTES FREES FREED
 *
 * SITE is its place in the table; THREAD a name, or ? if it is unknown; SIZE a
 * number, or s m l x for any of a class.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "reduce/base/err.h"
#include "reduce/monout/mon.h"
#include "reduce/monout/load.h"
#include "reduce/image/open.h"

static void
print_number(uint64_t n)
{
	if (n == UINT64_MAX)
		printf(" ?");
	else
		printf(" %" PRIu64, n);
}

static void
print_snapshots(const struct mon *m)
{
	const struct mon_snapshot *x;
	size_t i;

	for (i = 0; i < m->nsnapshots; i++) {
		x = &m->snapshots[i];
		printf("snapshot %zu %" PRIu64 " %" PRIu64 " %" PRIu64
		       " %" PRIu64 " %" PRIu64,
		       i, x->at, x->allocs, x->bytes, x->frees, x->freed);
		print_number(x->peak);
		print_number(x->rss);
		putchar('\n');
	}
}

/*
 * Does the change belong to the same site, size and thread as the one before?
 */
static bool
goes_on(const struct mon *m, size_t i)
{
	const struct mon_change *x = &m->changes[i];

	return i && x[-1].site == x->site && x[-1].thread == x->thread &&
	       x[-1].size == x->size && x[-1].any == x->any;
}

static void
print_changes(const struct mon *m)
{
	const struct mon_change *x;
	size_t i;

	for (i = 0; i < m->nchanges; i++) {
		x = &m->changes[i];
		printf("change %u %s ", x->site,
		       x->thread ? m->threads[x->thread - 1].name : "?");
		if (x->any)
			printf("%c", "smlx"[x->size]);
		else
			printf("%" PRIu64, x->size);
		printf(" %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
		       x->snapshot, x->allocs, x->bytes, x->frees, x->freed);
	}
}

static void
check(const struct mon *m)
{
	struct mon_snapshot *sum = calloc(m->nsnapshots + 1, sizeof(*sum)), *to;
	const struct mon_change none = { 0 }, *x, *before;
	int64_t d[4];
	size_t i;

	for (i = 0; i < m->nchanges; i++) {
		x = &m->changes[i];
		before = goes_on(m, i) ? x - 1 : &none;
		to = &sum[x->snapshot];
		to->allocs += x->allocs - before->allocs;
		to->bytes += x->bytes - before->bytes;
		to->frees += x->frees - before->frees;
		to->freed += x->freed - before->freed;
	}
	for (i = 0; i < m->nsnapshots; i++) {
		if (i) {
			sum[i].allocs += sum[i - 1].allocs;
			sum[i].bytes += sum[i - 1].bytes;
			sum[i].frees += sum[i - 1].frees;
			sum[i].freed += sum[i - 1].freed;
		}
		d[0] = (int64_t)(sum[i].allocs - m->snapshots[i].allocs);
		d[1] = (int64_t)(sum[i].bytes - m->snapshots[i].bytes);
		d[2] = (int64_t)(sum[i].frees - m->snapshots[i].frees);
		d[3] = (int64_t)(sum[i].freed - m->snapshots[i].freed);
		if (d[0] || d[1] || d[2] || d[3])
			printf("differ %zu %" PRId64 " %" PRId64 " %" PRId64
			       " %" PRId64 "\n",
			       i, d[0], d[1], d[2], d[3]);
	}
	free(sum);
}

int
main(int argc, char **argv)
{
	struct err e = { 0 };
	struct mon m;
	unsigned i;

	if (argc != 2 || open_file(&m, argv[1], &e)) {
		fprintf(stderr, "timedump: %s\n",
			argc == 2 ? e.text : "one file");
		return 1;
	}
	for (i = 0; i < m.nwarning; i++)
		fprintf(stderr, "timedump: %s\n", m.warning[i]);
	printf("known %d %d\n", m.times_known, m.changes_known);
	print_snapshots(&m);
	if (m.changes_known)
		check(&m);
	print_changes(&m);
	mon_fini(&m);
	return 0;
}
