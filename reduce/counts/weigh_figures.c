/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weighted sums: what isn't counted by site and size. */
#include "reduce/counts/recount.h"
#include "reduce/counts/weigh.h"

#include <stdlib.h>

/* Steps of all that a struct life has. */
struct weigh_lives {
	struct weigh_step temps, near, by_others, moved, copied, timed, bin;
};

/* The times: a histogram, and what goes with it. */
static void
weigh_times_of(struct weigh_lives *s, struct life *x, uint64_t frees)
{
	uint64_t weight = x->weight;
	unsigned i;

	if (!x->timed)
		return;
	x->timed = counts_least(weigh_next(&s->timed, x->timed), frees);
	x->weight = 0;
	for (i = 0; i < PROFILE_NLIFE; i++) {
		/* Without a block there is nothing to tell of. */
		x->bin[i] = frees ? weigh_next(&s->bin, x->bin[i]) : 0;
		x->weight += x->bin[i];
	}
	x->timed = counts_least(x->timed, x->weight);
	if (x->weight && !x->timed)
		x->timed = 1;
	/* The ends of the range are those of what is left of it. */
	for (i = 0; i < PROFILE_NLIFE && !x->bin[i]; i++)
		;
	if (i < PROFILE_NLIFE && life_bin(x->min) < i)
		x->min = UINT64_C(1) << i;
	for (i = PROFILE_NLIFE; i && !x->bin[i - 1]; i--)
		;
	if (i && life_bin(x->max) > i - 1)
		x->max = (UINT64_C(2) << (i - 1)) - 1;
	if (x->sum != UINT64_MAX)
		x->sum = weigh_round(x->sum, x->weight, weight);
	if (!x->weight)
		x->min = x->max = x->sum = 0;
	else if (x->sum != UINT64_MAX &&
		 (unsigned __int128)x->weight * x->min > x->sum)
		x->sum = x->weight * x->min;
	else if (x->sum != UINT64_MAX &&
		 (unsigned __int128)x->weight * x->max < x->sum)
		x->sum = x->weight * x->max;
}

static void
weigh_life(struct weigh_lives *s, struct life *x, const struct mon_site *site)
{
	uint64_t frees = counts_sum(site->count.frees);

	x->near = counts_least(weigh_next(&s->near, x->near), frees);
	x->temps = counts_least(weigh_next(&s->temps, x->temps), x->near);
	x->by_others =
		counts_least(weigh_next(&s->by_others, x->by_others), frees);
	x->moved =
		counts_least(weigh_next(&s->moved, x->moved), site->reallocs);
	x->copied = weigh_next(&s->copied, x->copied);
	if (!x->moved)
		x->copied = 0;
	weigh_times_of(s, x, frees);
}

/* 0, or -1 when out of memory. */
static int
weigh_lives(struct mon *m, uint64_t num, uint64_t den)
{
	const struct weigh_step step = { .num = num, .den = den };
	struct weigh_lives s = { step, step, step, step, step, step, step };
	struct life x;
	size_t i;

	m->life = (struct life){ 0 };
	for (i = 0; i < m->nsites; i++) {
		if (!m->sites[i].life)
			continue;
		life_get(&m->lives, m->sites[i].life, &x);
		weigh_life(&s, &x, &m->sites[i]);
		life_add(&m->life, &x);
		m->sites[i].life = life_put(&m->lives, m->sites[i].life, &x);
		if (!m->sites[i].life)
			return -1;
	}
	return 0;
}

/* Leaks are no more than what is kept. */
static void
weigh_leaks(struct mon *m, uint64_t num, uint64_t den)
{
	struct weigh_step blocks = { .num = num, .den = den }, bytes = blocks;
	const struct counts *c;
	uint64_t left, left_bytes;
	struct mon_leak *x;
	size_t i;
	int k;

	m->leak = (struct mon_leak){ .blocks = { 0 } };
	m->holds_known = false;
	for (i = 0; i < m->nsites; i++) {
		if (!m->sites[i].leak)
			continue;
		x = &m->leaks[m->sites[i].leak];
		c = &m->sites[i].count;
		left = counts_sum(c->allocs) - counts_sum(c->frees);
		left_bytes = counts_sum(c->bytes) - counts_sum(c->freed);
		for (k = 0; k < MONOUT_NLEAK; k++) {
			x->blocks[k] =
				counts_least(weigh_next(&blocks, x->blocks[k]),
					     left);
			x->bytes[k] =
				counts_least(weigh_next(&bytes, x->bytes[k]),
					     left_bytes);
			if (!x->blocks[k])
				x->bytes[k] = 0;
			left -= x->blocks[k];
			left_bytes -= x->bytes[k];
		}
		mon_leak_add(&m->leak, x);
	}
}

/* Bytes without blocks go on to the next thread that has some. */
static uint64_t
weigh_to(uint64_t blocks, uint64_t bytes, uint64_t *more)
{
	bytes += *more;
	*more = blocks ? 0 : bytes;
	return blocks ? bytes : 0;
}

/* What threads did adds up to what the sites say. */
static void
weigh_threads(struct mon *m, uint64_t num, uint64_t den, const struct sums *was)
{
	struct weigh_step allocs = weigh_share(m->sums.allocs, was->allocs);
	struct weigh_step bytes = weigh_share(m->sums.bytes, was->bytes);
	struct weigh_step frees = weigh_share(m->sums.frees, was->frees);
	struct weigh_step freed = weigh_share(m->sums.freed, was->freed);
	struct weigh_step of_others = { .num = num, .den = den };
	uint64_t more = 0, more_freed = 0;
	struct mon_thread *x;
	size_t i;

	m->thread_sums = (struct sums){ 0 };
	for (i = 0; i < m->nthreads; i++) {
		x = &m->threads[i];
		x->allocs = weigh_next(&allocs, x->allocs);
		x->bytes = weigh_next(&bytes, x->bytes);
		x->bytes = weigh_to(x->allocs, x->bytes, &more);
		x->frees = weigh_next(&frees, x->frees);
		x->freed = weigh_next(&freed, x->freed);
		x->freed = weigh_to(x->frees, x->freed, &more_freed);
		x->of_others =
			counts_least(weigh_next(&of_others, x->of_others),
				     x->frees);
		(void)sums_add_amounts(&m->thread_sums, &AMOUNTS(x),
				       x->threads);
	}
}

/* Figures of all blocks that are a part of the sums, or beside them. */
static void
weigh_totals(struct mon *m, uint64_t num, uint64_t den)
{
	static const enum monout_total keys[] = {
		MONOUT_T_LOST,	     MONOUT_T_LOST_BYTES, MONOUT_T_OFF_FREES,
		MONOUT_T_OFF_FREED,  MONOUT_T_OFF_UNSEEN, MONOUT_T_POOL_ALLOCS,
		MONOUT_T_POOL_BYTES, MONOUT_T_POOL_BACKING
	};
	size_t i;

	/* Not above the sums, which are rounded otherwise. */
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		m->total[keys[i]] =
			(uint64_t)((unsigned __int128)m->total[keys[i]] * num /
				   den);
	m->total[MONOUT_T_POOL_BYTES] =
		counts_least(m->total[MONOUT_T_POOL_BYTES], m->sums.bytes);
	m->total[MONOUT_T_OFF_FREED] =
		counts_least(m->total[MONOUT_T_OFF_FREED], m->sums.freed);
}

int
weigh_figures(struct mon *m, uint64_t num, uint64_t den, const struct sums *was)
{
	if (weigh_lives(m, num, den))
		return -1;
	weigh_leaks(m, num, den);
	weigh_threads(m, num, den, was);
	recount_running(m);
	weigh_totals(m, num, den);
	return 0;
}
