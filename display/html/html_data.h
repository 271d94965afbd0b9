/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The data of the page of --html: one JSON object, tables by column, so that
 * it is small and quick to read.  A column that is all 0 is left out.  For the
 * files html*.c only; what reads it is in html/.
 */
#ifndef MEMMON_HTML_DATA_H
#define MEMMON_HTML_DATA_H

#include "display/diff/diff.h"
#include "display/schema/schema.h"
#include "display/text/intern.h"
#include "display/text/settings.h"
#include "display/text/nodes.h"
#include "display/text/writer.h"
#include "reduce/base/arena.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct html {
	const struct profile *p;
	const struct options *o;
	const struct diff *diff; /* with the run before; or NULL */
	const char *prolog;	 /* as its table is printed */
	struct schema schema;
	struct nodes nodes;
	const struct node **funcs; /* nodes that are functions */
	size_t nfuncs;
	struct intern strings;
	struct arena texts;	     /* of those that live nowhere else */
	const struct frame **frames; /* that a chain of a site has */
	size_t nframes;
	uint32_t *frame;      /* by place in p->tree plus one: number, from 1 */
	struct intern cycles; /* on paths, see element.h */
	struct writer w;
	bool failed; /* out of memory */
};

/* A table while its columns are written: room for one of them, to be freed. */
struct html_table {
	struct html *h;
	size_t n; /* rows */
	uint64_t *v;
};
struct html_table html_room(struct html *h, size_t n);

/* Begin a table of n rows as a member of its own, with their number; end it. */
struct html_table html_table(struct html *h, const char *name, size_t n);
void html_table_end(struct html_table *t);

/*
 * Write a column: a number for each row i, made from what the file's ROW
 * declares.  html_column() is for the macro: it writes t->v.
 */
#define HTML_COLUMN(t, name, value) \
	do { \
		for (size_t i = 0; (t)->v && i < (t)->n; i++) { \
			ROW; \
			(t)->v[i] = value; \
		} \
		html_column(t, #name); \
	} while (0)
void html_column(struct html_table *t, const char *name);

/*
 * The same of the fields from one to another of a table of the schema, of its
 * rows; what isn't known is 0.
 */
void html_fields(struct html_table *t, const char *table, const void *row,
		 const char *from, const char *to);

/*
 * The errors of allocs, bytes, what is kept and the peak, or the first `most'
 * of these, of rows of that size, which have their variances at that offset.
 */
void html_errors(struct html_table *t, const void *row, size_t size, size_t at,
		 size_t most);

/* The number of a text among the strings, which the page has as "strings". */
uint64_t html_string(struct html *h, const char *text);

/* The same of one that doesn't live as long as h, as those of values. */
uint64_t html_copied(struct html *h, const char *text);

/* Parts of the object, each one a member or more. */
void html_functions(struct html *h);
void html_sites(struct html *h); /* frames, too */
void html_scores(struct html *h);
void html_rows(struct html *h); /* types, bins, threads, the allocator */
void html_ranks(struct html *h);
void html_time(struct html *h);
void html_diff(struct html *h);

void html_log(struct html *h);

/*
 * Write a score as number_score() has it: in hundredths, -1 for "<.01", null if
 * it isn't known.
 */
void html_score(struct html *h, double score, bool known);

#endif
