/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpret items: paths, uses, groups, fields, handed, use errors. */
#include "reduce/monout/groups.h"
#include "reduce/monout/items.h"
#include "reduce/monout/use_paths.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- paths -- */

enum items_end
items_path(struct items *it, const struct monrec_path *x)
{
	if (x->first >= x->site || it->mon->sites[x->site].path)
		return ITEMS_BAD;
	use_paths_join(it->mon, (uint32_t)x->site, (uint32_t)x->first);
	return ITEMS_TAKEN;
}

/* ----------------------------------------------------------------- uses -- */

/* The most allocations and bytes that a use of the site can have. */
static struct amounts
items_use_most(const struct mon *m, const struct mon_site *s)
{
	/* These are estimates, but the sites still have counts of samples. */
	if (m->run[MONOUT_R_SAMPLE].set && !mon_is_sum(m))
		return (struct amounts){ .allocs = MON_ESTIMATE_MOST,
					 .bytes = MON_ESTIMATE_MOST };
	if (m->tally[MON_PATHS].records)
		return m->sums.amounts; /* see use_paths_sane() */
	return (struct amounts){ .allocs = counts_sum(s->count.allocs),
				 .bytes = counts_sum(s->count.bytes) };
}

/* Could a monitor have counted this for at most `most' blocks and bytes? */
static bool
items_use_sane(const struct mon_use *u, const struct amounts *most)
{
	unsigned __int128 useful = u->blocks;
	uint64_t blocks, bytes;
	int i;

	useful <<= MONOUT_USEFUL_BITS;
	if (!u->blocks || u->blocks > u->bytes || u->blocks > most->allocs ||
	    u->bytes > most->bytes || u->span > u->bytes ||
	    u->cover > u->span || u->span_used > u->span ||
	    u->cover_used > u->cover || u->cover_used > u->span_used ||
	    u->useful > useful)
		return false;
	/* The reverse is possible: a realloc removed the accessed bytes. */
	if (u->cover && !u->reads && !u->writes)
		return false;
	for (i = 0; i < MONOUT_NFLAG; i++) {
		blocks = u->flag[i].blocks;
		bytes = u->flag[i].bytes;
		if (blocks > u->blocks || bytes > u->bytes || blocks > bytes ||
		    (!blocks && bytes))
			return false;
	}
	return true;
}

enum items_end
items_use(struct items *it, const struct monrec_use *x)
{
	struct mon *m = it->mon;
	struct mon_site *s = &m->sites[x->site];
	struct amounts most = items_use_most(m, s);
	struct mon_use o = { .handed = 0 };

	memcpy(o.n, &x->blocks, sizeof(o.n));
	if (s->use || !items_use_sane(&o, &most) || !mon_use_add(&m->use, &o))
		return ITEMS_BAD;
	s->use = mon_new_use(m);
	m->uses[s->use] = o;
	return ITEMS_TAKEN;
}

/* --------------------------------------------------------------- groups -- */

/* Is such a group possible among that number of blocks? */
static bool
items_group_sane(const struct mon_group *g, uint64_t blocks)
{
	unsigned __int128 most = (unsigned __int128)g->blocks * g->end;
	uint64_t sum;

	return g->blocks && g->blocks <= blocks && g->last <= g->end &&
	       g->life <= most &&
	       !__builtin_add_overflow(g->first, g->end, &sum);
}

/*
 * Convert a group from steps of `unit' ns to ns; *at is its start in steps.
 * The first group's start counts from 0, that of others from the group before.
 * False if a number is too large.
 */
static bool
items_group_steps(struct mon_group *g, uint64_t unit, uint64_t *at)
{
	if (__builtin_add_overflow(*at, g->first, at) ||
	    __builtin_mul_overflow(*at, unit, &g->first))
		return false;
	return !__builtin_mul_overflow(g->last, unit, &g->last) &&
	       !__builtin_mul_overflow(g->end, unit, &g->end) &&
	       !__builtin_mul_overflow(g->life, unit, &g->life);
}

enum items_end
items_group(struct items *it, const struct monrec_group *x)
{
	struct mon *m = it->mon;
	struct mon_use *u = &m->uses[m->sites[x->site].use];
	struct mon_group *a = mon_groups_room(m, x->n + 1);
	uint64_t unit = x->form & MONOUT_STEPS ? MONOUT_STEP : 1;
	uint64_t i, left, at = 0;

	if (!m->sites[x->site].use)
		return ITEMS_LOST;
	if (x->form > (MONOUT_FINAL | MONOUT_STEPS))
		return ITEMS_BAD;
	left = u->blocks - u->grouped;
	for (i = 0; i < x->n; i++) {
		a[i] = (struct mon_group){ .site = (uint32_t)x->site,
					   .final = x->form & MONOUT_FINAL,
					   .first = x->groups[i].first,
					   .last = x->groups[i].last,
					   .end = x->groups[i].end,
					   .blocks = x->groups[i].blocks,
					   .life = x->groups[i].life };
		if ((unit > 1 && !items_group_steps(&a[i], unit, &at)) ||
		    !items_group_sane(&a[i], left))
			return ITEMS_BAD;
		left -= a[i].blocks;
	}
	u->grouped = u->blocks - left;
	m->ngroups += x->n;
	return ITEMS_TAKEN;
}

/* --------------------------------------------------------------- fields -- */

/* Could these be blocks of that use?  If so, add them to u->fields. */
static bool
items_field_sane(struct mon_use *u, const struct mon_field *f,
		 const uint64_t *counts)
{
	uint64_t sum[2] = { u->fields.reads, u->fields.writes }, blocks, bytes,
		 i;
	bool over;

	if (!f->blocks)
		return false;
	over = __builtin_mul_overflow(f->size, f->blocks, &bytes);
	over |= __builtin_add_overflow(bytes, u->fields.bytes, &bytes);
	over |= __builtin_add_overflow(f->blocks, u->fields.blocks, &blocks);
	for (i = 0; i < 2 * (uint64_t)f->n; i++)
		over |= __builtin_add_overflow(sum[i >= f->n], counts[i],
					       &sum[i >= f->n]);
	if (over || blocks > u->blocks || bytes > u->bytes ||
	    sum[0] > u->reads || sum[1] > u->writes)
		return false;
	u->fields.blocks = blocks;
	u->fields.bytes = bytes;
	u->fields.reads = sum[0];
	u->fields.writes = sum[1];
	return true;
}

/*
 * Append the counts by granule to m's counts.  The field has f->n granules;
 * those that the file leaves out get 0.
 */
static void
items_counts(struct mon *m, const struct mon_field *f,
	     const struct monrec_field *x)
{
	size_t n = 2 * (size_t)f->n, i;
	uint64_t *a;

	ARRAY_ROOM(m->counts, m->count_room, m->ncounts + n);
	a = m->counts;
	a += m->ncounts;
	memset(a, 0, n * sizeof(*a));
	for (i = 0; i < x->n; i++) {
		a[i] = x->granules[i].reads;
		a[f->n + i] = x->granules[i].writes;
	}
}

enum items_end
items_field(struct items *it, const struct monrec_field *x)
{
	struct mon *m = it->mon;
	struct mon_use *u = &m->uses[m->sites[x->site].use];
	struct mon_field o = { .site = (uint32_t)x->site,
			       .size = x->size,
			       .blocks = x->blocks,
			       .counts = m->ncounts };

	if (!m->sites[x->site].use)
		return ITEMS_LOST;
	if (!o.size)
		return ITEMS_BAD;
	o.n = MONOUT_FIELDS_MAX / MONOUT_GRANULE;
	if (o.size < MONOUT_FIELDS_MAX)
		o.n = (uint32_t)(o.size + MONOUT_GRANULE - 1) / MONOUT_GRANULE;
	if (x->n > o.n)
		return ITEMS_BAD;
	items_counts(m, &o, x);
	if (!items_field_sane(u, &o, m->counts + o.counts))
		return ITEMS_BAD;
	m->ncounts += 2 * (size_t)o.n;
	mon_add_field(m, &o);
	return ITEMS_TAKEN;
}

/* --------------------------------------------------------------- handed -- */

/*
 * Could that number of the site's blocks have been passed to unrecorded code?
 */
static bool
items_handed_sane(const struct mon_use *u, uint64_t blocks, uint64_t bytes)
{
	unsigned __int128 useful;
	int i;

	if (!blocks || blocks > bytes || blocks > u->blocks ||
	    bytes > u->bytes || u->span > u->bytes - bytes)
		return false;
	useful = u->blocks - blocks;
	if (u->useful > useful << MONOUT_USEFUL_BITS)
		return false;
	for (i = 0; i < MONOUT_NFLAG; i++) {
		if (i != MONOUT_BRIEF && i != MONOUT_GROWING &&
		    i != MONOUT_SHARED &&
		    (u->flag[i].blocks > u->blocks - blocks ||
		     u->flag[i].bytes > u->bytes - bytes))
			return false;
	}
	return true;
}

enum items_end
items_handed(struct items *it, const struct monrec_handed *x)
{
	struct mon *m = it->mon;
	struct mon_use *u = &m->uses[m->sites[x->site].use];

	if (!m->sites[x->site].use)
		return ITEMS_LOST;
	if (u->handed || !items_handed_sane(u, x->blocks, x->bytes))
		return ITEMS_BAD;
	u->handed = x->blocks;
	u->handed_bytes = x->bytes;
	m->use.handed += x->blocks;
	m->use.handed_bytes += x->bytes;
	return ITEMS_TAKEN;
}

/* ----------------------------------------------------------- use errors -- */

enum items_end
items_use_error(struct items *it, const struct monrec_use_error *x)
{
	struct mon *m = it->mon;
	struct mon_use *u = &m->uses[m->sites[x->site].use];

	if (!m->sites[x->site].use)
		return ITEMS_LOST;
	if (!m->run[MONOUT_R_SAMPLE].set || u->errors[0] || u->errors[1])
		return ITEMS_BAD;
	u->errors[0] = x->reads;
	u->errors[1] = x->writes;
	for (int i = 0; i < 2; i++)
		m->use.errors[i] =
			counts_capped(m->use.errors[i], u->errors[i]);
	return ITEMS_TAKEN;
}
