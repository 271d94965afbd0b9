/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How blocks were used.  The scores are those of "Memoro" (ISMM 2018), section
 * 4.1: of the paper, from which its code departs.
 */
#include "reduce/counts/use.h"
#include "reduce/base/sort.h"
#include "reduce/base/str.h"
#include "reduce/file/groups.h"
#include "reduce/model/counts.h"
#include "reduce/model/questions.h"

#include <math.h>
#include <stdlib.h>

_Static_assert((int)PROFILE_LOW_COVER + 1 == (int)MONOUT_NFLAG,
	       "the same flags, and in that order");

/* ----------------------------------------------------------------- sums -- */

void
use_add(struct use *to, const struct use *x)
{
	int i;

	to->blocks += x->blocks;
	to->bytes += x->bytes;
	to->handed_blocks += x->handed_blocks;
	to->handed_bytes += x->handed_bytes;
	to->reads += x->reads;
	to->writes += x->writes;
	to->span += x->span;
	to->cover += x->cover;
	to->span_used += x->span_used;
	to->cover_used += x->cover_used;
	to->useful += x->useful;
	to->life = counts_capped(to->life, x->life);
	for (i = 0; i < MONOUT_NFLAG; i++) {
		to->flag_blocks[i] += x->flag_blocks[i];
		to->flag_bytes[i] += x->flag_bytes[i];
	}
}

static void
use_set(struct use *u, const struct mon_use *x)
{
	const uint64_t *n = x->n;
	int i;

	*u = (struct use){
		.blocks = n[MON_U_BLOCKS],
		.bytes = n[MON_U_BYTES],
		.handed_blocks = x->handed,
		.handed_bytes = x->handed_bytes,
		.reads = n[MON_U_READS],
		.writes = n[MON_U_WRITES],
		.span = n[MON_U_SPAN],
		.cover = n[MON_U_COVER],
		.span_used = n[MON_U_SPAN_USED],
		.cover_used = n[MON_U_COVER_USED],
		.useful = ldexp((double)n[MON_U_USEFUL], -MONOUT_USEFUL_BITS),
		.life = n[MON_U_LIFE],
	};
	for (i = 0; i < MONOUT_NFLAG; i++) {
		u->flag_blocks[i] = n[MON_U_FLAGS + 2 * i];
		u->flag_bytes[i] = n[MON_U_FLAGS + 2 * i + 1];
	}
}

/* The use of a site that has these groups. */
static void
use_of_site(struct use *u, const struct mon *m, size_t site,
	    const struct mon_group *g, size_t n)
{
	size_t i;

	/* Where its groups are lost, it has no scores. */
	if (!m->sites[site].use || !n)
		return;
	use_set(u, &m->uses[m->sites[site].use]);
	u->group = g;
	u->groups = n;
	for (i = 0; i < n; i++)
		u->group_sum += groups_score(&g[i]);
}

int
use_of_sites(const struct mon *m, struct use **uses, struct mon_group **groups)
{
	size_t *start, i;

	*uses = NULL;
	*groups = NULL;
	if (!m->uses_known)
		return 0;
	*uses = calloc(m->nsites + 1, sizeof(**uses));
	*groups = calloc(m->ngroups + 1, sizeof(**groups));
	start = calloc(m->nsites + 2, sizeof(*start));
	if (*uses && *groups && start) {
		SORT_NUMBERED(*groups, m->groups[i], m->groups[i].site, i,
			      m->ngroups, start, m->nsites);
		for (i = 0; i < m->nsites; i++)
			use_of_site(&(*uses)[i], m, i, *groups + start[i],
				    start[i + 1] - start[i]);
	}
	free(start);
	return *uses && *groups && start ? 0 : -1;
}

/* The reason that the runs give, in the profile's own memory. */
static int
use_why(struct profile *p, const struct mon *m)
{
	const struct mon_value *why = &m->run[MONOUT_R_WHY];

	p->uses_why = "";
	if (!why->set || !why->text)
		return 0;
	p->uses_why = str_clean(&p->priv->arena, why->text);
	return p->uses_why ? 0 : -1;
}

/* Sums of the sites of the data that are one in the profile. */
static int
use_sites(struct profile *p, const struct mon *m, const struct use *x,
	  const struct use **from)
{
	struct site *s;
	size_t i;

	for (i = 0; i < m->nsites; i++) {
		if (!x[i].blocks)
			continue;
		s = &p->sites[p->priv->site_of[i]];
		if (!s->use)
			s->use = arena_alloc(&p->priv->arena, sizeof(*s->use));
		if (!s->use)
			return -1;
		use_add((struct use *)s->use, &x[i]);
		from[i] = &x[i];
	}
	return 0;
}

int
use_make(struct profile *p, const struct mon *m, const struct use *x)
{
	const struct use **from;
	struct use **to;
	size_t i;
	int status;

	if (use_why(p, m))
		return -1;
	if (!x)
		return 0;
	for (i = 0; i < m->ngroups; i++)
		p->groups_apart |= !m->groups[i].gap;
	from = calloc(m->nsites + 1, sizeof(*from));
	to = calloc(p->nsites + 1, sizeof(*to));
	status = from && to ? use_sites(p, m, x, from) : -1;
	for (i = 0; i < p->nsites && !status; i++)
		to[i] = (struct use *)p->sites[i].use;
	if (!status)
		status = groups_by_key(from, p->priv->site_of, m->nsites, to,
				       p->nsites, &p->priv->arena);
	free(from);
	free(to);
	return status;
}

/* --------------------------------------------------------------- scores -- */

static double
use_floor(double score)
{
	return score > USE_FLOOR ? score : USE_FLOOR;
}

/* a / b, 0 to 1. */
static double
use_share(double a, double b)
{
	return a < b ? a / b : 1;
}

bool
profile_use_known(const struct use *u)
{
	return u->blocks > u->handed_blocks;
}

/* May a flag be told of a block of which some accesses aren't known? */
static bool
use_sure(enum profile_flag flag)
{
	return flag == PROFILE_SHORT || flag == PROFILE_GROWING ||
	       flag == PROFILE_SHARED || flag >= PROFILE_TOP_BYTES;
}

void
use_hand_all(struct use *u)
{
	u->handed_blocks = u->blocks;
	u->handed_bytes = u->bytes;
	for (int i = 0; i < MONOUT_NFLAG; i++)
		if (!use_sure((enum profile_flag)i))
			u->flag_blocks[i] = u->flag_bytes[i] = 0;
}

uint64_t
profile_flag_bytes(const struct use *u, enum profile_flag flag)
{
	return use_sure(flag) ? u->bytes : u->bytes - u->handed_bytes;
}

uint64_t
profile_flag_blocks(const struct use *u, enum profile_flag flag)
{
	return use_sure(flag) ? u->blocks : u->blocks - u->handed_blocks;
}

struct score
profile_score(const struct use *u)
{
	uint64_t blocks = u->blocks - u->handed_blocks;
	uint64_t bytes = u->bytes - u->handed_bytes;
	struct score s = { 0 };
	double save;
	int step;

	if (!u->blocks)
		return s;
	s.lifetime = u->groups ? use_share(u->group_sum, (double)u->groups) : 0;
	if (!blocks)
		return s;
	s.usage = use_share((double)u->span_used, (double)bytes);
	s.useful = use_share(u->useful, (double)blocks);
	s.cover = use_share((double)u->cover_used, (double)bytes);
	s.severity = cbrt(use_floor(s.lifetime) * use_floor(s.usage) *
			  use_floor(s.useful));
	/* What cbrt() rounds must not decide about a step. */
	step = USE_STEPS - (int)(s.severity * USE_STEPS + 1e-9);
	s.step = step < 1 ? 1 : (unsigned)step;
	save = (double)bytes * (1 - s.severity);
	s.saving = save < (double)bytes ? (uint64_t)save : bytes;
	return s;
}

struct groups_gather *
profile_gather_new(const struct profile *p)
{
	struct groups_gather *g = malloc(sizeof(*g));
	uint64_t most = 0;
	size_t i;

	for (i = 0; i < p->nsites; i++)
		if (p->sites[i].use && p->sites[i].use->group)
			most += p->sites[i].use->groups;
	if (g && groups_gather_init(g, most)) {
		free(g);
		return NULL;
	}
	return g;
}

void
profile_gather_free(struct groups_gather *g)
{
	if (g)
		groups_gather_fini(g);
	free(g);
}

void
profile_gather(struct groups_gather *g, const struct use *u)
{
	groups_gather(g, u);
}

void
profile_gathered(struct groups_gather *g, struct use *u)
{
	(void)groups_gathered(g, u, NULL);
}

/* The same for uses that are `step' bytes apart; SIZE_MAX: no key. */
static int
use_by_key(const struct profile *p, const size_t *key, struct use *u,
	   size_t step, size_t n)
{
	const struct use **from = calloc(p->nsites + 1, sizeof(*from));
	struct use **to = calloc(n + 1, sizeof(*to));
	uint32_t *keys = calloc(p->nsites + 1, sizeof(*keys));
	int status = -1;
	size_t i;

	if (from && to && keys) {
		for (i = 0; i < n; i++)
			to[i] = (struct use *)((char *)u + i * step);
		for (i = 0; i < p->nsites; i++) {
			from[i] = key[i] < n ? p->sites[i].use : NULL;
			keys[i] = (uint32_t)key[i];
		}
		status = groups_by_key(from, keys, p->nsites, to, n, NULL);
	}
	free(from);
	free(to);
	free(keys);
	return status;
}

int
profile_gather_all(const struct profile *p, const size_t *key, struct use *u,
		   size_t n)
{
	return use_by_key(p, key, u, sizeof(*u), n);
}

/* The groups of each function: of what it allocates itself. */
static int
use_functions(struct profile *p)
{
	size_t *key = malloc((p->nsites + 1) * sizeof(*key)), i;
	const struct frame *leaf;
	int status = -1;

	for (i = 0; key && p->nfuncs && i < p->nsites; i++) {
		leaf = p->sites[i].leaf;
		key[i] = leaf ? stages_func(p, leaf->func) : SIZE_MAX;
	}
	if (key && !p->nfuncs)
		status = 0;
	else if (key)
		status = use_by_key(p, key, &p->priv->funcs->use,
				    sizeof(*p->priv->funcs), p->nfuncs);
	free(key);
	return status;
}

/* Geometric mean and variance of the sites' scores. */
static void
use_program(struct profile *p)
{
	double sum[3] = { 0 }, square[3] = { 0 }, log_sum[3] = { 0 }, d;
	uint64_t n = 0;
	struct score s;
	size_t i;
	int k, turn;

	for (turn = 0; turn < 2; turn++) {
		for (i = 0; i < p->nsites; i++) {
			if (!p->sites[i].use ||
			    !profile_use_known(p->sites[i].use))
				continue;
			s = profile_score(p->sites[i].use);
			for (k = 0; k < 3; k++) {
				d = k == 0   ? s.lifetime
				    : k == 1 ? s.usage
					     : s.useful;
				if (turn) {
					d -= sum[k] / (double)n;
					square[k] += d * d;
					continue;
				}
				sum[k] += d;
				log_sum[k] += log(use_floor(d));
			}
			n += !turn;
		}
	}
	p->program_sites = n;
	for (k = 0; k < 3 && n; k++) {
		p->program[k].mean = exp(log_sum[k] / (double)n);
		p->program[k].variance = square[k] / (double)n;
	}
}

/* ---------------------------------------------------------------- flags -- */

/* How much of what decides on the flag the site has. */
static uint64_t
use_value(const struct profile *p, const struct site *s, enum profile_flag flag)
{
	if (flag == PROFILE_TOP_BLOCKS)
		return s->use->blocks;
	return p->peak_known ? s->count.peak : s->use->bytes;
}

static int
use_compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/*
 * Set a flag of the sites whose value is as large as the 90th percentile of
 * all sites that have a use, or larger, but not 0.  By nearest rank: the
 * percentile is the value at place ceil(0.9 n), counted from 1, in ascending
 * order; of ten sites with different values two are flagged.  v has room for
 * all.
 */
static void
use_top(struct profile *p, enum profile_flag flag, uint64_t *v)
{
	uint64_t least, n = 0;
	struct use *u;
	size_t i;

	for (i = 0; i < p->nsites; i++) {
		if (p->sites[i].use)
			v[n++] = use_value(p, &p->sites[i], flag);
	}
	if (!n)
		return;
	SORT(v, n, use_compare);
	least = v[(9 * n + 9) / 10 - 1];
	for (i = 0; i < p->nsites; i++) {
		u = (struct use *)p->sites[i].use;
		if (!u || !least || use_value(p, &p->sites[i], flag) < least)
			continue;
		u->flag_blocks[flag] = u->blocks;
		u->flag_bytes[flag] = u->bytes;
	}
}

int
use_finish(struct profile *p)
{
	uint64_t *v = malloc((p->nsites + 1) * sizeof(*v));

	if (!v || use_functions(p)) {
		free(v);
		return -1;
	}
	use_top(p, PROFILE_TOP_BYTES, v);
	use_top(p, PROFILE_TOP_BLOCKS, v);
	free(v);
	use_program(p);
	return 0;
}
