/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison of allocators: some were tried, others are predicted. */
#include "display/grid/grid.h"
#include "display/schema/schema_rows.h"
#include "display/tables/allocator.h"
#include "display/text/amount.h"

#include <string.h>

/* Set the cell to the change from `of' to n, signed tenths of a percent. */
static void
allocator_compare_change(struct grid_cell *c, uint64_t n, uint64_t of)
{
	c->unknown = n == UINT64_MAX || of == UINT64_MAX || !of;
	c->n = n > of ? n - of : of - n;
	c->of = c->unknown ? 0 : of;
	c->plus = n > of;
	c->negative = n < of;
}

/* ---------------------------------------------------------- predictions -- */

enum { P_CHANGE, P_KNOWN };

static void
get_prediction(const struct grid *g, const void *row, unsigned at,
	       struct grid_cell *c)
{
	const struct allocator *a = g->t->p->allocator;
	const struct schema_prediction *r = row;

	if (at == P_CHANGE) {
		allocator_compare_change(c, r->would.cpu, a->cpu);
		return;
	}
	c->n = r->would.known;
	c->of = a->all.calls.n;
}

static const struct grid_column predictions[] = {
	MEMBER_MAX("in it", TIME, 9, schema_prediction, would.in,
		   "time of all operations together"),
	MEMBER_MAX("CPU", TIME, 9, schema_prediction, would.cpu,
		   "CPU time of the process"),
	COLUMN("change", TENTHS, 8, get_prediction, P_CHANGE,
	       "its change, percent"),
	COLUMN("% known", TENTHS, 8, get_prediction, P_KNOWN,
	       "operations that were measured with both allocators"),
	NAME_OF("allocator", "   ", schema_prediction, allocator, NULL),
};

static const struct legend predictions_legend = {
	.about = "The time of the run with other allocators, predicted from "
		 "times that memmon --calibrate-allocators measured on this "
		 "machine for each class of operation, in a mix of sizes and "
		 "threads.  Effects on caches are not included.",
};

int
allocator_predictions(struct tables *t)
{
	const struct profile *p = t->p;
	const struct allocator *a = p->allocator;
	const char *name = allocator_object(a);
	uint64_t by = allocator_by_reference(a, p->references, p->nreferences);
	const struct schema_prediction *row;
	char was[NUMBER_SIZE], is[NUMBER_SIZE];
	const void *rows;
	struct grid g;
	size_t n;

	if (!p->nreferences || !a->all.time.n)
		return 0;
	line_end(&t->line);
	if (by == UINT64_MAX) {
		line_say(&t->line,
			 "%s wasn't measured on this machine: run memmon "
			 "--calibrate-allocators.",
			 name ? name : "This allocator");
		return 0;
	}
	if (schema_rows(t->schema, schema_table("allocator_predictions"), &rows,
			&n))
		return -1;
	GRID_INIT(&g, t, predictions);
	row = rows;
	for (size_t i = 0; i < n; i++)
		grid_fit(&g, &row[i]);
	grid_head(&g);
	for (size_t i = 0; i < n; i++)
		if (strcmp(row[i].allocator, name) != 0)
			grid_row(&g, &row[i], NULL);
	grid_legend(&g, &predictions_legend);
	line_say(&t->line,
		 "For comparison: %s itself takes %s by the measurements, "
		 "and took %s here.",
		 name, number_time(was, by), number_time(is, a->all.ns.all));
	return 0;
}

/* -------------------------------------------------------------- compare -- */

enum { WASTE, OFF };

static void
get_tried(const struct grid *g, const void *row, unsigned at,
	  struct grid_cell *c)
{
	const struct schema_tried *r = row;

	(void)g;
	if (at == OFF) {
		allocator_compare_change(c, r->predicted, r->cpu);
		return;
	}
	/* Memory that was never touched isn't resident. */
	c->unknown = r->resident == UINT64_MAX || r->requested == UINT64_MAX ||
		     r->resident < r->requested;
	c->of = c->unknown ? 0 : r->resident;
	c->n = amount_sub(r->resident, r->requested);
}

static void
put_tried(const struct grid *g, const void *row)
{
	const struct schema_tried *r = row;

	line_left(&g->t->line, 0, r->allocator ? r->allocator : "(unknown)");
	line_left(&g->t->line, 0, "  ");
	tables_name(g->t, r->path);
}

#define TRIED(title, how, columns, member, text) \
	MEMBER_MAX(title, how, columns, schema_tried, member, text)
static const struct grid_column columns[] = {
	TRIED("CPU", TIME, 8, cpu, "CPU time of the process, memmon included"),
	TRIED("run", TIME, 8, length, "time from start to end"),
	TRIED("in it", TIME, 8, in, "time in the allocator"),
	TRIED("peak", BYTES, 11, requested, "most bytes of live blocks"),
	TRIED("held", BYTES, 11, held,
	      "most bytes not given back to the kernel"),
	TRIED("in memory", BYTES, 11, resident,
	      "most resident bytes of the allocator's mappings"),
	COLUMN("% waste", TENTHS, 8, get_tried, WASTE,
	       "the share of these that was not asked for"),
	TRIED("predicted", TIME, 10, predicted,
	      "CPU time predicted from the first run and the measurements"),
	COLUMN("off", TENTHS, 7, get_tried, OFF,
	       "error of the prediction, percent"),
	NAME("allocator", "   ", put_tried,
	     "the allocator's file, and the "
	     "data file"),
};

static const struct legend legend = {
	.about = "Runs with different allocators (memmon --with).",
};

int
allocator_compare(struct tables *t)
{
	const struct schema_tried *row;
	const void *rows;
	size_t n, known = 0;

	if (schema_rows(t->schema, schema_table("allocator_runs"), &rows, &n))
		return -1;
	row = rows;
	for (size_t i = 1; i < n; i++)
		known += row[i].predicted != UINT64_MAX;
	GRID_TABLE(t, columns, row, n, NULL);
	if (n < 2)
		tables_say(t, "This is one run; memmon --with=LIST makes "
			      "several.");
	else if (known < n - 1)
		tables_say(t, "A prediction needs measurements of both "
			      "allocators: memmon --calibrate-allocators makes "
			      "them.");
	GRID_LEGEND(t, columns, &legend);
	return 0;
}
