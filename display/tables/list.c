/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line for each data file: see list.h. */
#include "display/tables/list.h"

#include "display/text/line.h"
#include "display/text/number.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The columns, set right but for those from END on. */
enum column {
	PID,
	START,
	SECONDS,
	ALLOCS,
	LIVE,
	PEAK,
	END,
	PROGRAM,
	FILE_NAME
};
enum { NCOLUMNS = FILE_NAME + 1, CELL = 128 };

struct list {
	const struct profile *p;
	const struct options *o;
	struct line line;
	size_t width[NCOLUMNS];
};

static const char *const heads[NCOLUMNS] = {
	"pid",	      "started (UTC)", "seconds", "allocs", "live bytes",
	"peak bytes", "ended",	       "program", "file"
};

static const char *
base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static void
date(char text[CELL], uint64_t ns)
{
	time_t seconds = (time_t)(ns / 1000000000u);
	struct tm tm;

	snprintf(text, CELL, "-");
	if (ns && gmtime_r(&seconds, &tm))
		strftime(text, CELL, "%Y-%m-%d %H:%M:%S", &tm);
}

/* The text of a cell: buf, or one of the run's. */
static const char *
cell(const struct list *l, const struct run *r, enum column c, char buf[CELL])
{
	bool human = l->o->human;

	snprintf(buf, CELL, "-");
	if (c == FILE_NAME)
		return r->path;
	if (r->problem)
		return buf;
	switch (c) {
	case PID:
		return r->pid && !r->sum ? number_count(buf, r->pid) : buf;
	case START:
		date(buf, r->start);
		return buf;
	case SECONDS:
		return r->length ? number_seconds(buf, r->length) : buf;
	case ALLOCS:
		return number_count(buf, r->allocs);
	case LIVE:
		return number_bytes(buf, r->live, human);
	case PEAK:
		return r->peak_known ? number_bytes(buf, r->peak, human) : buf;
	case END:
		return *r->end ? r->end : buf;
	default:
		return *r->program ? base(r->program) : buf;
	}
}

static void
measure(struct list *l)
{
	char buf[CELL];

	for (int c = 0; c < NCOLUMNS; c++) {
		l->width[c] = line_width(heads[c]);
		for (size_t i = 0; i < l->p->nruns; i++) {
			size_t n = line_width(
				cell(l, &l->p->runs[i], (enum column)c, buf));

			if (l->width[c] < n)
				l->width[c] = n;
		}
	}
}

static void
put(struct list *l, int c, const char *text)
{
	if (c)
		line_add(&l->line, "  ");
	if (c == FILE_NAME)
		line_add(&l->line, "%s", text);
	else if (c < END)
		line_right(&l->line, l->width[c], text);
	else
		line_left(&l->line, l->width[c], text);
}

static void
row(struct list *l, const struct run *r)
{
	char buf[CELL];

	for (int c = 0; c < NCOLUMNS; c++)
		put(l, c, cell(l, r, (enum column)c, buf));
	if (r->problem)
		/* What to do about it is on standard error. */
		line_add(&l->line, ": %.*s", (int)strcspn(r->problem, ";"),
			 r->problem);
	else if (r->cut)
		line_add(&l->line, ", cut short");
	line_end(&l->line);
}

static void
hint(struct list *l)
{
	line_end(&l->line);
	line_say(&l->line, "The files are of several programs.  mpreduce "
			   "PROGRAM DIRECTORY prints the tables");
	line_say(&l->line, "of one of them, mpreduce PROGRAM FILE... those of "
			   "some files; mpreduce -s adds");
	line_say(&l->line, "all of them up, to mon.sum.");
}

int
list_print(const struct profile *p, const struct options *o, FILE *out,
	   struct err *e)
{
	struct list l = { .p = p, .o = o };
	bool failed;

	line_init(&l.line, out);
	measure(&l);
	for (int c = 0; c < NCOLUMNS; c++)
		put(&l, c, heads[c]);
	line_end(&l.line);
	for (size_t i = 0; i < p->nruns; i++)
		row(&l, &p->runs[i]);
	if (!o->list)
		hint(&l);
	failed = l.line.failed;
	line_fini(&l.line);
	if (failed)
		snprintf(e->text, sizeof e->text, "out of memory");
	return failed ? -1 : 0;
}
