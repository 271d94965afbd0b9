/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bins: allocations by size, with the types that have that size. */
#include "display/tables/errors.h"
#include "display/tables/grid.h"
#include "display/tables/notes.h"
#include "display/tables/view.h"
#include "display/text/amount.h"
#include "display/text/name.h"

#include <stdlib.h>
#include <string.h>

enum { BIN_MAX = 1024, TYPES_A_LINE = 3 };

/* A row, and the sum of several of them. */
struct row {
	const struct bin *bin; /* NULL: several */
	const char *label;     /* of several */
	uint64_t allocs, bytes, frees, kept;
	double var[PROFILE_NERROR];
};

static struct row
row_of(const struct bin *b)
{
	struct row r = { .bin = b,
			 .allocs = b->allocs,
			 .bytes = amount_mul(b->size, b->allocs),
			 .frees = b->frees,
			 .kept = amount_mul(b->size,
					    amount_sub(b->allocs, b->frees)) };

	memcpy(r.var, b->var, sizeof r.var);
	return r;
}

static void
sum(struct row *to, const struct row *r)
{
	to->allocs = amount_add(to->allocs, r->allocs);
	to->bytes = amount_add(to->bytes, r->bytes);
	to->frees = amount_add(to->frees, r->frees);
	to->kept = amount_add(to->kept, r->kept);
	for (int i = 0; i < PROFILE_NERROR; i++)
		to->var[i] += r->var[i];
}

static struct row
big_row(const struct profile *p)
{
	struct row r = { .allocs = p->big.allocs,
			 .bytes = p->big.bytes,
			 .frees = p->big.frees,
			 .kept = amount_sub(p->big.bytes, p->big.freed) };

	return r;
}

static bool
more_than(uint64_t n, uint64_t all, unsigned part)
{
	return (unsigned __int128)n * part > all;
}

/* The thresholds of mprof 3.0: is the bin worth a row? */
static bool
wanted(const struct tables *t, const struct bin *b, uint64_t all)
{
	bool typed = b->ntypes && more_than(b->allocs, all, 100);

	if (!b->allocs && !b->frees)
		return false;
	switch (t->o->verbosity) {
	case OPTIONS_VERBOSE:
		return true;
	case OPTIONS_TERSE:
		return typed || more_than(b->allocs, all, 50);
	case OPTIONS_NORMAL:
	default:
		return typed || (b->size > 100 && b->allocs) ||
		       more_than(b->allocs, all, 500);
	}
}

static void
type(struct tables *t, const struct bin_type *type)
{
	char *name = name_cut(type->name, t->o->name_width);
	size_t used;

	if (!name) {
		t->line.failed = true;
		return;
	}
	used = line_width(name) + 1;
	line_add(&t->line, "%c%s", type->mark, name);
	line_right(&t->line, used < 12 ? 12 - used + 1 : 1, "");
	free(name);
}

/* The types of a bin; below them are those that a line hasn't room for. */
static void
put_types(const struct grid *g, const void *row)
{
	const struct bin *b = ((const struct row *)row)->bin;
	struct tables *t = g->t;
	size_t indent = 3 + 2 * 5 + 3 * errors_width(t);

	for (size_t i = 0; i < g->n; i++)
		indent += g->width[i];
	for (size_t i = 0; b && i < b->ntypes; i++) {
		if (i && i % TYPES_A_LINE == 0) {
			line_end(&t->line);
			line_right(&t->line, indent, "");
		}
		type(t, &b->types[i]);
	}
}

enum { SIZE, ALLOCS, BYTES, FREES, KEPT };

static void
get(const struct grid *g, const void *row, unsigned at, struct grid_cell *c)
{
	static const unsigned char error[] = { [ALLOCS] = PROFILE_E_ALLOCS,
					       [BYTES] = PROFILE_E_BYTES,
					       [FREES] = 0,
					       [KEPT] = PROFILE_E_KEPT };
	const struct row *all = g->arg, *r = row;

	if (at == SIZE) {
		c->text = r->label;
		c->n = r->bin ? r->bin->size : 0;
		return;
	}
	c->n = at == ALLOCS  ? r->allocs
	       : at == BYTES ? r->bytes
	       : at == FREES ? r->frees
			     : r->kept;
	c->var = r->var[error[at]];
	if (r != all)
		c->of = at == BYTES ? all->bytes : all->kept;
}

static const struct grid_column columns[] = {
	{ "size:", GRID_COUNT, 11, .get = get, .at = SIZE, .term = "size",
	  .explain = "bytes asked for; sizes to 1024 have a row each, larger "
		     "ones are in the row `> 1024' (see --bins=all)" },
	{ "allocs", GRID_COUNT, 10, .get = get, .at = ALLOCS, .error = true,
	  .explain = "how many blocks of this size were allocated" },
	{ "bytes", GRID_BYTES, 10, 4, .get = get, .at = BYTES, .error = true,
	  .explain = "size times allocs, and the share of all bytes "
		     "allocated" },
	{ "frees", GRID_COUNT, 10, .get = get, .at = FREES,
	  .explain = "how many of the blocks were freed" },
	{ "kept", GRID_BYTES, 10, 4, .get = get, .at = KEPT, .error = true,
	  .explain = "bytes not freed, and the share of all bytes not freed" },
	{ " types", GRID_NAME, .put = put_types, .before = "   ",
	  .term = "types",
	  .explain = "data types of this size, the likeliest first; =T: "
		     "blocks are of it; ~T: as the code around the allocation "
		     "has it; ?T: the size is all that is known; T[3] is an "
		     "array" },
};

static const struct legend legend = {
	.about = "The program's allocations by the size that it asked for.",
	.indent = 12,
	.terms = { { "other bins", "sizes that are too rare for a row (see "
				   "--verbose)" } },
	.notes = { legend_percent },
};

/* All bins, and those of them that get no row of their own. */
static void
print_bins(const struct grid *g, struct row *large, struct row *other)
{
	const struct profile *p = g->t->p;
	const struct row *all = g->arg;

	for (size_t i = 0; i < p->nbins; i++) {
		struct row r = row_of(&p->bins[i]);

		if (r.bin->size > BIN_MAX && !g->t->o->bins_all)
			sum(large, &r);
		else if (!wanted(g->t, r.bin, all->allocs))
			sum(other, &r);
		else
			grid_row(g, &r, NULL);
	}
}

/* Of a class of which no more is known than that. */
static struct row
class_row(const struct profile *p, int c)
{
	static const char *const size[] = { "<= 32, any", "<= 256, any",
					    "<= 2048, any", "> 2048, any" };
	struct row r = { .label = size[c],
			 .allocs = p->unsized[c].allocs,
			 .bytes = p->unsized[c].bytes,
			 .frees = p->unsized[c].frees,
			 .kept = amount_sub(p->unsized[c].bytes,
					    p->unsized[c].freed) };

	return r;
}

/* Those rows, under a filter. */
static void
print_classes(const struct grid *g)
{
	for (int c = 0; c < PROFILE_NCLASS; c++) {
		struct row r = class_row(g->t->p, c);

		if (r.allocs)
			grid_row(g, &r, NULL);
	}
}

/* All blocks together; *classes: some have no bin, but for the large ones. */
static struct row
total(const struct profile *p, bool *classes)
{
	struct row all = big_row(p);

	all.label = "<TOTAL>";
	*classes = false;
	for (size_t i = 0; i < p->nbins; i++) {
		struct row r = row_of(&p->bins[i]);

		sum(&all, &r);
	}
	for (int c = 0; c < PROFILE_NCLASS; c++) {
		struct row r = class_row(p, c);

		sum(&all, &r);
		*classes |= r.allocs > 0;
	}
	return all;
}

/* Make the columns wide enough for all that they hold. */
static void
fit(struct grid *g, const struct row *all, bool classes)
{
	const struct profile *p = g->t->p;
	bool open = g->t->o->bins_all;

	grid_fit(g, all);
	for (size_t i = open && p->nbins ? p->nbins - 1 : p->nbins;
	     i < p->nbins; i++) {
		struct row r = row_of(&p->bins[i]);

		grid_fit(g, &r);
	}
	if (open && p->big.allocs)
		grid_fit(g, &(struct row){ .label = "> 1024, other" });
	if (classes)
		grid_fit(g, &(struct row){ .label = "<= 2048, any" });
}

int
bins_print(struct tables *t)
{
	const struct profile *p = t->p;
	struct row all, large = big_row(p), other = { .label = "other bins" };
	bool classes, open = t->o->bins_all;
	struct grid g;

	all = total(p, &classes);
	grid_init(&g, t, columns, sizeof columns / sizeof *columns);
	g.arg = &all;
	fit(&g, &all, classes);
	tables_title(t, "--------- Allocation Bins with possible Types "
			"------------");
	if (classes && !p->nbins) {
		tables_say(t, "Which sizes the filter leaves is not recorded, "
			      "but for their classes.");
		line_end(&t->line);
	}
	grid_head(&g);
	large.label = open ? "> 1024, other" : "> 1024";
	print_bins(&g, &large, &other);
	print_classes(&g);
	if (!open || large.allocs)
		grid_row(&g, &large, NULL);
	line_end(&t->line);
	if (other.allocs || other.frees)
		grid_row(&g, &other, NULL);
	grid_row(&g, &all, NULL);
	grid_legend(&g, &legend);
	return 0;
}
