/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing a merged struct mon: changes and moments. */
#include "reduce/file/sum.h"

/* So many moments fit into a record. */
#define SUM_MOMENTS 512u

static void
sum_zigzag(struct emit *e, uint64_t v)
{
	emit_number(e, v << 1 ^ -(v >> 63));
}

static bool
sum_same(const struct mon_change *a, const struct mon_change *b)
{
	return a->site == b->site && a->thread == b->thread &&
	       a->size == b->size && a->any == b->any;
}

/* n changes of one site, thread and size. */
static void
sum_change(struct emit *e, const struct mon_change *c, size_t n)
{
	struct mon_change last = { 0 };
	size_t i;

	emit_number(e, c->site);
	emit_number(e, c->thread);
	emit_number(e, c->size << 1 | c->any);
	emit_number(e, n);
	for (i = 0; i < n; i++) {
		emit_number(e, c[i].moment - last.moment);
		sum_zigzag(e, c[i].allocs - last.allocs);
		sum_zigzag(e, c[i].frees - last.frees);
		if (c[i].any) {
			sum_zigzag(e, c[i].bytes - last.bytes);
			sum_zigzag(e, c[i].freed - last.freed);
		}
		last = c[i];
	}
	emit_item(e);
}

static uint64_t
sum_changes(struct emit *e, const struct mon *m)
{
	uint64_t items = 0;
	size_t i, n;

	emit_open(e, MONOUT_CHANGES, 0);
	for (i = 0; i < m->nchanges; i += n, items++) {
		for (n = 1; i + n < m->nchanges &&
			    sum_same(&m->changes[i], &m->changes[i + n]);
		     n++)
			;
		sum_change(e, &m->changes[i], n);
	}
	emit_close(e);
	return items;
}

/* Moments i to end, in a record. */
static void
sum_some_moments(struct emit *e, const struct mon_moment *x, size_t i,
		 size_t end)
{
	struct mon_moment last = { 0 };

	emit_open(e, MONOUT_MOMENTS, i);
	for (x += i; i < end; i++, x++) {
		emit_number(e, x->at - last.at);
		emit_number(e, x->allocs - last.allocs);
		emit_number(e, x->bytes - last.bytes);
		emit_number(e, x->frees - last.frees);
		emit_number(e, x->freed - last.freed);
		emit_number(e, x->peak);
		emit_number(e, x->rss + 1);
		emit_item(e);
		last = *x;
	}
	emit_close(e);
}

void
sum_moments(struct emit *e, const struct mon_moment *x, size_t n)
{
	size_t i, end;

	for (i = 0; i < n; i = end) {
		end = n - i > SUM_MOMENTS ? i + SUM_MOMENTS : n;
		sum_some_moments(e, x, i, end);
	}
}

uint64_t
sum_times(struct emit *e, const struct mon *m)
{
	uint64_t items = m->changes_known ? sum_changes(e, m) : 0;

	if (m->times_known)
		sum_moments(e, m->moments, m->nmoments);
	return items;
}
