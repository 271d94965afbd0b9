/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of the JSON that is about runs, marks, leaks and source lines, as
 * described in mpreduce(1).
 */
#ifndef MEMMON_JSON_RUNS_H
#define MEMMON_JSON_RUNS_H

#include "display/text/writer.h"
#include "reduce/profile/profile.h"

/* The array "runs". */
void json_runs(struct writer *w, const struct profile *p);

/*
 * What leak checks found, as member "leaks"; null when there was none.  a: of a
 * site, may be NULL; or of all.  What is suppressed, as member "suppressed".
 */
void json_leaks(struct writer *w, const struct profile *p,
		const struct leak *a);

/* The object "filter", if there was one. */
void json_filter(struct writer *w, const struct profile *p);

/* The array "unsized", by class of sizes, under a filter. */
void json_unsized(struct writer *w, const struct profile *p);

/* Members of the totals that few runs have. */
void json_rare(struct writer *w, const struct profile *p);

/* The arrays "marks" and "suppressions". */
void json_log(struct writer *w, const struct profile *p);
void json_marks(struct writer *w, const struct profile *p);
void json_suppressions(struct writer *w, const struct profile *p);

/* The array "sources", if they were wanted. */
void json_lines(struct writer *w, const struct profile *p);

/* json_time.c: "moment", if one was asked for; "timeline", if it is known. */
void json_moment(struct writer *w, const struct profile *p);
void json_time(struct writer *w, const struct profile *p);

#endif
