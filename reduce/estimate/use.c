/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How blocks were used.  The scores are those of "Memoro" (ISMM 2018), section
 * 4.1.  They follow the paper, not its code, which differs.
 */
#include "reduce/estimate/use.h"
#include "reduce/base/hash.h"
#include "reduce/base/sort.h"
#include "reduce/monout/groups.h"
#include "reduce/model/counts.h"
#include "reduce/estimate/scores.h"

#include <math.h>
#include <stdlib.h>

_Static_assert((int)PROFILE_LOW_COVER + 1 == (int)MONOUT_NFLAG,
	       "the same flags, and in that order");

/* --------------------------------------------------------------- scores -- */

static double
use_floor(double score)
{
	return score > USE_FLOOR ? score : USE_FLOOR;
}

/* a / b, from 0 to 1. */
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

/*
 * Are the times of accesses exact enough compared with the blocks' lifetimes?
 * If no block was accessed, the clock doesn't matter.
 */
static bool
use_timed(const struct use *u)
{
	uint64_t blocks = u->blocks - u->handed_blocks;
	double least = (double)u->step * GROUPS_STEPS;

	return u->flag_blocks[PROFILE_UNUSED] == blocks ||
	       (double)u->life >= least * (double)u->blocks;
}

/* Is the lifetime score accidental in at most a tenth of the groups? */
static bool
use_lived(const struct use *u)
{
	return u->groups && !u->sampled && u->coarse <= u->groups / 10;
}

/* Is the flag valid for a block with unrecorded accesses? */
static bool
use_sure(enum profile_flag flag)
{
	return flag == PROFILE_SHORT_LIVED || flag == PROFILE_GROWING ||
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

bool
profile_flag_told(const struct use *u, enum profile_flag flag)
{
	/* Accesses before a sample are unknown. */
	if (flag == PROFILE_GROWING)
		return !u->sampled;
	return (flag != PROFILE_EARLY && flag != PROFILE_LATE) || use_timed(u);
}

uint64_t
profile_flag_bytes(const struct use *u, enum profile_flag flag)
{
	if (!profile_flag_told(u, flag))
		return 0;
	return use_sure(flag) ? u->bytes : u->bytes - u->handed_bytes;
}

uint64_t
profile_flag_blocks(const struct use *u, enum profile_flag flag)
{
	if (!profile_flag_told(u, flag))
		return 0;
	return use_sure(flag) ? u->blocks : u->blocks - u->handed_blocks;
}

struct score
profile_score(const struct use *u)
{
	uint64_t blocks = u->blocks - u->handed_blocks;
	uint64_t bytes = u->bytes - u->handed_bytes;
	struct score s = { 0 };
	double save;
	int step, n = 1;

	if (!u->blocks)
		return s;
	s.lived = use_lived(u);
	s.lifetime = s.lived ? use_share(u->group_sum, (double)u->groups) : 0;
	if (!blocks)
		return s;
	s.usage = use_share((double)u->span_used, (double)bytes);
	s.timed = use_timed(u);
	s.useful = s.timed ? use_share(u->useful, (double)blocks) : 0;
	s.cover = use_share((double)u->cover_used, (double)bytes);
	s.severity = use_floor(s.usage);
	if (s.timed && ++n)
		s.severity *= use_floor(s.useful);
	if (s.lived && ++n)
		s.severity *= use_floor(s.lifetime);
	if (n > 1)
		s.severity = n == 2 ? sqrt(s.severity) : cbrt(s.severity);
	s.known = u->groups || u->sampled;
	/* The rounding of cbrt() must not change the step. */
	step = USE_STEPS - (int)(s.severity * USE_STEPS + 1e-9);
	s.step = step < 1 ? 1 : (unsigned)step;
	save = (double)bytes * (1 - s.severity);
	s.saving = save < (double)bytes ? (uint64_t)save : bytes;
	return s;
}

struct groups_gather *
profile_gather_new(const struct profile *p)
{
	struct groups_gather *g = heap_new(sizeof(*g));
	uint64_t most = 0;
	size_t i;

	for (i = 0; i < p->nsites; i++)
		if (p->sites[i].use && p->sites[i].use->group)
			most += p->sites[i].use->groups;
	groups_gather_init(g, most);
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

const struct use *
profile_use_once(const struct site *s)
{
	return s->use && s->use->first == s ? s->use : NULL;
}

/*
 * Set the groups of n uses from those of the sites: use k, at k * step bytes
 * from u, gets the sites whose key[] is k.  SIZE_MAX: the site has no key.
 * add: also add up the other figures.
 */
static void
use_by_key(const struct profile *p, const size_t *key, struct use *u,
	   size_t step, size_t n, bool add)
{
	const struct use **from = heap_array(p->nsites + 1, sizeof(*from));
	struct use **to = heap_array(n + 1, sizeof(*to));
	uint32_t *keys = heap_array(p->nsites + 1, sizeof(*keys)), seen;
	struct hash once = { 0 };
	size_t i;

	for (i = 0; i < n; i++)
		to[i] = (struct use *)((char *)u + i * step);
	for (i = 0; i < p->nsites; i++) {
		if (key[i] >= n || !p->sites[i].use)
			continue;
		/* Sites that share a use are counted once. */
		seen = hash_intern(&once, key[i],
				   (size_t)(p->sites[i].use->first - p->sites),
				   0, (uint32_t)i);
		if (seen != i)
			continue;
		from[i] = p->sites[i].use;
		keys[i] = (uint32_t)key[i];
		if (add)
			use_add(to[key[i]], from[i]);
	}
	groups_by_key(from, keys, p->nsites, to, n, NULL);
	hash_fini(&once);
	free(from);
	free(to);
	free(keys);
}

void
profile_use_all(const struct profile *p, const size_t *key, struct use *u,
		size_t n)
{
	use_by_key(p, key, u, sizeof(*u), n, true);
}

/* Set the groups of each function: those of blocks that it allocated itself. */
static void
use_functions(struct profile *p)
{
	size_t *key = heap_new((p->nsites + 1) * sizeof(*key)), i;
	const struct frame *leaf;

	for (i = 0; p->nfuncs && i < p->nsites; i++) {
		leaf = p->sites[i].leaf;
		key[i] = leaf ? stages_func(p, leaf->func) : SIZE_MAX;
	}
	if (p->nfuncs)
		use_by_key(p, key, &p->priv->funcs->use,
			   sizeof(*p->priv->funcs), p->nfuncs, false);
	free(key);
}

/* The k-th score of a site.  Returns whether the score is known. */
static bool
use_score_of(const struct score *s, int k, double *d)
{
	*d = k == 0 ? s->lifetime : k == 1 ? s->usage : s->useful;
	return k == 0 ? s->lived : k == 1 || s->timed;
}

/*
 * Geometric mean and variance of the k-th score, over all sites with this
 * score.
 */
static void
use_program_score(struct profile *p, int k)
{
	double sum = 0, square = 0, log_sum = 0, d;
	uint64_t n = 0;
	struct score s;
	size_t i;
	int turn;

	for (turn = 0; turn < 2; turn++) {
		for (i = 0; i < p->nsites; i++) {
			if (!profile_use_once(&p->sites[i]) ||
			    !profile_use_known(p->sites[i].use))
				continue;
			s = profile_score(p->sites[i].use);
			if (!use_score_of(&s, k, &d))
				continue;
			if (turn) {
				d -= sum / (double)n;
				square += d * d;
				continue;
			}
			n++;
			sum += d;
			log_sum += log(use_floor(d));
		}
	}
	p->program[k].sites = n;
	if (!n)
		return;
	p->program[k].mean = exp(log_sum / (double)n);
	p->program[k].variance = square / (double)n;
}

static void
use_program(struct profile *p)
{
	for (int k = 0; k < 3; k++)
		use_program_score(p, k);
	p->program_sites = p->program[1].sites;
}

/* ---------------------------------------------------------------- flags -- */

SORT_NUMBERS(use_compare, uint64_t)

/*
 * The mean size of the site's blocks in bytes, rounded up; 0 if it has no
 * blocks.
 */
static uint64_t
use_mean_block(const struct site *s)
{
	uint64_t n = counts_sum(s->count.allocs);
	uint64_t bytes = counts_sum(s->count.bytes);

	return n && bytes ? (bytes - 1) / n + 1 : 0;
}

/*
 * Set v[] to the value that decides the flag, at the first site of each use.
 * The data file doesn't contain the most bytes that a site had live at once, so
 * their lower bound is used: the larger one of its bytes at the program's peak
 * and of its mean block.
 */
static void
use_values(const struct profile *p, enum profile_flag flag, uint64_t *v)
{
	bool live = flag == PROFILE_TOP_BYTES && p->peaks_known;
	const struct site *s;
	uint64_t mean;
	size_t i, first;

	for (i = 0; i < p->nsites; i++)
		v[i] = 0;
	for (i = 0; i < p->nsites; i++) {
		s = &p->sites[i];
		if (!s->use)
			continue;
		first = (size_t)(s->use->first - p->sites);
		if (live)
			v[first] += s->count.peak;
		else
			v[first] = flag == PROFILE_TOP_BLOCKS ? s->use->blocks
							      : s->use->bytes;
	}
	for (i = 0; i < p->nsites && live; i++) {
		s = &p->sites[i];
		if (!s->use)
			continue;
		first = (size_t)(s->use->first - p->sites);
		mean = use_mean_block(s);
		if (v[first] < mean)
			v[first] = mean;
	}
}

/*
 * Set a flag for the sites whose value is at least the 90th percentile of all
 * sites that have a use, and not 0.  By nearest rank, the percentile is the
 * value at place ceil(0.9 n), counted from 1, in ascending order; of ten sites
 * with different values, two are flagged.  If the site below that place has the
 * same value, the percentile doesn't separate a top tenth from the rest: then
 * only sites with a larger value are flagged, if there are any.  Sites that
 * share a use count as one.  v and sorted have room for all sites.
 */
static void
use_top(struct profile *p, enum profile_flag flag, uint64_t *v,
	uint64_t *sorted)
{
	uint64_t least, n = 0, at;
	struct use *u;
	size_t i;

	use_values(p, flag, v);
	for (i = 0; i < p->nsites; i++) {
		if (profile_use_once(&p->sites[i]))
			sorted[n++] = v[i];
	}
	if (!n)
		return;
	SORT(sorted, n, use_compare);
	at = (9 * n + 9) / 10 - 1;
	least = sorted[at];
	if (at && sorted[at - 1] == least && sorted[n - 1] > least)
		least++;
	for (i = 0; i < p->nsites; i++) {
		u = (struct use *)profile_use_once(&p->sites[i]);
		if (!u || !v[i] || v[i] < least)
			continue;
		u->flag_blocks[flag] = u->blocks;
		u->flag_bytes[flag] = u->bytes;
	}
}

/* Count the sites that share a use with other sites. */
static void
use_joined(struct profile *p, uint64_t *n)
{
	const struct use *u;
	size_t i;

	for (i = 0; i < p->nsites; i++)
		n[i] = 0;
	for (i = 0; i < p->nsites; i++) {
		u = p->sites[i].use;
		if (u)
			n[u->first - p->sites]++;
	}
	p->uses_joined = 0;
	for (i = 0; i < p->nsites; i++)
		p->uses_joined += n[i] > 1 ? n[i] : 0;
}

void
use_finish(struct profile *p)
{
	uint64_t *v = heap_new((p->nsites + 1) * sizeof(*v));
	uint64_t *sorted = heap_new((p->nsites + 1) * sizeof(*v));

	use_functions(p);
	use_top(p, PROFILE_TOP_BYTES, v, sorted);
	use_top(p, PROFILE_TOP_BLOCKS, v, sorted);
	use_joined(p, v);
	use_program(p);
	free(v);
	free(sorted);
}
