/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several struct mon made one: what isn't a table. */
#include "reduce/file/merge.h"

#include <string.h>

void
merge_peak(struct mon *all, const struct mon *m)
{
	static const enum monout_total keys[] = { MONOUT_T_PEAK,
						  MONOUT_T_PEAK_AT,
						  MONOUT_T_PEAK_SLACK };
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		all->total[keys[i]] = m->total[keys[i]];
		all->total_set[keys[i]] = m->total_set[keys[i]];
	}
	all->peaks_known = m->peaks_known;
	all->peak_blocks = m->peak_blocks;
	all->peak_bytes = m->peak_bytes;
}

/* Are those in UNPLACED, if there are any, not in UNFOLDED? */
static bool
merge_placed(const struct mon *m)
{
	return !m->total_set[MONOUT_T_UNFOLDED] ||
	       m->total_set[MONOUT_T_UNPLACED];
}

/* They are, as in old files: true if there is no overflow. */
static bool
merge_unplaced(struct mon *all)
{
	uint64_t *t = all->total, n = t[MONOUT_T_UNPLACED];

	all->total_set[MONOUT_T_UNPLACED] = false;
	t[MONOUT_T_UNPLACED] = 0;
	return !__builtin_add_overflow(t[MONOUT_T_UNFOLDED], n,
				       &t[MONOUT_T_UNFOLDED]);
}

bool
merge_totals(struct mon *all, const struct mon *m)
{
	const uint64_t *n = m->total;
	uint64_t *t = all->total;
	bool over = false, placed = merge_placed(all) && merge_placed(m);
	int i;

	for (i = MONOUT_T_PEAK; i < MONOUT_T_MAX; i++) {
		switch (i) {
		case MONOUT_T_PEAK:
		case MONOUT_T_PEAK_AT:
		case MONOUT_T_PEAK_SLACK:
		/* These are made anew by who writes them. */
		case MONOUT_T_PEAKS:
		case MONOUT_T_LIVES:
		case MONOUT_T_THREADS:
		case MONOUT_T_USES:
		case MONOUT_T_GROUPS:
		case MONOUT_T_FIELDS:
		case MONOUT_T_HANDED:
		case MONOUT_T_READS:
		case MONOUT_T_WRITES:
		case MONOUT_T_PEAK_BLOCKS:
		case MONOUT_T_PEAK_BYTES:
		case MONOUT_T_MARKS:
		case MONOUT_T_LEAKS:
		case MONOUT_T_CELLS:
		case MONOUT_T_VTABLES:
		case MONOUT_T_CHANGES:
		case MONOUT_T_MOMENTS:
		case MONOUT_T_TYPES:
		case MONOUT_T_ALL_ALLOCS:
		case MONOUT_T_ALL_BYTES:
		case MONOUT_T_SAMPLES:
		case MONOUT_T_SOME:
		case MONOUT_T_ERRORS:
			break;
		case MONOUT_T_TICKED:
			/* 1 is what is true of all. */
			if (m->total_set[i])
				t[i] = n[i] && (t[i] || !all->total_set[i]);
			all->total_set[i] |= m->total_set[i];
			break;
		case MONOUT_T_DEEPEST:
			all->total_set[i] |= m->total_set[i];
			if (n[i] > t[i])
				t[i] = n[i];
			break;
		default:
			all->total_set[i] |= m->total_set[i];
			over |= __builtin_add_overflow(t[i], n[i], &t[i]);
		}
	}
	return !over && (placed || merge_unplaced(all));
}

void
merge_known(struct mon *all, const struct mon *m)
{
	bool first = !all->nsites;

	all->leaks_known |= m->leaks_known;
	all->vtables_known |= m->vtables_known;
	if (!m->nsites && !first)
		return;
	all->lives_known = m->lives_known && (first || all->lives_known);
	all->threads_known = m->threads_known && (first || all->threads_known);
	all->uses_known = m->uses_known && (first || all->uses_known);
	all->cells_known = m->cells_known && (first || all->cells_known);
	all->leaks_all = m->leaks_all && (first || all->leaks_all);
}

void
merge_sample(struct merge *g, const struct mon *m)
{
	struct profile_sample *to = &g->all.sample;
	const struct profile_sample *x = &m->sample;

	if (!g->nfiles) {
		*to = *x;
		to->why = g->all.run[MONOUT_R_SAMPLE_WHY].text;
		return;
	}
	to->some |= x->some || to->rate != x->rate;
	if (x->rate > to->rate)
		to->rate = x->rate;
	to->blocks += x->blocks;
	to->all_known &= x->all_known;
	to->all_allocs += x->all_allocs;
	to->all_bytes += x->all_bytes;
	to->why = g->all.run[MONOUT_R_SAMPLE_WHY].text;
}

bool
merge_sums(struct sums *to, const struct sums *x)
{
	const struct counts c = {
		.allocs = { x->allocs },
		.bytes = { x->bytes },
		.frees = { x->frees },
		.freed = { x->freed },
	};

	return sums_add(to, &c, x->reallocs);
}

/*
 * Of accesses, which not every run records: all ways together, the longest
 * step, the first reason.  False: the key is another.
 */
static bool
merge_access(int key, struct mon_value *to, const struct mon_value *x)
{
	if (key != MONOUT_R_WAY && key != MONOUT_R_STEP && key != MONOUT_R_WHY)
		return false;
	if (!to->set)
		*to = *x;
	else if (key == MONOUT_R_WAY)
		to->number |= x->number;
	else if (key == MONOUT_R_STEP && x->number > to->number)
		to->number = x->number;
	return true;
}

/*
 * Of what few runs have, so that it would be lost: was recording off at the end
 * of one, for how long was it off in all of them, the first reset, the last
 * leak check, the largest rate, the first reasons.  False: the key is another.
 */
static bool
merge_rare(int key, struct mon_value *to, const struct mon_value *x)
{
	if (key != MONOUT_R_OFF && key != MONOUT_R_OFF_TIME &&
	    key != MONOUT_R_RESET && key != MONOUT_R_LEAKCHECK &&
	    key != MONOUT_R_CUT_WHY && key != MONOUT_R_LEAK_WHY &&
	    key != MONOUT_R_SAMPLE && key != MONOUT_R_SAMPLE_WHY)
		return false;
	if (!x->set)
		return true;
	if (!to->set)
		*to = *x;
	else if (key == MONOUT_R_OFF)
		to->number |= x->number;
	else if ((key == MONOUT_R_LEAKCHECK || key == MONOUT_R_SAMPLE) &&
		 x->number > to->number)
		to->number = x->number;
	else if (key == MONOUT_R_OFF_TIME &&
		 __builtin_add_overflow(to->number, x->number, &to->number))
		to->number = UINT64_MAX;
	return true;
}

/* Leave in `to' what is true of both; times and threads add up. */
static bool
merge_value(int key, struct mon_value *to, const struct mon_value *x)
{
	bool add = key == MONOUT_R_LENGTH || key == MONOUT_R_THREADS;

	if (merge_access(key, to, x) || merge_rare(key, to, x))
		return true;
	if (!to->set || !x->set) {
		to->set = false;
	} else if (add) {
		return !__builtin_add_overflow(to->number, x->number,
					       &to->number);
	} else if (key == MONOUT_R_START) {
		if (x->number < to->number)
			to->number = x->number;
	} else if (to->text) {
		to->set = to->length == x->length &&
			  !memcmp(to->text, x->text, to->length);
	} else {
		to->set = to->number == x->number;
	}
	return true;
}

/* The same with text of its own: a's arena.  0, or -1 when out of memory. */
static int
merge_copy(struct arena *a, struct mon_value *v, const struct mon_value *from)
{
	if (v->text && v->text == from->text)
		v->text = arena_copy(a, v->text, v->length);
	return from->text && v->set && !v->text ? -1 : 0;
}

int
merge_run(struct merge *g, const struct mon *m)
{
	struct mon *all = &g->all;
	struct mon_value *v;
	int i;

	for (i = 1; i < MONOUT_R_MAX; i++) {
		v = &all->run[i];
		if (!g->nfiles)
			*v = m->run[i];
		else if (!merge_value(i, v, &m->run[i]))
			return -2;
		if (merge_copy(&all->arena, v, &m->run[i]))
			return -1;
	}
	return 0;
}
