/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profile as JSON: samples.  See json_sample.h. */
#include "display/export/json_sample.h"

#include "display/tables/errors.h"

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

void
json_errors(struct writer *w, const struct profile *p,
	    const double var[PROFILE_NERROR])
{
	if (!p->sample.rate)
		return;
	writer_enter(w, "errors", '{');
	writer_number(w, "allocs", errors_number(var[PROFILE_E_ALLOCS]));
	writer_number(w, "bytes", errors_number(var[PROFILE_E_BYTES]));
	writer_number(w, "kept", errors_number(var[PROFILE_E_KEPT]));
	writer_number(w, "kept_blocks",
		      errors_number(var[PROFILE_E_KEPT_BLOCKS]));
	writer_maybe(w, "peak", errors_number(var[PROFILE_E_PEAK]),
		     p->peak_known);
	writer_leave(w, '}');
}
