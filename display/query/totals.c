/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of the whole profile: see totals.h. */
#include "display/query/totals.h"

#include "display/text/amount.h"

/* Blocks and bytes of kinds that are bits of mask. */
static void
leaks(const struct profile *p, unsigned mask, uint64_t v[2])
{
	for (int i = 0; i < PROFILE_NLEAK; i++)
		if (mask >> i & 1) {
			v[0] = amount_add(v[0], p->leak.blocks[i]);
			v[1] = amount_add(v[1], p->leak.bytes[i]);
		}
}

/* How many of the runs are so. */
static uint64_t
runs(const struct profile *p, bool killed)
{
	uint64_t n = 0;

	for (size_t i = 0; i < p->nruns; i++)
		n += killed ? p->runs[i].killed : p->runs[i].cut;
	return n;
}

/* Numbers, or blocks in v[0] and bytes in v[1] for what has both. */
static void
figure(const struct profile *p, enum totals_what what, uint64_t v[2])
{
	const struct counts *c = &p->total;

	v[0] = v[1] = 0;
	switch (what) {
	case TOTALS_LOST:
	case TOTALS_INDIRECT:
	case TOTALS_INTERIOR:
	case TOTALS_REACHABLE:
		leaks(p, 1u << (what - TOTALS_LOST + PROFILE_LOST), v);
		break;
	case TOTALS_LEAKED:
		leaks(p, 1u << PROFILE_LOST | 1u << PROFILE_INDIRECT, v);
		break;
	case TOTALS_KEPT:
		v[0] = amount_sub(amount_sub(amount_allocs(c), amount_frees(c)),
				  p->leak.hidden.blocks);
		v[1] = amount_sub(amount_kept(c), p->leak.hidden.bytes);
		break;
	case TOTALS_PEAK:
		v[0] = p->peak_blocks;
		v[1] = p->peak;
		break;
	case TOTALS_UNRECORDED:
		v[0] = p->lost;
		v[1] = p->lost_bytes;
		break;
	case TOTALS_ALLOCS:
		v[0] = amount_allocs(c);
		break;
	case TOTALS_BYTES:
		v[1] = amount_bytes(c);
		break;
	case TOTALS_FREES:
		v[0] = amount_frees(c);
		break;
	case TOTALS_REALLOCS:
		v[0] = p->reallocs;
		break;
	case TOTALS_REFUSED:
		v[0] = p->failed;
		break;
	case TOTALS_CUT:
		v[0] = runs(p, true);
		break;
	case TOTALS_INCOMPLETE:
		v[0] = runs(p, false);
		break;
	}
}

/* Why there was no leak check, if a run says so. */
static const char *
no_check(const struct profile *p)
{
	for (size_t i = 0; i < p->nruns; i++)
		if (p->runs[i].leak_why)
			return p->runs[i].leak_why;
	if (p->filter.part)
		return "it isn't known by size or thread, and the filter "
		       "leaves parts of call paths";
	if (p->moment.other)
		return "it is known of the end of the run only";
	if (p->leaks_known)
		return "some of the runs had no leak check";
	return p->nruns > 1 ? "the runs had no leak check"
			    : "the run had no leak check";
}

/* Why the figure may be more than what is known of it; NULL: it isn't. */
static const char *
doubt(const struct profile *p, enum totals_what what, bool in_blocks)
{
	bool sum = false, blocks = what <= TOTALS_PEAK;

	blocks |= what >= TOTALS_ALLOCS && what <= TOTALS_REALLOCS;
	if (blocks && p->filter.missed)
		return "something that the filter asks for isn't there";
	if (blocks && p->filter.unsized_allocs)
		return "the sizes of some blocks aren't known";
	if (what == TOTALS_REALLOCS && p->filter.part)
		return "they aren't known by size or thread";
	if (what == TOTALS_REALLOCS && p->moment.other)
		return "they are known of the end of the run only";
	for (size_t i = 0; i < p->nruns; i++)
		sum |= p->runs[i].sum;
	if (what <= TOTALS_LEAKED && !p->leaks_all)
		return no_check(p);
	if (what == TOTALS_CUT && sum)
		return "a sum of several files doesn't say how they ended";
	if (what == TOTALS_PEAK && (in_blocks || profile_is_less(p)) &&
	    !p->peak_known)
		return "the data don't say what was live at the peak";
	if (p->nunread)
		return "a data file couldn't be read";
	if (p->incomplete && what != TOTALS_INCOMPLETE)
		return "a data file was cut short";
	return NULL;
}

const char *
totals_figure(const struct profile *p, enum totals_what what, bool blocks,
	      uint64_t *n)
{
	uint64_t v[2];

	figure(p, what, v);
	*n = v[!blocks];
	return doubt(p, what, blocks);
}

const char *
totals_doubt(const struct profile *p)
{
	/* As of what was allocated. */
	return doubt(p, TOTALS_ALLOCS, false);
}
