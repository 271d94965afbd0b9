/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of the JSON that is about how blocks were used, and their types; as
 * described in mpreduce(1).
 */
#ifndef MEMMON_JSON_USE_H
#define MEMMON_JSON_USE_H

#include "display/text/writer.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>

/* What is known of accesses in all, as member "uses"; null for nothing. */
void json_uses(struct writer *w, const struct profile *p);

/*
 * The use of a site (or not of one) with its scores, as member "use"; null for
 * no blocks.  u may be NULL.
 */
void json_use(struct writer *w, const struct profile *p, const struct use *u,
	      bool site);

/* The type of a site's blocks as member "type", or null. */
void json_type(struct writer *w, const struct site *s);

/* The arrays "types" and "fields". */
void json_types(struct writer *w, const struct profile *p);
void json_fields(struct writer *w, const struct profile *p);

#endif
