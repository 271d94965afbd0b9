/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profile as JSON: samples.  See json_sample.h. */
#include "display/export/json_sample.h"

#include "display/grid/errors.h"

void
json_sample(struct writer *w, const struct profile *p)
{
	const struct profile_sample *s = &p->sample;

	if (!s->rate)
		return;
	writer_line(w, "sample", '{');
	writer_number(w, "rate", s->rate);
	writer_truth(w, "some", s->some);
	writer_number(w, "blocks", s->blocks);
	writer_maybe(w, "all_allocs", s->all_allocs, s->all_known);
	writer_maybe(w, "all_bytes", s->all_bytes, s->all_known);
	writer_leave(w, '}');
}

/* As the page has it. */
static void
put(struct writer *w, const char *name, double var)
{
	writer_real(w, name, (double)errors_thousandths(var) / 1000);
}

void
json_errors(struct writer *w, const struct profile *p,
	    const double var[PROFILE_NERROR])
{
	if (!p->sample.rate)
		return;
	writer_enter(w, "errors", '{');
	put(w, "allocs", var[PROFILE_E_ALLOCS]);
	put(w, "bytes", var[PROFILE_E_BYTES]);
	put(w, "kept", var[PROFILE_E_KEPT]);
	put(w, "kept_blocks", var[PROFILE_E_KEPT_BLOCKS]);
	if (p->peak_known)
		put(w, "peak", var[PROFILE_E_PEAK]);
	else
		writer_null(w, "peak");
	writer_leave(w, '}');
}
