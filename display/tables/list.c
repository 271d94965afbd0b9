/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line for each data file: see tables.h. */
#include "display/tables/tables.h"

#include "display/grid/grid.h"
#include "reduce/base/str.h"

#include <string.h>
#include <time.h>

enum { PID, START, SECONDS, ALLOCS, LIVE, PEAK, END, PROGRAM };

static void
date(char text[NUMBER_SIZE], uint64_t ns)
{
	time_t seconds = (time_t)(ns / 1000000000u);
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		strftime(text, NUMBER_SIZE, "%Y-%m-%d %H:%M:%S", &tm);
}

static void
list_get(const struct grid *g, const void *row, unsigned at,
	 struct grid_cell *c)
{
	const struct run *r = row;
	const char *program = r->problem ? "" : r->program;
	uint64_t figure[] = { [PID] = r->sum ? 0 : r->pid,
			      [START] = r->start,
			      [SECONDS] = r->length,
			      [ALLOCS] = r->allocs,
			      [LIVE] = r->live,
			      [PEAK] = r->peak,
			      [END] = *r->end != '\0',
			      [PROGRAM] = *program != '\0' };

	(void)g;
	c->n = figure[at];
	c->unknown = r->problem ||
		     (at == PEAK ? !r->peak_known
				 : !c->n && at != ALLOCS && at != LIVE);
	c->text = at == START	  ? c->buf
		  : at == END	  ? r->end
		  : at == PROGRAM ? str_basename(program)
				  : NULL;
	if (at == START)
		date(c->buf, r->start);
}

static void
list_put(const struct grid *g, const void *row)
{
	const struct run *r = row;
	struct line *l = &g->t->line;

	line_add(l, "%s", r->path);
	if (r->problem)
		/* The message on standard error says what to do. */
		line_add(l, ": %.*s", (int)strcspn(r->problem, ";"),
			 r->problem);
	else if (r->cut)
		line_add(l, ", truncated");
}

static const struct grid_column columns[] = {
	COLUMN("pid", COUNT, 0, list_get, PID, NULL),
	COLUMN("started (UTC)", TEXT, 0, list_get, START, NULL, .before = "  "),
	COLUMN("seconds", SECONDS, 0, list_get, SECONDS, NULL, .before = "  "),
	COLUMN("allocs", COUNT, 0, list_get, ALLOCS, NULL, .before = "  "),
	COLUMN("live bytes", BYTES, 0, list_get, LIVE, NULL, .before = "  "),
	COLUMN("peak bytes", BYTES, 0, list_get, PEAK, NULL, .before = "  "),
	COLUMN("ended", LEFT, 0, list_get, END, NULL, .before = "  "),
	COLUMN("program", LEFT, 0, list_get, PROGRAM, NULL, .before = "  "),
	NAME("file", "  ", list_put, NULL),
};

static void
hint(struct line *l)
{
	line_end(l);
	line_say(l, "The files are of several programs.  mpreduce "
		    "PROGRAM DIRECTORY prints the tables");
	line_say(l, "of one of them, mpreduce PROGRAM FILE... those of "
		    "some files; mpreduce -s adds");
	line_say(l, "all of them up, to mon.sum.");
}

int
list_print(const struct profile *p, const struct options *o, FILE *out,
	   struct err *e)
{
	struct tables t = { .p = p, .o = o };
	struct grid g;
	bool failed;

	line_init(&t.line, out);
	GRID_INIT(&g, &t, columns);
	g.dense = true;
	grid_print(&g, &(struct grid_rows){ GRID_ROWS(p->runs, p->nruns) });
	if (!o->list)
		hint(&t.line);
	failed = t.line.failed;
	line_fini(&t.line);
	if (failed)
		snprintf(e->text, sizeof e->text, "out of memory");
	return failed ? -1 : 0;
}
