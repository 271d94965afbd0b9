/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The data of the page of --html: a JSON object with tables by column, which is
 * small and quick to read.  Columns that are all 0 are left out.  For html*.c
 * only; the scripts in page/ read it.
 */
#ifndef MEMMON_HTML_DATA_H
#define MEMMON_HTML_DATA_H

#include "display/diff/diff.h"
#include "display/schema/schema.h"
#include "display/settings/settings.h"
#include "display/text/intern.h"
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
	const struct diff *diff; /* comparison with the old run; or NULL */
	const char *prolog;	 /* the table of the prolog as a text */
	struct schema schema;
	struct nodes nodes;
	const struct node **funcs; /* nodes that are functions */
	size_t nfuncs;
	struct intern strings;
	struct arena texts;	     /* memory of texts that nothing else
				      * keeps */
	const struct frame **frames; /* frames on the call paths of sites */
	size_t nframes;
	uint32_t *frame;      /* number, from 1, by index in p->tree plus one */
	struct intern cycles; /* on paths, see element.h */
	struct writer w;
	bool failed; /* out of memory */
};

/* A table that is being written, with room for a column. */
struct html_table {
	struct html *h;
	size_t n; /* rows */
	uint64_t *v;
};
struct html_table html_room(struct html *h, size_t n);

/* Begin a table of n rows as a member of the object, and write n; end it. */
struct html_table html_table(struct html *h, const char *name, size_t n);
void html_table_end(struct html_table *t);

/*
 * Write a column: `value' for each row i, an expression that may use the
 * variables of the file's ROW.  The macro calls html_column(), which writes
 * t->v.
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
 * Write columns of a schema table, from one field to another.  An unknown value
 * is written as 0.
 */
void html_fields(struct html_table *t, const char *table, const void *row,
		 const char *from, const char *to);

/*
 * Write the standard errors of allocs, bytes, kept and peak, or of the first
 * `most' of these.  Rows have `size' bytes and their variances at offset `at'.
 */
void html_errors(struct html_table *t, const void *row, size_t size, size_t at,
		 size_t most);

/* The number of a text among the page's "strings". */
uint64_t html_string(struct html *h, const char *text);

/* The same for a text, such as a value's, that doesn't live as long as h. */
uint64_t html_copied(struct html *h, const char *text);

/* Write parts of the object, each of them one or more members. */
void html_functions(struct html *h);
void html_sites(struct html *h); /* also frames */
void html_scores(struct html *h);
void html_rows(struct html *h); /* types, bins, threads, the allocator */
void html_ranks(struct html *h);
void html_time(struct html *h);
void html_diff(struct html *h);

void html_log(struct html *h);

/*
 * Write a score like number_score(), but in hundredths: -1 for "<.01", null if
 * it is unknown.
 */
void html_score(struct html *h, double score, bool known);

#endif
