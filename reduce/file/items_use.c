/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Items of the tables on accesses: uses, groups, fields, handed. */
#include "reduce/file/groups.h"
#include "reduce/file/items.h"

#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------- uses -- */

/* Could a monitor have counted this for blocks of the site? */
static bool
items_use_sane(const uint64_t *n, const struct mon_site *s)
{
	unsigned __int128 useful = n[MON_U_BLOCKS];
	const uint64_t *flag;
	int i;

	useful <<= MONOUT_USEFUL_BITS;
	if (!n[MON_U_BLOCKS] || n[MON_U_BLOCKS] > n[MON_U_BYTES] ||
	    n[MON_U_BLOCKS] > counts_sum(s->count.allocs) ||
	    n[MON_U_BYTES] > counts_sum(s->count.bytes) ||
	    n[MON_U_SPAN] > n[MON_U_BYTES] || n[MON_U_COVER] > n[MON_U_SPAN] ||
	    n[MON_U_SPAN_USED] > n[MON_U_SPAN] ||
	    n[MON_U_COVER_USED] > n[MON_U_COVER] ||
	    n[MON_U_COVER_USED] > n[MON_U_SPAN_USED] ||
	    n[MON_U_USEFUL] > useful)
		return false;
	/* The other way round it can be: what a realloc has cut off. */
	if (n[MON_U_COVER] && !n[MON_U_READS] && !n[MON_U_WRITES])
		return false;
	for (i = 0; i < MONOUT_NFLAG; i++) {
		flag = n + MON_U_FLAGS + 2 * i;
		if (flag[0] > n[MON_U_BLOCKS] || flag[1] > n[MON_U_BYTES] ||
		    flag[0] > flag[1] || (!flag[0] && flag[1]))
			return false;
	}
	return true;
}

int
items_use(struct items *it, struct cursor *c)
{
	struct mon *m = it->mon;
	struct mon_site *s = items_find_site(m, cursor_number(c));
	struct mon_use o = { 0 }, *a;
	int i;

	for (i = 0; i < MON_U_N; i++)
		o.n[i] = cursor_number(c);
	if (c->bad)
		return 0;
	if (!s) {
		it->lost_rows++;
		return 0;
	}
	if (s->use || !items_use_sane(o.n, s) || m->nuses >= MON_NUMBER_MAX ||
	    !mon_use_add(&m->use, &o)) {
		it->bad_uses++;
		return 0;
	}
	a = array_grow(m->uses, &m->use_room, m->nuses + 2, sizeof(*a));
	if (!a)
		return -1;
	m->uses = a;
	if (!m->nuses)
		a[m->nuses++] = (struct mon_use){ 0 };
	s->use = (uint32_t)m->nuses;
	a[m->nuses++] = o;
	return 0;
}

/* --------------------------------------------------------------- groups -- */

/* Could there be such a group among so many blocks? */
static bool
items_group_sane(const struct mon_group *g, uint64_t blocks)
{
	unsigned __int128 most = (unsigned __int128)g->blocks * g->end;
	uint64_t sum;

	return g->blocks && g->blocks <= blocks && g->last <= g->end &&
	       g->life <= most &&
	       !__builtin_add_overflow(g->first, g->end, &sum);
}

/* Read n groups, of the site if there is one; false: some are impossible. */
static bool
items_groups(struct mon *m, struct cursor *c, const struct mon_site *s,
	     struct mon_group *to, uint64_t n)
{
	struct mon_use *u = s && s->use ? &m->uses[s->use] : NULL;
	uint64_t i, left = u ? u->n[MON_U_BLOCKS] - u->grouped : 0;
	bool good = true;

	for (i = 0; i < n && !c->bad; i++) {
		to[i].first = cursor_number(c);
		to[i].last = cursor_number(c);
		to[i].end = cursor_number(c);
		to[i].blocks = cursor_number(c);
		to[i].life = cursor_number(c);
		good = good && items_group_sane(&to[i], left);
		if (good)
			left -= to[i].blocks;
	}
	if (u && good && !c->bad)
		u->grouped = u->n[MON_U_BLOCKS] - left;
	return good;
}

int
items_group(struct items *it, struct cursor *c)
{
	struct mon *m = it->mon;
	struct mon_site *s = items_find_site(m, cursor_number(c));
	uint64_t final = cursor_number(c), n = cursor_number(c), i;
	struct mon_group *a;
	bool good;

	/* Each takes five bytes at least. */
	if (n > (uint64_t)(c->end - c->p) / 5)
		c->bad = true;
	if (c->bad)
		return 0;
	a = array_grow(m->groups, &m->group_room, m->ngroups + n + 1,
		       sizeof(*a));
	if (!a)
		return -1;
	m->groups = a;
	a += m->ngroups;
	good = items_groups(m, c, s, a, n);
	if (c->bad)
		return 0;
	if (!s || !s->use) {
		it->lost_rows++;
		return 0;
	}
	if (!good || final > 1) {
		it->bad_uses++;
		return 0;
	}
	for (i = 0; i < n; i++) {
		a[i].site = (uint32_t)(s - m->sites);
		a[i].final = final;
		a[i].gap = 0;
	}
	m->ngroups += n;
	return 0;
}

/* --------------------------------------------------------------- fields -- */

/* Could these be of blocks of that use?  Then take them off it. */
static bool
items_field_sane(struct mon_use *u, const struct mon_field *f,
		 const uint64_t *counts)
{
	uint64_t sum[2] = { u->reads, u->writes }, blocks, bytes, i;
	bool over;

	if (!f->blocks)
		return false;
	over = __builtin_mul_overflow(f->size, f->blocks, &bytes);
	over |= __builtin_add_overflow(bytes, u->bytes, &bytes);
	over |= __builtin_add_overflow(f->blocks, u->blocks, &blocks);
	for (i = 0; i < 2 * (uint64_t)f->n; i++)
		over |= __builtin_add_overflow(sum[i >= f->n], counts[i],
					       &sum[i >= f->n]);
	if (over || blocks > u->n[MON_U_BLOCKS] || bytes > u->n[MON_U_BYTES] ||
	    sum[0] > u->n[MON_U_READS] || sum[1] > u->n[MON_U_WRITES])
		return false;
	u->blocks = blocks;
	u->bytes = bytes;
	u->reads = sum[0];
	u->writes = sum[1];
	return true;
}

/*
 * Read what is in n granules, no more than MONOUT_FIELDS_MAX bytes have, into
 * m's counts, behind those there; of f->n granules, those beyond have 0.
 */
static int
items_counts(struct mon *m, struct cursor *c, const struct mon_field *f,
	     uint64_t n)
{
	size_t most = f->n > n ? f->n : n, i;
	uint64_t *a = array_grow(m->counts, &m->count_room,
				 m->ncounts + 2 * most + 1, sizeof(*a));
	uint64_t v[2];

	if (!a)
		return -1;
	m->counts = a;
	a += m->ncounts;
	memset(a, 0, 2 * most * sizeof(*a));
	for (i = 0; i < n; i++) {
		v[0] = cursor_number(c);
		v[1] = cursor_number(c);
		if (i >= f->n)
			continue;
		a[i] = v[0];
		a[f->n + i] = v[1];
	}
	return 0;
}

int
items_field(struct items *it, struct cursor *c)
{
	struct mon *m = it->mon;
	struct mon_site *s = items_find_site(m, cursor_number(c));
	struct mon_field o = { .size = cursor_number(c), .counts = m->ncounts };
	struct mon_field *a;
	uint64_t n;

	o.blocks = cursor_number(c);
	n = cursor_number(c);
	if (n > MONOUT_FIELDS_MAX / MONOUT_GRANULE)
		c->bad = true;
	if (c->bad)
		return 0;
	/* Granules at the end that have no accesses may be left out. */
	if (o.size <= MONOUT_FIELDS_MAX)
		o.n = (uint32_t)(o.size + MONOUT_GRANULE - 1) / MONOUT_GRANULE;
	a = array_grow(m->fields, &m->field_room, m->nfields + 1, sizeof(*a));
	if (!a)
		return -1;
	m->fields = a;
	if (items_counts(m, c, &o, n))
		return -1;
	if (c->bad)
		return 0;
	if (!s || !s->use) {
		it->lost_rows++;
		return 0;
	}
	if (!o.n || n > o.n ||
	    !items_field_sane(&m->uses[s->use], &o, m->counts + o.counts)) {
		it->bad_uses++;
		return 0;
	}
	o.site = (uint32_t)(s - m->sites);
	m->ncounts += 2 * (size_t)o.n;
	a[m->nfields++] = o;
	return 0;
}

/* --------------------------------------------------------------- handed -- */

/* Could so many of the site's blocks have been handed over? */
static bool
items_handed_sane(const struct mon_use *u, uint64_t blocks, uint64_t bytes)
{
	unsigned __int128 useful;
	const uint64_t *n = u->n, *flag;
	int i;

	if (!blocks || blocks > bytes || blocks > n[MON_U_BLOCKS] ||
	    bytes > n[MON_U_BYTES] || n[MON_U_SPAN] > n[MON_U_BYTES] - bytes)
		return false;
	useful = n[MON_U_BLOCKS] - blocks;
	if (n[MON_U_USEFUL] > useful << MONOUT_USEFUL_BITS)
		return false;
	for (i = 0; i < MONOUT_NFLAG; i++) {
		flag = n + MON_U_FLAGS + 2 * i;
		if (i != MONOUT_BRIEF && i != MONOUT_GROWING &&
		    i != MONOUT_SHARED &&
		    (flag[0] > n[MON_U_BLOCKS] - blocks ||
		     flag[1] > n[MON_U_BYTES] - bytes))
			return false;
	}
	return true;
}

int
items_handed(struct items *it, struct cursor *c)
{
	struct mon *m = it->mon;
	struct mon_site *s = items_find_site(m, cursor_number(c));
	uint64_t blocks = cursor_number(c), bytes = cursor_number(c);
	struct mon_use *u;

	if (c->bad)
		return 0;
	if (!s || !s->use) {
		it->lost_rows++;
		return 0;
	}
	u = &m->uses[s->use];
	if (u->handed || !items_handed_sane(u, blocks, bytes)) {
		it->bad_uses++;
		return 0;
	}
	u->handed = blocks;
	u->handed_bytes = bytes;
	m->use.handed += blocks;
	m->use.handed_bytes += bytes;
	return 0;
}

/* ------------------------------------------------------------------ all -- */
