/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The profile in the formats of other tools, for --export.  A format is a row
 * of the table in export.c and a file of its name.  Each function writes the
 * whole of *p on out and returns 0, or -1 with *e set; errors of writing are
 * left to be seen in the stream.
 */
#ifndef MEMMON_EXPORT_H
#define MEMMON_EXPORT_H

#include "display/text/settings.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What a format is of: a figure of sites. */
struct export_metric {
	const char *name; /* "kept" */
	const char *unit; /* "bytes", "count" */
	const char *what; /* in words */
	uint64_t (*of)(const struct site *s);
	/* Why it isn't known of any site; NULL: it is. */
	const char *(*why)(const struct profile *p);
};

/* All of them, bytes first; the last one has no name. */
extern const struct export_metric export_metrics[];

/* The metric of that name, of n characters, or NULL. */
const struct export_metric *export_metric(const char *name, size_t n);

/* What stands behind the format's name and a colon, or NULL. */
const char *export_part(const struct options *o);

/* The metric that --export=FORMAT:METRIC asks for; bytes if none is named. */
const struct export_metric *export_chosen(const struct options *o);

/* Is it known of all sites? */
bool export_known(const struct profile *p, const struct export_metric *m);

/*
 * What the reader has to be told for --export, once all options are known.
 */
void export_settle(struct options *o);

/* What else it needs to be read, as of queries: see schema.h. */
unsigned export_needs(const struct options *o);

/* For --export=list: the formats, a line each. */
void export_list(FILE *out);

/* What is said of figures of a sampled run; the buffer is the caller's. */
enum { EXPORT_NOTE = 160 };
const char *export_note(const struct profile *p, char note[EXPORT_NOTE]);

/*
 * A name for each of p->funcs, in their order, to be freed by the other; NULL:
 * out of memory.
 */
char **export_names(const struct profile *p);
void export_names_free(const struct profile *p, char **names);

int export_pprof(const struct profile *p, const struct options *o, FILE *out,
		 struct err *e);
int export_dhat(const struct profile *p, const struct options *o, FILE *out,
		struct err *e);
int export_massif(const struct profile *p, const struct options *o, FILE *out,
		  struct err *e);
int export_callgrind(const struct profile *p, const struct options *o,
		     FILE *out, struct err *e);
int export_heaptrack(const struct profile *p, const struct options *o,
		     FILE *out, struct err *e);
int export_folded(const struct profile *p, const struct options *o, FILE *out,
		  struct err *e);
int export_speedscope(const struct profile *p, const struct options *o,
		      FILE *out, struct err *e);
int export_firefox(const struct profile *p, const struct options *o, FILE *out,
		   struct err *e);
int export_csv(const struct profile *p, const struct options *o, FILE *out,
	       struct err *e);
int export_sqlite(const struct profile *p, const struct options *o, FILE *out,
		  struct err *e);
int export_json(const struct profile *p, const struct options *o, FILE *out,
		struct err *e);

/* What --export asks for.  export_check(): before anything is read. */
int export_check(const char *format, struct err *e);
int export_write(const struct profile *p, const struct options *o, FILE *out,
		 struct err *e);

#endif
