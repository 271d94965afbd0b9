/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The data of the page of --html: one JSON object, tables by column, so that
 * it is small and quick to read.  A column that is all 0 is left out.  For the
 * files html*.c only; what reads it is in html/.
 */
#ifndef MEMMON_HTML_DATA_H
#define MEMMON_HTML_DATA_H

#include "display/diff/diff.h"
#include "display/text/intern.h"
#include "display/text/settings.h"
#include "display/text/sort.h"
#include "display/text/writer.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct html {
	const struct profile *p;
	const struct options *o;
	const struct diff *diff; /* with the run before; or NULL */
	const char *prolog;	 /* as its table is printed */
	struct sort sort;
	const struct node **funcs; /* nodes that are functions */
	size_t nfuncs;
	size_t *place; /* of a node of the graph, among them */
	struct intern strings;
	const struct frame **frames; /* that a chain of a site has */
	size_t nframes;
	uint32_t *frame; /* by place in p->tree plus one: number, from 1 */
	struct intern cycles; /* on paths, see element.h */
	struct writer w;
	bool failed; /* out of memory */
};

/* A column of a table: of row i. */
struct html_column {
	const char *name;
	uint64_t (*get)(struct html *h, size_t i);
};

/* Write n columns of so many rows. */
void html_columns(struct html *h, const struct html_column *c, size_t n,
		  size_t rows);

/*
 * The same of the fields from one to another of a table of the schema, whose
 * rows are `size' bytes each; what isn't known is 0.
 */
void html_fields(struct html *h, const char *table, const void *row,
		 size_t rows, const char *from, const char *to);

/* The number of a text among the strings, which the page has as "strings". */
uint64_t html_string(struct html *h, const char *text);

/* Parts of the object, each one a member or more. */
void html_functions(struct html *h);
void html_sites(struct html *h); /* frames, too */
void html_rows(struct html *h);	 /* types, bins, threads, the allocator */
void html_time(struct html *h);
void html_diff(struct html *h);

void html_log(struct html *h);

/* A score as number_score() has it, in hundredths; -1: "<.01". */
int html_hundredths(double score);

/* Write such a number. */
void html_signed(struct html *h, int n);

#endif
