/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors of counts of samples. */
#include "reduce/estimate/sample_error.h"

#include <math.h>

double
sample_weight(uint64_t rate, uint64_t size)
{
	return -1 / expm1(-((double)size + 1) / (double)rate);
}

double
sample_size(const struct mon_cell *c)
{
	if (!c->any)
		return (double)c->size;
	return c->allocs ? (double)c->bytes / (double)c->allocs : 0;
}

void
sample_add_errors(double var[PROFILE_NERROR], const struct mon_cell *c)
{
	double square = sample_size(c) * sample_size(c);

	var[PROFILE_E_ALLOCS] += c->made;
	var[PROFILE_E_BYTES] += c->made * square;
	var[PROFILE_E_KEPT] += c->live * square;
	var[PROFILE_E_KEPT_BLOCKS] += c->live;
	var[PROFILE_E_PEAK] += c->held * square;
}

void
sample_errors(const struct mon *m, struct mon_cell *c)
{
	double more;

	if (!m->sample.rate)
		return;
	more = sample_weight(m->sample.rate, (uint64_t)sample_size(c)) - 1;
	c->made = (double)c->allocs * more;
	c->live = (double)(c->allocs - c->frees) * more;
}
