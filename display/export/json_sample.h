/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the JSON that are about samples, as mpreduce(1) describes. */
#ifndef MEMMON_JSON_SAMPLE_H
#define MEMMON_JSON_SAMPLE_H

#include "display/text/writer.h"
#include "reduce/profile/profile.h"

/* The object "sample", if blocks were sampled. */
void json_sample(struct writer *w, const struct profile *p);

/* The object "errors", of standard errors, likewise. */
void json_errors(struct writer *w, const struct profile *p,
		 const double var[PROFILE_NERROR]);

#endif
