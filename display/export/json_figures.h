/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files json*.c share: struct json, and figures of blocks. */
#ifndef MEMMON_JSON_FIGURES_H
#define MEMMON_JSON_FIGURES_H

#include "display/schema/columns.h"
#include "display/text/nodes.h"
#include "display/text/writer.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>

/* The JSON of a profile (see mpreduce(1)) while it is written. */
struct json {
	const struct profile *p;
	struct writer w;
	struct nodes nodes;
	struct schema schema; /* for columns_write() */
	bool timeline;	      /* write the counts at each snapshot */
};

/* Write an array of n objects, a line each; one() writes their members. */
void json_array(struct json *j, const char *name, const void *v, size_t n,
		size_t size, void (*one)(struct json *j, const void *row));

/* Write the rows of a table as an array, or nothing if they are unknown. */
void json_table(struct json *j, const struct schema_table *t);

/* Write an object of that name, or null if its figures are unknown. */
void json_counts(struct json *j, const char *name, const struct counts *c);
void json_life(struct json *j, const struct life *a); /* NULL: all 0 */
void json_use(struct json *j, const struct use *u, bool site); /* NULL: null */
void json_errors(struct json *j, const double var[PROFILE_NERROR]);

/* Write the standard error for a variance, as for the page; null: unknown. */
void json_error(struct json *j, const char *name, double var, bool known);

/* The members of a struct amounts. */
enum { JSON_AMOUNTS = 4 };
extern const struct writer_member json_amounts[JSON_AMOUNTS];

/* Write "leaks" and "suppressed" of a site or of the run; NULL: all 0. */
void json_leaks(struct json *j, const struct leak *a, const struct counts *c);

/* Write how the type of a site's blocks is known, as "type". */
void json_type(struct json *j, const struct site *s);

/* json_arrays.c: the runs; and all arrays after the threads. */
void json_runs(struct json *j);
void json_arrays(struct json *j);

#endif
