/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Items of the tables of changes and moments. */
#include "reduce/file/items.h"

/* Could a monitor have put this moment behind those that are there? */
static bool
items_moment_sane(const struct mon *m, const struct mon_moment *x)
{
	const struct mon_moment *last =
		m->nmoments ? &m->moments[m->nmoments - 1] : NULL;

	if (x->frees > x->allocs || x->freed > x->bytes ||
	    (!x->allocs && x->bytes) || (!x->frees && x->freed))
		return false;
	return !last || (x->at >= last->at && x->allocs >= last->allocs &&
			 x->bytes >= last->bytes && x->frees >= last->frees &&
			 x->freed >= last->freed);
}

int
items_moment(struct items *it, struct cursor *c)
{
	struct mon *m = it->mon;
	struct mon_moment x = it->moment, *a;

	/* What is too large comes out smaller than what was before. */
	x.at += cursor_number(c);
	x.allocs += cursor_number(c);
	x.bytes += cursor_number(c);
	x.frees += cursor_number(c);
	x.freed += cursor_number(c);
	x.peak = cursor_number(c);
	x.rss = cursor_number(c) - 1;
	if (c->bad)
		return 0;
	it->moment = x;
	if (!items_moment_sane(m, &x) || m->nmoments >= MON_NUMBER_MAX) {
		it->bad_times++;
		return 0;
	}
	a = array_grow(m->moments, &m->moment_room, m->nmoments + 1,
		       sizeof(*a));
	if (!a)
		return -1;
	m->moments = a;
	a[m->nmoments++] = x;
	return 0;
}

/* One of an item's, which *o tells of; moment: of the one before. */
static int
items_one_change(struct mon *m, struct cursor *c, struct mon_change *o,
		 uint64_t *moment)
{
	struct mon_change *a;
	uint64_t more = cursor_number(c);

	if (more > MON_NUMBER_MAX - *moment)
		c->bad = true;
	*moment += more;
	o->moment = (uint32_t)*moment;
	/* By how much it is more, for now: see changes_settle(). */
	o->allocs = items_zigzag(c);
	o->frees = items_zigzag(c);
	o->bytes = o->any ? items_zigzag(c) : o->allocs * o->size;
	o->freed = o->any ? items_zigzag(c) : o->frees * o->size;
	if (c->bad)
		return 0;
	a = array_grow(m->changes, &m->change_room, m->nchanges + 1,
		       sizeof(*a));
	if (!a)
		return -1;
	m->changes = a;
	a[m->nchanges++] = *o;
	return 0;
}

int
items_change(struct items *it, struct cursor *c)
{
	struct mon *m = it->mon;
	const struct mon_site *s = items_find_site(m, cursor_number(c));
	uint64_t thread = cursor_number(c), size = cursor_number(c);
	uint64_t n = cursor_number(c), moment = 0, i;
	struct mon_change o = { .size = size >> 1, .any = size & 1 };
	size_t before = m->nchanges;

	/* That of the file, for now. */
	o.thread = thread > MON_NUMBER_MAX ? MON_MISSING : (uint32_t)thread;
	o.site = s ? (uint32_t)(s - m->sites) : 0;
	for (i = 0; i < n && !c->bad; i++) {
		if (items_one_change(m, c, &o, &moment))
			return -1;
	}
	if (c->bad || !s || !n || (o.any && o.size >= MONOUT_NCLASS))
		m->nchanges = before;
	if (c->bad)
		return 0;
	it->lost_rows += !s;
	it->bad_times += s && (!n || (o.any && o.size >= MONOUT_NCLASS));
	return 0;
}
