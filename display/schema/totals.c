/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of the whole profile: see totals.h. */
#include "display/schema/totals.h"

/* The number of runs that were killed, or whose file is truncated. */
static uint64_t
totals_runs(const struct profile *p, bool killed)
{
	uint64_t n = 0;

	for (size_t i = 0; i < p->nruns; i++)
		n += killed ? p->runs[i].killed : p->runs[i].cut;
	return n;
}

/* Set v[0] to the number, v[1] to the bytes. */
static void
totals_get(const struct profile *p, enum totals_what what, uint64_t v[2])
{
	const struct account total = counts_of_all(&p->total), *c = &total;
	const struct leak *a = &p->leak;

	switch (what) {
#define T(id, name, text, blocks, bytes, ...) \
	case TOTALS_##id: \
		v[0] = blocks; \
		v[1] = bytes; \
		return;
		TOTALS(T, T, T, T)
#undef T
	}
}

/* Why there was no leak check, if a run says why. */
static const char *
totals_no_check(const struct profile *p)
{
	for (size_t i = 0; i < p->nruns; i++)
		if (p->runs[i].leak_why)
			return p->runs[i].leak_why;
	if (p->filter.part)
		return "it is not recorded by size or thread, and the filter "
		       "keeps parts of call paths";
	if (p->snapshot.other)
		return "it is recorded only at the end of the run";
	if (p->leaks_known)
		return "some of the runs had no leak check";
	return p->nruns > 1 ? "the runs had no leak check"
			    : "the run had no leak check";
}

/* Why the figure may be larger than its known part; NULL: it is exact. */
static const char *
doubt(const struct profile *p, enum totals_what what, bool in_blocks)
{
	bool sum = false, blocks = what <= TOTALS_PEAK;

	blocks |= what >= TOTALS_ALLOCS && what <= TOTALS_REALLOCS;
	if (blocks && p->filter.missed)
		return "the filter names something that doesn't exist";
	if (blocks && p->filter.unsized_allocs)
		return "some blocks have unknown sizes";
	if (blocks && p->filter.outer_allocs)
		return "some blocks have unknown callers";
	if (what == TOTALS_REALLOCS && p->filter.part)
		return "they are not recorded by size or thread";
	if (what == TOTALS_REALLOCS && p->snapshot.other)
		return "they are recorded only at the end of the run";
	for (size_t i = 0; i < p->nruns; i++)
		sum |= p->runs[i].sum;
	if ((what <= TOTALS_LEAKED || what == TOTALS_UNSEARCHED) &&
	    !p->leaks_all)
		return totals_no_check(p);
	if (what == TOTALS_CUT && sum)
		return "a sum does not record how its processes ended";
	if (what == TOTALS_PEAK && (in_blocks || profile_is_less(p)) &&
	    !p->peaks_known)
		return "the blocks at the peak are unknown";
	if (p->nunread)
		return "a data file could not be read";
	if (p->incomplete && what != TOTALS_INCOMPLETE)
		return "a data file is truncated";
	return NULL;
}

const char *
totals_figure(const struct profile *p, enum totals_what what, bool blocks,
	      uint64_t *n)
{
	uint64_t v[2] = { 0, 0 };

	totals_get(p, what, v);
	*n = v[!blocks];
	return doubt(p, what, blocks);
}

const char *
totals_doubt(const struct profile *p)
{
	/* The same reasons as for the number of allocations. */
	return doubt(p, TOTALS_ALLOCS, false);
}
