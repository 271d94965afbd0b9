/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the JSON (see mpreduce(1)), for the files json*.c only. */
#ifndef MEMMON_JSON_PARTS_H
#define MEMMON_JSON_PARTS_H

#include "display/query/columns.h"
#include "display/text/sort.h"
#include "display/text/writer.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>

struct json {
	const struct profile *p;
	struct writer w;
	struct sort sort;
	size_t *place;	      /* of the node with that number, in its array */
	struct schema schema; /* for columns_write() */
};

/* An array of n objects, a line each, which one() fills. */
void json_array(struct json *j, const char *name, const void *v, size_t n,
		size_t size, void (*one)(struct json *j, const void *row));

/* Members by the name of what they are of; null when it isn't known. */
void json_counts(struct json *j, const char *name, const struct counts *c);
void json_life(struct json *j, const struct life *a); /* NULL: all 0 */
void json_use(struct json *j, const struct use *u, bool site); /* the same */
void json_errors(struct json *j, const double var[PROFILE_NERROR]);

/* Of struct amounts. */
enum { JSON_AMOUNTS = 4 };
extern const struct writer_member json_amounts[JSON_AMOUNTS];

/* "leaks" and "suppressed", of a site or of all; NULL: all 0. */
void json_leaks(struct json *j, const struct leak *a);

/* How the type of a site's blocks is known, as "type". */
void json_type(struct json *j, const struct site *s);

/* json_rows.c: what comes before the totals, and after the threads. */
void json_runs(struct json *j);
void json_rows(struct json *j);

#endif
