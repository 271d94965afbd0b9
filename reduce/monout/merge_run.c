/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merge several struct mon into one: all that isn't a table. */
#include "reduce/monout/merge.h"

#include <string.h>

/* How to merge a total, or a value of the run: see monkeys.h. */
enum merge_how {
	MERGE_SUM,
	MERGE_CAP,
	MERGE_MOST,
	MERGE_LEAST,
	MERGE_OR,
	MERGE_FIRST,
	MERGE_SAME,
	MERGE_OWN = MERGE_SAME,
	MERGE_ALL,
	MERGE_PEAK,
	MERGE_ANEW,
	MERGE_ITEMS = MERGE_ANEW,
	MERGE_TABLE = MERGE_ANEW,
	MERGE_FILES = MERGE_ANEW,
	MERGE_SAMPLE = MERGE_ANEW
};

static const enum merge_how merge_total_how[MONOUT_T_MAX] = {
#define K(name, how, text) [MONOUT_T_##name] = MERGE_##how,
	MONREC_TOTAL_KEYS(K)
#undef K
};

static const enum merge_how merge_run_how[MONOUT_R_MAX] = {
#define K(name, kind, how) [MONOUT_R_##name] = MERGE_##how,
	MONREC_RUN_KEYS(K)
#undef K
};

void
merge_peak(struct mon *all, const struct mon *m)
{
	int i;

	for (i = 1; i < MONOUT_T_MAX; i++) {
		if (merge_total_how[i] != MERGE_PEAK)
			continue;
		all->total[i] = m->total[i];
		all->total_set[i] = m->total_set[i];
	}
	all->peaks_known = m->peaks_known;
	all->peak_blocks = m->peak_blocks;
	all->peak_bytes = m->peak_bytes;
}

/* Is the total UNPLACED, if there are such blocks, separate from UNFOLDED? */
static bool
merge_placed(const struct mon *m)
{
	return !m->total_set[MONOUT_T_UNFOLDED] ||
	       m->total_set[MONOUT_T_UNPLACED];
}

/* Add UNPLACED to UNFOLDED, as in old files.  False if the sum doesn't fit. */
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

	for (i = 1; i < MONOUT_T_MAX; i++) {
		switch (merge_total_how[i]) {
		case MERGE_ALL:
			if (m->total_set[i])
				t[i] = n[i] && (t[i] || !all->total_set[i]);
			break;
		case MERGE_MOST:
			if (n[i] > t[i])
				t[i] = n[i];
			break;
		case MERGE_SUM:
			over |= __builtin_add_overflow(t[i], n[i], &t[i]);
			break;
		default:
			continue;
		}
		all->total_set[i] |= m->total_set[i];
	}
	return !over && (placed || merge_unplaced(all));
}

void
merge_known(struct mon *all, const struct mon *m, bool first)
{
	/* Data without sites don't change what is known of data with sites. */
	bool counts = m->nsites || !all->nsites;

	first |= m->nsites && !all->nsites;
#define OTHER(name)
#define SOME(name) all->name |= m->name;
#define EVERY(name) \
	if (counts) \
		all->name = first ? m->name : all->name & m->name;
#define K(type, name, joined, ...) joined(name)
	KNOWN(K)
#undef K
#undef EVERY
#undef SOME
#undef OTHER
}

void
merge_count(struct merge *g, const struct mon *m)
{
	struct mon *all = &g->all;
	uint64_t *n = &all->total[MONOUT_T_FILES];
	bool *known = &all->total_set[MONOUT_T_FILES];
	bool there = m->total_set[MONOUT_T_FILES];

	/* Old sums don't say how many files they contain. */
	*known = (!g->nfiles || *known) && (there || !mon_is_sum(m));
	*n = *known ? *n + (there ? m->total[MONOUT_T_FILES] : 1) : 0;
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
	return sums_add_amounts(to, &x->amounts, x->reallocs);
}

/* Does x come before y? */
static bool
merge_before(const struct mon_value *x, const struct mon_value *y)
{
	size_t n = x->length < y->length ? x->length : y->length;
	int c = x->text && y->text ? memcmp(x->text, y->text, n) : 0;

	if (!x->text || !y->text)
		return x->number < y->number;
	return c ? c < 0 : x->length < y->length;
}

/* Merge x into `to'; both are set.  False if a sum overflows. */
static bool
merge_both(enum merge_how how, struct mon_value *to, const struct mon_value *x)
{
	switch (how) {
	case MERGE_SUM:
		return !__builtin_add_overflow(to->number, x->number,
					       &to->number);
	case MERGE_CAP:
		to->number = counts_capped(to->number, x->number);
		return true;
	case MERGE_OR:
		to->number |= x->number;
		return true;
	case MERGE_MOST:
		if (x->number > to->number)
			to->number = x->number;
		return true;
	case MERGE_LEAST:
		if (x->number < to->number)
			to->number = x->number;
		return true;
	case MERGE_FIRST:
		if (merge_before(x, to))
			*to = *x;
		return true;
	default:
		if (to->text)
			to->set = to->length == x->length &&
				  !memcmp(to->text, x->text, to->length);
		else
			to->set = to->number == x->number;
		return true;
	}
}

/* The same if one of them, or both, may be unset. */
static bool
merge_value(enum merge_how how, struct mon_value *to, const struct mon_value *x)
{
	if (to->set && x->set)
		return merge_both(how, to, x);
	if (how == MERGE_OR || how == MERGE_MOST || how == MERGE_CAP ||
	    how == MERGE_FIRST)
		*to = to->set ? *to : *x;
	else
		to->set = false;
	return true;
}

/* Copy the text of a value into the arena a. */
static void
merge_copy(struct arena *a, struct mon_value *v, const struct mon_value *from)
{
	if (v->text && v->text == from->text)
		v->text = arena_copy(a, v->text, v->length);
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
		else if (!merge_value(merge_run_how[i], v, &m->run[i]))
			return -1;
		merge_copy(&all->arena, v, &m->run[i]);
	}
	return 0;
}
