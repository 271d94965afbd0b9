/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The profile in the formats of other tools, for --export.  A format is a row
 * of the table in export.c and a file of its name.  Each function writes all of
 * x->p to x->out.  0, or -1: *x->e is set, or out of memory.  Write errors stay
 * in the stream's error flag.
 */
#ifndef MEMMON_EXPORT_H
#define MEMMON_EXPORT_H

#include "display/schema/columns.h"
#include "display/settings/settings.h"
#include "display/text/conditions.h"
#include "display/text/intern.h"
#include "display/text/writer.h"
#include "reduce/base/arena.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A metric that can be exported: a figure of sites. */
struct export_metric {
	const char *name; /* "kept" */
	enum column column; /* COLUMN_ALL: figure of the table pins */
};

/* All metrics, bytes first; the last entry has no name. */
extern const struct export_metric export_metrics[];

/* The metric whose name is these n characters, or NULL. */
const struct export_metric *export_metric(const char *name, size_t n);

/* The metric of that name, which must exist; NULL: bytes. */
const struct export_metric *export_chosen(const char *name);

/* Why the metric is unknown for all sites; NULL: it is known. */
const char *export_unknown(const struct profile *p,
			   const struct export_metric *m);

/* Set in o->read what --export needs.  All options must be known. */
void export_tell_reader(struct options *o);

/* The data that --export needs: bits of schema.h. */
unsigned export_needs(const struct options *o);

/* --export=list: print the formats, a line each. */
void export_list(FILE *out);

/* One export.  Its memory and strings are freed at its end. */
struct export
{
	const struct profile *p;
	FILE *out;
	const char *part; /* what follows the format's name and a colon; or
			   * NULL */
	bool results;	  /* --module: only results of profiling modules */
	const char *note; /* the run's conditions in one line; NULL: none */
	struct owned kept; /* memory freed at the end */
	struct intern strings; /* for formats that number them */
	struct schema schema;  /* for export_value() */
	struct conditions conditions; /* the source of note */
	struct err *e;
};

/* The metric of a site; 0 if it is unknown. */
uint64_t export_value(struct export *x, const struct export_metric *m,
		      const struct site *s);

/* The formats. */
typedef int export_writer(struct export *x);
export_writer export_csv, export_json, export_pprof, export_otlp, export_dhat,
	export_massif, export_heaptrack, export_folded, export_sqlite;

/*
 * Memory that is freed with *x: n zeroed items of that size; or `what', from
 * malloc().  NULL: out of memory, or `what' is NULL.
 */
void *export_room(struct export *x, size_t n, size_t size);
void *export_keep(struct export *x, void *what);

/* A name for each of p->funcs, in order, freed with *x; NULL: out of memory. */
char **export_names(struct export *x);

/* Print a line of text, with `?' in place of control characters. */
void export_clean(FILE *out, const char *text);

/* The file and line of a call; if unknown, those of its function. */
const char *export_file(const struct func *f);
unsigned export_line(const struct func *f);

/* The number of frames on the longest call path, at least 1. */
size_t export_deepest(const struct profile *p);

/*
 * One more than the largest func.whole, at least 1.  With --line each line of a
 * function is a struct func, and func.whole is the number of the function.
 */
size_t export_wholes(const struct profile *p);

/*
 * The items of site s; *n gets their number.  Call this for all sites in order:
 * *a starts as p->items and moves past the items of each s.
 */
const struct item *export_items(const struct profile *p, const struct site *s,
				const struct item **a, size_t *n);

/* Check the value of --export before reading; write the export.  0 or -1. */
int export_check(const char *format, struct err *e);
int export_write(const struct profile *p, const struct options *o, FILE *out,
		 struct err *e);

/* The profile as JSON; mpreduce(1) describes the schema. */

/*
 * Print *p on out as one JSON object, with the counts at each snapshot if
 * `timeline' is set.  0, or -1 when out of memory.  Write errors stay in the
 * stream's error flag.
 */
int json_print(const struct profile *p, bool timeline, FILE *out);

/* Pass the same values to a sink, for CSV.  0, or -1 when out of memory. */
int json_to_sink(const struct profile *p, const struct writer_sink *sink,
		 void *arg);

/*
 * Blocks of a site by when they are live: at the peak, at the end, at both, at
 * neither.  A log of events would have that for each block.  Here only sums are
 * known; the four parts add up to these sums.
 */

enum live_when { LIVE_NEITHER, LIVE_PEAK, LIVE_END, LIVE_BOTH };

/* A number of blocks, and their bytes. */
struct live_sum {
	uint64_t blocks, bytes;
};

/* Sums over some blocks: all, those live at the peak, those live at the end. */
struct live_known {
	struct live_sum all, peak, end;
};

/* The sums of a site, and of an item, whose peak must be known. */
struct live_known live_of_site(const struct site *s);
struct live_known live_of_item(const struct item *a);

/* Do the n items add up to site s, so that they can replace it? */
bool live_is_site(const struct site *s, const struct item *a, size_t n);

/*
 * Divide the blocks into part[], by enum live_when.  false: the figures
 * contradict each other.  Then no block is live at the peak, and the parts
 * still add up to .all and .end.
 */
bool live_divide(const struct live_known *known, struct live_sum part[4]);

#endif
