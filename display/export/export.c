/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --export: the table of formats, and what each needs. */
#include "display/export/export.h"

#include "display/grid/locations.h"
#include "display/schema/schema.h"
#include "reduce/base/arena.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Properties of a format, and data that it needs. */
enum {
	LINES = 1 << 0,	  /* source lines of calls, each call by itself */
	ITEMS = 1 << 1,	  /* counts by size and thread */
	TIMES = 1 << 2,	  /* the heap over time */
	SINGLE = 1 << 3,  /* only for the data of one run */
	BINARY = 1 << 4,  /* not text, so not for a terminal */
	METRIC = 1 << 5,  /* takes one metric: FORMAT:METRIC */
	OFFSETS = 1 << 6, /* keep call sites apart */
	TIMED = 1 << 7,	  /* not without the heap over time */
	TABLE = 1 << 8,	  /* takes one table: FORMAT:TABLE */
	SCHEMA = 1 << 9,  /* all data that queries need */
	CHAINS = 1 << 10, /* each call path with all frames */
	RESULTS = 1 << 11, /* can write results of modules */
};

struct format {
	const char *name;
	const char *what;
	export_writer *write;
	unsigned flags;
};

static const struct format formats[] = {
	{ "pprof", "profile.proto, gzipped, for go tool pprof", export_pprof,
	  BINARY | LINES | OFFSETS | ITEMS | CHAINS },
	{ "otlp", "OpenTelemetry's profiles, gzipped, for its collector",
	  export_otlp, BINARY | LINES | OFFSETS | ITEMS | CHAINS },
	{ "dhat", "DHAT's JSON, for valgrind's dh_view.html", export_dhat,
	  LINES | OFFSETS | TIMES | SINGLE | CHAINS },
	{ "massif", "massif.out, for ms_print", export_massif,
	  TIMES | TIMED | SINGLE | LINES },
	{ "heaptrack", "for heaptrack_print and heaptrack_gui",
	  export_heaptrack, LINES | OFFSETS | ITEMS | TIMES | SINGLE },
	{ "folded", "folded stacks, for flamegraph.pl", export_folded,
	  METRIC | CHAINS },
	{ "csv", "one table of --json as CSV, or all of them", export_csv,
	  TABLE | TIMES | RESULTS },
	{ "json", "the same as --json", export_json, TIMES | RESULTS },
	{ "sqlite", "a database, for sqlite3", export_sqlite,
	  BINARY | SCHEMA | RESULTS },
};

enum { NFORMATS = sizeof formats / sizeof *formats };

/* Formats that were removed, and what their viewers can read instead. */
static const struct {
	const char *name, *instead;
} gone[] = {
	{ "callgrind", "write pprof, and convert it by pprof -callgrind" },
	{ "speedscope", "www.speedscope.app reads pprof" },
	{ "firefox", "profiler.firefox.com reads dhat" },
};

/* The format that --export names; *metric gets the part after the colon. */
static const struct format *
export_find(const char *text, const char **metric)
{
	size_t n = strcspn(text, ":");

	*metric = text[n] ? text + n + 1 : NULL;
	for (size_t i = 0; i < NFORMATS; i++)
		if (strlen(formats[i].name) == n &&
		    !memcmp(formats[i].name, text, n))
			return &formats[i];
	return NULL;
}

/* The part that may follow the name, for --export=list. */
static const char *
export_more(const struct format *f)
{
	return f->flags & METRIC  ? "[:METRIC]"
	       : f->flags & TABLE ? "[:TABLE]"
				  : "";
}

void
export_list(FILE *out)
{
	for (size_t i = 0; i < NFORMATS; i++)
		fprintf(out, "%s%s%*s%s\n", formats[i].name,
			export_more(&formats[i]),
			(int)(18 - strlen(formats[i].name) -
			      strlen(export_more(&formats[i]))),
			"", formats[i].what);
	fprintf(out, "METRIC is one of:");
	for (const struct export_metric *m = export_metrics; m->name; m++)
		fprintf(out, " %s", m->name);
	putc('\n', out);
}

/* Append to a message, if there is room. */
static void
export_say(struct err *e, const char *a, const char *b)
{
	size_t n = strlen(e->text);

	snprintf(e->text + n, sizeof e->text - n, "%s%s", a, b);
}

int
export_check(const char *format, struct err *e)
{
	const char *metric;
	const struct format *f = export_find(format, &metric);

	if (!strcmp(format, "list"))
		return 0;
	if (f && (!metric || f->flags & TABLE ||
		  (f->flags & METRIC && export_metric(metric, strlen(metric)))))
		return 0;
	snprintf(e->text, sizeof e->text, "--export=%.200s: ", format);
	for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
		if (!strcmp(format, gone[i].name)) {
			export_say(e, "the format is gone; ", gone[i].instead);
			return -1;
		}
	if (f && !(f->flags & METRIC)) {
		export_say(e, f->name,
			   " has all figures; leave out the metric");
	} else if (f) {
		export_say(e, "the metrics are", "");
		for (const struct export_metric *m = export_metrics; m->name;
		     m++)
			export_say(e, " ", m->name);
	} else {
		export_say(e, "the formats are", "");
		for (size_t i = 0; i < NFORMATS; i++)
			export_say(e, " ", formats[i].name);
	}
	return -1;
}

unsigned
export_needs(const struct options *o)
{
	const char *metric;
	const struct format *f =
		o->format ? export_find(o->format, &metric) : NULL;

	return f && f->flags & SCHEMA ? SCHEMA_EVERYTHING : 0;
}

void
export_tell_reader(struct options *o)
{
	const char *metric;
	const struct format *f =
		o->format ? export_find(o->format, &metric) : NULL;

	if (!f)
		return;
	o->read.lines |= !!(f->flags & LINES);
	o->read.offsets |= !!(f->flags & OFFSETS);
	o->read.items |= !!(f->flags & ITEMS);
	o->read.times |= !!(f->flags & TIMES);
}

void *
export_keep(struct export *x, void *what)
{
	return owned_add(&x->kept, what);
}

void *
export_room(struct export *x, size_t n, size_t size)
{
	return export_keep(x, calloc(n, size));
}

static int
write_format(const struct format *f, struct export *x)
{
	const struct export_metric *m =
		f->flags & METRIC ? export_chosen(x->part) : NULL;
	int status;

	if (m && export_unknown(x->p, m))
		return err_set(x->e, "--export=%s:%s: %s", f->name, m->name,
			       export_unknown(x->p, m));
	if (f->flags & CHAINS && locations_bounded(x->p, x->e))
		return -1;
	schema_start(&x->schema, x->p);
	status = conditions_init(&x->conditions, x->p, false);
	if (!status && x->conditions.n) {
		x->note = conditions_line(&x->conditions);
		status = x->note ? 0 : -1;
	}
	if (!status)
		status = f->write(x);
	if (status && !*x->e->text)
		snprintf(x->e->text, sizeof x->e->text, "out of memory");
	owned_free(&x->kept);
	intern_fini(&x->strings);
	conditions_fini(&x->conditions);
	return status;
}

int
export_write(const struct profile *p, const struct options *o, FILE *out,
	     struct err *e)
{
	const char *part;
	const struct format *f = export_find(o->format, &part);
	bool results = o->read.findings.n != 0;

	snprintf(e->text, sizeof e->text, "--export=%.40s: ", o->format);
	if (!f) {
		export_say(e, "no such format", "");
	} else if (p->listed) {
		export_say(e, "the data files are of several programs; ",
			   "give those of one");
	} else if (f->flags & SINGLE && (p->nruns != 1 || p->runs[0].sum)) {
		export_say(e, "this format has one run; ",
			   "give one data file");
	} else if (f->flags & TIMED && !p->time.known) {
		export_say(e,
			   p->time.why ? p->time.why
				       : "the data file has no timeline",
			   "");
	} else if (results && !(f->flags & RESULTS)) {
		export_say(e,
			   "this format can't hold results of modules "
			   "(--module); ",
			   "use csv, json or sqlite");
	} else if (f->flags & BINARY && isatty(fileno(out))) {
		export_say(e, "this format is binary; ",
			   "write it to a file with -o FILE");
	} else {
		*e->text = '\0';
		return write_format(f, &(struct export){ .p = p,
							 .out = out,
							 .part = part,
							 .results = results,
							 .e = e });
	}
	return -1;
}
