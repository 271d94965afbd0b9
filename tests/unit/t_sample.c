/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sampling: the generator, and the accuracy of estimates over many runs of a
 * made-up program, whose blocks are sampled as the monitor does it.
 */
#include "monitor/record/sample_draw.c"
#include "reduce/estimate/sample.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 200000, RATE = 50000, RUNS = 400 };

static int
compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/*
 * The Kolmogorov-Smirnov distance of the gaps from an exponential distribution.
 */
static double
distance(uint64_t *v)
{
	double most = 0, d;

	qsort(v, DRAWS, sizeof(*v), compare);
	for (int i = 0; i < DRAWS; i++) {
		/* Gaps are whole bytes: v is one from v to v + 1. */
		d = -expm1(-((double)v[i] + .5) / RATE) - (i + .5) / DRAWS;
		if (fabs(d) > most)
			most = fabs(d);
	}
	return most;
}

static void
generator(void)
{
	uint64_t *v = malloc(DRAWS * sizeof(*v)), state = 1;
	double sum = 0, squares = 0, mean, var;

	if (!v)
		exit(1);
	for (int i = 0; i < DRAWS; i++) {
		v[i] = mmi_sample_gap(&state, RATE);
		sum += (double)v[i] + .5;
	}
	mean = sum / DRAWS;
	for (int i = 0; i < DRAWS; i++)
		squares +=
			((double)v[i] + .5 - mean) * ((double)v[i] + .5 - mean);
	var = squares / DRAWS;
	/* Their standard errors are 1 / sqrt(n) and sqrt(8 / n). */
	ok(fabs(mean / RATE - 1) < 4 / sqrt(DRAWS), "mean %g", mean / RATE);
	ok(fabs(var / RATE / RATE - 1) < 4 * sqrt(8. / DRAWS), "variance %g",
	   var / RATE / RATE);
	/* 1.95 / sqrt(n): one in a thousand is further away. */
	ok(distance(v) < 1.95 / sqrt(DRAWS), "distance %g", distance(v));
	free(v);
}

static void
functions(void)
{
	double worst = 0, x, e;

	for (x = 1e-12; x < 1e3; x *= 1.1) {
		e = fabs(mmi_sample_rest(x) / -expm1(-x) - 1);
		worst = e > worst ? e : worst;
	}
	ok(worst < 1e-14, "1 - exp(-x) to %g", worst);
	worst = 0;
	for (uint64_t n = 1; n < 1ull << 53; n += n / 16 + 1) {
		x = 53 * M_LN2 - log((double)n);
		e = fabs(minus_log(n) - x);
		worst = e > worst ? e : worst;
	}
	ok(worst < 1e-11, "-ln(n / 2^53) to %g", worst);
	ok(minus_log(1ull << 53) == 0, "and of 1 it is 0");
}

/*
 * Sizes and their numbers of blocks; one in `keep' is not freed.  The peak is
 * the end.
 */
static const struct {
	uint64_t size;
	int blocks, keep;
} kind[] = { { 300, 30000, 3 },
	     { 40, 20000, 1000000 },
	     { 200, 8000, 4 },
	     { 30000, 100, 1 },
	     { 90000, 40, 2 } };
enum { KINDS = sizeof(kind) / sizeof(*kind), FIGURES = 4 };
static const char *const figure[] = { "allocs", "bytes", "kept",
				      "kept blocks" };

/* A file of the run: a site for each size. */
static void
run(struct mon *m, struct mon_site *sites, uint64_t *state)
{
	uint64_t left = mmi_sample_gap(state, RATE);
	struct mon_cell *c = calloc(KINDS, sizeof(*c));

	memset(m, 0, sizeof(*m));
	memset(sites, 0, KINDS * sizeof(*sites));
	if (!c)
		exit(1);
	for (int k = 0; k < KINDS; k++) {
		c[k].site = (uint32_t)k;
		c[k].size = kind[k].size;
		for (int i = 0; i < kind[k].blocks; i++) {
			if (left > kind[k].size) {
				left -= kind[k].size + 1;
				continue;
			}
			left = mmi_sample_gap(state, RATE);
			c[k].allocs++;
			c[k].frees += i % kind[k].keep != 0;
		}
		c[k].bytes = c[k].allocs * c[k].size;
		c[k].freed = c[k].frees * c[k].size;
		c[k].peak_blocks = (int64_t)(c[k].allocs - c[k].frees);
		c[k].peak_bytes = (int64_t)(c[k].bytes - c[k].freed);
		m->sums.allocs += c[k].allocs;
	}
	m->cells = c;
	m->ncells = m->cell_room = KINDS;
	m->sites = sites;
	m->nsites = KINDS;
	m->cells_known = m->peaks_known = true;
	m->run[MONOUT_R_SAMPLE] = (struct mon_value){ true, RATE, NULL, 0 };
}

/* Do the tables add up? */
static bool
conserved(const struct mon *m)
{
	uint64_t allocs = 0, bytes = 0, frees = 0, bins = 0, peak = 0;

	for (size_t i = 0; i < m->nsites; i++) {
		allocs += counts_sum(m->sites[i].count.allocs);
		bytes += counts_sum(m->sites[i].count.bytes);
		frees += counts_sum(m->sites[i].count.frees);
		peak += m->sites[i].count.peak;
	}
	for (size_t i = 0; i < m->nbins; i++)
		bins += m->bins[i].allocs * m->bins[i].size;
	return allocs == m->sums.allocs && bytes == m->sums.bytes &&
	       frees == m->sums.frees && bins == bytes &&
	       peak == m->total[MONOUT_T_PEAK] && frees <= allocs;
}

struct tried {
	double sum, squares, var, within, peak;
};

static void
try(struct tried *t, const double *truth, const struct mon *m)
{
	double var[PROFILE_NERROR] = { 0 }, e;
	const double x[FIGURES] = { (double)m->sums.allocs,
				    (double)m->sums.bytes,
				    (double)(m->sums.bytes - m->sums.freed),
				    (double)(m->sums.allocs - m->sums.frees) };
	const double *v[FIGURES] = { &var[PROFILE_E_ALLOCS],
				     &var[PROFILE_E_BYTES],
				     &var[PROFILE_E_KEPT],
				     &var[PROFILE_E_KEPT_BLOCKS] };

	for (size_t i = 0; i < m->nsites; i++)
		for (int k = 0; k < PROFILE_NERROR; k++)
			var[k] += m->sites[i].count.var[k];
	for (int i = 0; i < FIGURES; i++) {
		e = x[i] - truth[i];
		t[i].sum += e;
		t[i].squares += e * e;
		t[i].var += *v[i];
		t[i].within += e * e <= 4 * *v[i];
	}
	t[2].peak += (double)m->total[MONOUT_T_PEAK] - truth[2];
}

static void
estimates(void)
{
	double truth[FIGURES] = { 0 }, n = RUNS, sd;
	struct tried t[FIGURES] = { { 0 } };
	struct mon_site sites[KINDS];
	uint64_t state = 7, kept;
	bool all = true;
	struct mon m;

	for (int k = 0; k < KINDS; k++) {
		kept = (uint64_t)((kind[k].blocks - 1) / kind[k].keep + 1);
		truth[0] += kind[k].blocks;
		truth[1] += kind[k].blocks * (double)kind[k].size;
		truth[2] += (double)(kept * kind[k].size);
		truth[3] += (double)kept;
	}
	for (int i = 0; i < RUNS; i++) {
		run(&m, sites, &state);
		sample_scale(&m);
		all &= conserved(&m);
		try(t, truth, &m);
		free(m.cells);
		free(m.bins);
	}
	ok(all, "sites, bins, the peak and the totals agree in each run");
	for (int i = 0; i < FIGURES; i++) {
		sd = sqrt(t[i].squares / n);
		ok(fabs(t[i].sum / n) < 4 * sd / sqrt(n),
		   "%s: off by %.2f of its standard error on average",
		   figure[i], t[i].sum / n / sd * sqrt(n));
		ok(fabs(sqrt(t[i].var / n) / sd - 1) < .2,
		   "%s: the standard error is %.2f of the spread", figure[i],
		   sqrt(t[i].var / n) / sd);
		ok(t[i].within / n > .91 && t[i].within / n < .99,
		   "%s: %.1f%% within two of them", figure[i],
		   t[i].within / n * 100);
	}
	ok(fabs(t[2].peak / n) < 4 * sqrt(t[2].squares / n / n),
	   "so is the peak");
}

/* Impossible values are refused, without a crash. */
static void
nonsense(void)
{
	struct mon_site sites[KINDS];
	uint64_t state = 3;
	struct mon m;

	run(&m, sites, &state);
	m.path = "f";
	m.cells[1].allocs = UINT64_MAX / 64;
	m.cells[1].bytes = m.cells[1].allocs * 40;
	m.run[MONOUT_R_SAMPLE].number = UINT64_MAX;
	sample_scale(&m);
	ok(m.incomplete && m.nwarning == 1 && !m.sample.rate, "is said");
	arena_fini(&m.arena);
	free(m.cells);
	run(&m, sites, &state);
	m.path = "f";
	m.run[MONOUT_R_SAMPLE].number = 0;
	sample_scale(&m);
	ok(m.incomplete && m.nwarning == 1, "is said, too");
	arena_fini(&m.arena);
	free(m.cells);
}

int
main(void)
{
	generator();
	functions();
	estimates();
	nonsense();
	return done_testing();
}
