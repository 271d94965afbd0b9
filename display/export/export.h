/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The profile in the formats of other tools, for --export.  A format is a row
 * of the table in export.c and a file of its name.  Each function writes the
 * whole of x->p on x->out and returns 0, or -1: with *x->e set, or out of
 * memory.  Errors of writing are left to be seen in the stream.
 */
#ifndef MEMMON_EXPORT_H
#define MEMMON_EXPORT_H

#include "display/schema/columns.h"
#include "display/text/conditions.h"
#include "display/text/intern.h"
#include "display/text/settings.h"
#include "reduce/base/arena.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What a format is of: a figure of sites. */
struct export_metric {
	const char *name; /* "kept" */
	enum column column; /* COLUMN_ALL: of the table pins */
};

/* All of them, bytes first; the last one has no name. */
extern const struct export_metric export_metrics[];

/* The metric of that name, of n characters, or NULL. */
const struct export_metric *export_metric(const char *name, size_t n);

/* The metric of that name, which is known; bytes if it is NULL. */
const struct export_metric *export_chosen(const char *name);

/* Why it isn't known of any site; NULL: it is. */
const char *export_unknown(const struct profile *p,
			   const struct export_metric *m);

/* Set in o->read what --export wants, once all options are known. */
void export_tell_reader(struct options *o);

/* What has to be read for --export: bits of schema.h. */
unsigned export_needs(const struct options *o);

/* For --export=list: the formats, a line each. */
void export_list(FILE *out);

/* One export under way; its memory and its strings go when it is done. */
struct export
{
	const struct profile *p;
	FILE *out;
	const char *part; /* behind the format's name and a colon; or NULL */
	bool results;	  /* --module: of modules, and nothing else */
	const char *note; /* the run's conditions in one line; NULL: none */
	struct owned kept; /* what goes with it */
	struct intern strings; /* for formats that number them */
	struct schema schema;  /* for export_value() */
	struct conditions conditions; /* what note is made of */
	struct err *e;
};

/* The metric of a site; 0 if it isn't known. */
uint64_t export_value(struct export *x, const struct export_metric *m,
		      const struct site *s);

/* The formats. */
typedef int export_writer(struct export *x);
export_writer export_csv, export_json, export_pprof, export_otlp, export_dhat,
	export_massif, export_heaptrack, export_folded, export_sqlite;

/*
 * Memory that lives as long as *x: n zeroed items of that size; `what', which
 * is malloc'ed.  NULL: out of memory, or `what' is NULL.
 */
void *export_room(struct export *x, size_t n, size_t size);
void *export_keep(struct export *x, void *what);

/*
 * A name for each of p->funcs, in their order, which live as long as *x; NULL:
 * out of memory.
 */
char **export_names(struct export *x);

/* Text on a line of its own: with `?' for control characters. */
void export_clean(FILE *out, const char *text);

/* The file and the line of a call, or of its function if that isn't known. */
const char *export_file(const struct func *f);
unsigned export_line(const struct func *f);

/* The most frames of a chain, at least 1. */
size_t export_deepest(const struct profile *p);

/*
 * One more than the largest number of a whole function, at least 1.  With
 * --line each line of a function is a struct func; func.whole numbers the
 * functions that they are parts of.
 */
size_t export_wholes(const struct profile *p);

/*
 * The items of site s, and in *n how many.  For going through the sites in
 * order: *a is p->items at first, and is moved behind those of s.
 */
const struct item *export_items(const struct profile *p, const struct site *s,
				const struct item **a, size_t *n);

/* What --export asks for.  export_check(): before anything is read. */
int export_check(const char *format, struct err *e);
int export_write(const struct profile *p, const struct options *o, FILE *out,
		 struct err *e);

#endif
