/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weighted sums. */
#include "reduce/counts/weigh.h"
#include "reduce/base/err.h"
#include "reduce/counts/recount.h"
#include "reduce/file/cells.h"

#include <stdlib.h>
#include <string.h>

/* Numerators and denominators stay below that, so that nothing overflows. */
#define WEIGH_MOST 1000000000000u

/* --------------------------------------------------------------- weights -- */

/* A weight as it was given: num / den. */
struct weigh_ratio {
	uint64_t num, den;
};

static uint64_t
weigh_gcd(uint64_t a, uint64_t b)
{
	uint64_t c;

	while (b) {
		c = a % b;
		a = b;
		b = c;
	}
	return a;
}

/* A whole number, below WEIGH_MOST; *s moves behind it. */
static bool
weigh_whole(const char **s, const char *end, uint64_t *n)
{
	const char *from = *s;

	for (; *s < end && **s >= '0' && **s <= '9'; ++*s) {
		*n = *n * 10 + (uint64_t)(**s - '0');
		if (*n >= WEIGH_MOST)
			return false;
	}
	return *s > from;
}

/* "2", "0.25", ".5", "1/3".  False for all else, and for 0. */
static bool
weigh_parse(const char *s, const char *end, struct weigh_ratio *r)
{
	bool good = true, some = *s != '.';
	uint64_t g;

	*r = (struct weigh_ratio){ 0, 1 };
	if (some)
		good = weigh_whole(&s, end, &r->num);
	if (good && s < end && *s == '/') {
		s++;
		r->den = 0;
		good = weigh_whole(&s, end, &r->den);
	} else if (good && s < end && *s == '.') {
		const char *point = ++s;

		good = (weigh_whole(&s, end, &r->num) || some) &&
		       s - point <= 9;
		for (; good && point < s; point++)
			r->den *= 10;
	}
	if (!good || s != end || !r->num || !r->den)
		return false;
	g = weigh_gcd(r->num, r->den);
	r->num /= g;
	r->den /= g;
	return true;
}

/*
 * From ratios to factors of the files and one of the sum.  False: these are too
 * large.
 */
static bool
weigh_factors(struct weigh *w, const struct weigh_ratio *r, size_t n)
{
	unsigned __int128 den = 1, v, common = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		den = den / weigh_gcd((uint64_t)den, r[i].den) * r[i].den;
		if (den >= WEIGH_MOST)
			return false;
	}
	for (i = 0; i < n; i++) {
		v = den / r[i].den * r[i].num;
		if (v > UINT64_MAX)
			return false;
		w->by[i] = (uint64_t)v;
		common = weigh_gcd((uint64_t)common, w->by[i]);
	}
	if (!common)
		return false;
	for (i = 0; i < n; i++)
		w->by[i] /= (uint64_t)common;
	w->num = (uint64_t)common;
	w->den = (uint64_t)den;
	v = weigh_gcd(w->num, w->den);
	w->num /= (uint64_t)v;
	w->den /= (uint64_t)v;
	return w->num < WEIGH_MOST;
}

/* How many there are in the text. */
static size_t
weigh_count(const char *s)
{
	size_t n = 1;

	for (; *s; s++)
		n += *s == ',';
	return n;
}

int
weigh_init(struct weigh *w, const struct profile_options *o, struct err *e)
{
	const char *s = o->weights, *end;
	struct weigh_ratio *r;
	size_t n, i;
	int status = 0;

	*w = (struct weigh){ .on = s != NULL, .text = s, .num = 1, .den = 1 };
	if (!s)
		return 0;
	w->by = calloc(o->nfiles + 1, sizeof(*w->by));
	r = calloc(o->nfiles + 1, sizeof(*r));
	if (!w->by || !r) {
		free(r);
		return err_memory(e);
	}
	w->mean = !strcmp(s, "mean");
	n = weigh_count(s);
	for (i = 0; i < o->nfiles && w->mean; i++)
		w->by[i] = 1;
	if (!w->mean && n != o->nfiles)
		status = err_set(e,
				 "--weights=%s: %zu for %zu data files; give "
				 "one weight for each, or mean",
				 s, n, o->nfiles);
	for (i = 0; i < n && !status && !w->mean; i++, s = end + 1) {
		end = s + strcspn(s, ",");
		if (!weigh_parse(s, end, &r[i]))
			status = err_set(
				e,
				"--weights: %.*s isn't a weight: give a number "
				"above 0 and below 10^12, as 2, 0.25 or 1/3",
				(int)(end - s), s);
	}
	if (!status && !w->mean && !weigh_factors(w, r, n))
		status = err_set(e,
				 "--weights=%s: these have too many digits "
				 "together; give rounder ones",
				 o->weights);
	free(r);
	return status;
}

void
weigh_fini(struct weigh *w)
{
	free(w->by);
	*w = (struct weigh){ 0 };
}

int
weigh_text(const struct weigh *w, size_t operand, struct arena *a,
	   const char **text)
{
	const char *s = w->text;

	*text = NULL;
	if (!w->on)
		return 0;
	for (; operand && !w->mean; operand--)
		s += strcspn(s, ",") + 1;
	*text = arena_copy(a, s, strcspn(s, ","));
	return *text ? 0 : -1;
}

/* ----------------------------------------------------------------- sites -- */

/* *x times a whole number. */
#define WEIGH_TIMES(x, by) \
	((x)->allocs *= (by), (x)->bytes *= (by), (x)->frees *= (by), \
	 (x)->freed *= (by))

/* The same of counts. */
static void
weigh_times(struct counts *c, uint64_t by)
{
	struct amounts a;
	unsigned k;

	for (k = 0; k < PROFILE_NCLASS; k++) {
		a = counts_of_class(c, k);
		WEIGH_TIMES(&a, by);
		counts_set_class(c, k, &a);
	}
}

static void
weigh_cells_times(struct mon *m, uint64_t by)
{
	struct mon_cell *c;
	size_t i;

	for (i = 0; i < m->ncells; i++) {
		c = &m->cells[i];
		WEIGH_TIMES(c, by);
		c->looked *= by;
		c->slack *= by;
	}
}

static void
weigh_bins(struct mon *m, uint64_t by)
{
	size_t i;

	for (i = 0; i < m->nbins; i++) {
		m->bins[i].allocs *= by;
		m->bins[i].frees *= by;
	}
	WEIGH_TIMES(mon_big(m), by);
	WEIGH_TIMES(&m->bin_sums, by);
}

/* ------------------------------------------------------------------- all -- */

/* Do all counts still fit, with room for what is rounded up? */
static bool
weigh_fits(const struct mon *m, uint64_t num, uint64_t den)
{
	const uint64_t n[] = {
		m->sums.allocs,		 m->sums.bytes,
		m->sums.reallocs,	 m->bin_sums.bytes,
		m->thread_sums.bytes,	 m->thread_sums.freed,
		m->thread_sums.frees, m->total[MONOUT_T_LOST_BYTES],
		m->total[MONOUT_T_LOST], m->life.copied
	};
	size_t i;

	for (i = 0; i < sizeof(n) / sizeof(n[0]); i++) {
		if ((unsigned __int128)n[i] * num / den > INT64_MAX)
			return false;
	}
	return true;
}

/* What isn't known of a weighted sum. */
static void
weigh_forget(struct mon *m)
{
	size_t i;

	m->peaks_known = m->uses_known = m->vtables_known = false;
	m->times_known = m->changes_known = false;
	m->peak_blocks = m->peak_bytes = 0;
	m->marks_dropped |= m->nmarks > 0;
	m->nmarks = m->nvtables = m->ngroups = m->nfields = m->nuses = 0;
	m->nsnapshots = m->nchanges = 0;
	m->use = (struct mon_use){ 0 };
	for (i = 0; i < m->nsites; i++) {
		m->sites[i].peak_blocks = m->sites[i].count.peak = 0;
		m->sites[i].use = 0;
	}
	for (i = 0; i < m->ncells; i++)
		m->cells[i].peak_blocks = m->cells[i].peak_bytes = 0;
}

/* All of m times num / den, which isn't 1. */
static int
weigh_mon(struct mon *m, uint64_t num, uint64_t den, uint64_t *averaged)
{
	struct weigh_step reallocs = { .num = num, .den = den };
	const struct sums was = m->sums;
	size_t i;

	for (i = 0; i < m->nsites; i++)
		m->sites[i].reallocs =
			weigh_next(&reallocs, m->sites[i].reallocs);
	if (den > 1) {
		*averaged = weigh_sizes(m, num, den);
	} else {
		weigh_cells_times(m, num);
		for (i = 0; i < m->nsites; i++)
			weigh_times(&m->sites[i].count, num);
		weigh_bins(m, num);
		recount_sums(m);
	}
	return weigh_figures(m, num, den, &was);
}

static int
weigh_large(struct err *e)
{
	return err_set(e, "the counts are too large for these weights; give "
			  "smaller or rounder ones");
}

int
weigh_file(const struct weigh *w, struct mon *m, size_t operand, struct err *e)
{
	if (!w->on)
		return 0;
	if (m->sample.rate)
		return err_set(e,
			       "%s: is of samples, whose errors can't be "
			       "weighed; leave out --weights, or the file",
			       m->path);
	if (!weigh_fits(m, w->by[operand], 1))
		return weigh_large(e);
	weigh_forget(m);
	if (w->by[operand] != 1 && weigh_mon(m, w->by[operand], 1, NULL))
		return err_memory(e);
	return 0;
}

int
weigh_all(struct weigh *w, struct merge *g, struct err *e)
{
	uint64_t num = w->num, den = w->mean ? g->nfiles : w->den;

	if (!w->on)
		return 0;
	if (!den)
		den = 1;
	if (!weigh_fits(&g->all, num, den))
		return weigh_large(e);
	weigh_forget(&g->all);
	if (num != den && weigh_mon(&g->all, num, den, &w->averaged))
		return err_memory(e);
	return 0;
}
