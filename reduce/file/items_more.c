/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Items of the tables that few files have: marks and leaks. */
#include "reduce/file/items.h"

/* Could a monitor have put this mark behind those that are there? */
static bool
items_mark_sane(const struct items *it, const struct mon_mark *x)
{
	const struct mon *m = it->mon;
	uint64_t reset = m->run[MONOUT_R_RESET].number;

	if (m->nmarks && x->time < m->marks[m->nmarks - 1].time)
		return false;
	if ((!x->allocs && x->bytes) || (!x->frees && x->freed))
		return false;
	/* Counts only grow, but for a reset; some may not have been read; of
	 * samples these are estimates, but the sums are none yet. */
	return x->time <= reset ||
	       (m->run[MONOUT_R_SAMPLE].set && !mon_is_sum(m)) ||
	       it->bad_records || items_left_out(it) ||
	       (x->allocs <= m->sums.allocs && x->bytes <= m->sums.bytes &&
		x->frees <= m->sums.frees && x->freed <= m->sums.freed);
}

int
items_mark(struct items *it, struct cursor *c)
{
	struct mon *m = it->mon;
	struct mon_mark o = { .time = cursor_number(c) }, *a;
	const unsigned char *name;
	uint64_t length;

	o.allocs = cursor_number(c);
	o.bytes = cursor_number(c);
	o.frees = cursor_number(c);
	o.freed = cursor_number(c);
	length = cursor_number(c);
	name = cursor_bytes(c, length);
	if (c->bad)
		return 0;
	if (!items_mark_sane(it, &o)) {
		it->bad_more++;
		return 0;
	}
	a = array_grow(m->marks, &m->mark_room, m->nmarks + 1, sizeof(*a));
	if (!a)
		return -1;
	m->marks = a;
	o.name = arena_copy(&m->arena, name, length);
	if (!o.name)
		return -1;
	a[m->nmarks++] = o;
	return 0;
}

/* Was the leak check the last that the run did?  Not known of a sum. */
static bool
items_checked_last(const struct mon *m)
{
	const struct mon_value *check = &m->run[MONOUT_R_LEAKCHECK];
	const struct mon_value *length = &m->run[MONOUT_R_LENGTH];

	return !mon_is_sum(m) && check->set && length->set &&
	       check->number >= length->number;
}

/*
 * Could a leak check have found this of the site?  What it found was allocated,
 * and when nothing came after it, not freed.
 */
static bool
items_leak_sane(const struct mon *m, const struct mon_leak *x,
		const struct mon_site *s)
{
	uint64_t blocks = counts_sum(s->count.allocs), n = 0;
	uint64_t bytes = counts_sum(s->count.bytes), sum = 0;
	bool over = false;
	int i;

	if (items_checked_last(m)) {
		blocks -= counts_sum(s->count.frees);
		bytes -= counts_sum(s->count.freed);
	}
	for (i = 0; i < MONOUT_NLEAK; i++) {
		over |= __builtin_add_overflow(n, x->blocks[i], &n);
		over |= __builtin_add_overflow(sum, x->bytes[i], &sum);
		if (!x->blocks[i] && x->bytes[i])
			return false;
	}
	return !over && n && n <= blocks && sum <= bytes;
}

/* Give the site its item.  0, or -1 when out of memory. */
static int
items_put_leak(struct mon *m, struct mon_site *s, const struct mon_leak *x)
{
	struct mon_leak *a =
		array_grow(m->leaks, &m->leak_room, m->nleaks + 2, sizeof(*a));

	if (!a)
		return -1;
	m->leaks = a;
	if (!m->nleaks)
		a[m->nleaks++] = (struct mon_leak){ { 0 }, { 0 } };
	s->leak = (uint32_t)m->nleaks;
	a[m->nleaks++] = *x;
	/* No more than the sites' sums, so they fit. */
	mon_leak_add(&m->leak, x);
	return 0;
}

int
items_leak(struct items *it, struct cursor *c)
{
	struct mon *m = it->mon;
	struct mon_site *s = items_find_site(m, cursor_number(c));
	uint64_t mask = cursor_number(c);
	struct mon_leak x = { { 0 }, { 0 } };
	int i;

	if (mask >> MONOUT_NLEAK)
		c->bad = true;
	for (i = 0; i < MONOUT_NLEAK && !c->bad; i++) {
		if (!(mask >> i & 1))
			continue;
		x.blocks[i] = cursor_number(c);
		x.bytes[i] = cursor_number(c);
	}
	if (c->bad)
		return 0;
	if (!s) {
		it->lost_rows++;
		return 0;
	}
	if (s->leak || !items_leak_sane(m, &x, s)) {
		it->bad_more++;
		return 0;
	}
	return items_put_leak(m, s, &x);
}
