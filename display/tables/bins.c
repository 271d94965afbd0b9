/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bins: allocations by size, with the types of that size. */
#include "display/grid/entries.h"
#include "display/grid/view.h"
#include "display/text/amount.h"

#include <stdlib.h>

enum { BIN_MAX = 1024, TYPES_A_LINE = 3 };

static struct entry
bins_row_of(const struct bin *b)
{
	struct entry r = { .bin = b };

	entry_set(&r, &(struct figures){ .account = b->account }, b->var);
	return r;
}

/* A row for several sizes. */
static struct entry
row_of_several(const char *name, const struct account *a)
{
	static const double exact[PROFILE_NERROR];
	struct entry r = { .name = name };

	entry_set(&r, &(struct figures){ .account = *a }, exact);
	return r;
}

static struct entry
big_row(const struct profile *p, const char *name)
{
	return row_of_several(name, &p->big);
}

static bool
more_than(uint64_t n, uint64_t all, unsigned part)
{
	return (unsigned __int128)n * part > all;
}

/* Is the bin worth a row?  The thresholds are those of mprof 3.0. */
static bool
bins_wanted(const struct tables *t, const struct bin *b, uint64_t all)
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

/* Add a type, on a new line if this one is full; n types are on it already. */
static size_t
type(struct tables *t, const struct bin_type *type, size_t indent, size_t n)
{
	char *name = line_shorten(type->name, t->o->name_width);
	size_t used, room;

	if (!name) {
		t->line.failed = true;
		return n;
	}
	used = line_width(name) + 1;
	room = line_left_over(&t->line, 0);
	if (n == TYPES_A_LINE || (n && room && room < used)) {
		line_end(&t->line);
		line_right(&t->line, indent, "");
		n = 0;
	}
	line_name(&t->line);
	line_add(&t->line, "%c%s", type->mark, name);
	line_right(&t->line, used < 12 ? 12 - used + 1 : 1, "");
	free(name);
	return n + 1;
}

/* Print the types of a bin, on several lines if needed. */
static void
put_types(const struct grid *g, const void *row)
{
	const struct bin *b = ((const struct entry *)row)->bin;
	struct tables *t = g->t;
	size_t indent = 3 + 2 * 5 + 3 * errors_width(t), n = 0;

	for (size_t i = 0; i < g->n; i++)
		indent += g->width[i];
	for (size_t i = 0; b && i < b->ntypes; i++)
		n = type(t, &b->types[i], indent, n);
}

static void
bins_get_size(const struct grid *g, const void *row, unsigned at,
	      struct grid_cell *c)
{
	const struct entry *r = row;

	(void)g, (void)at;
	c->text = r->name;
	c->n = r->bin ? r->bin->size : 0;
}

static const struct grid_column columns[] = {
	COLUMN("size:", COUNT, 11, bins_get_size, 0,
	       "bytes asked for; sizes above 1024 share the row `> 1024' "
	       "(see --bins=all)",
	       .term = "size"),
	FIGURE("allocs", COUNT, 10, ALLOCS, "blocks of this size",
	       .error = true),
	FIGURE("bytes", BYTES, 10, BYTES,
	       "size times allocs, and the share of all bytes allocated",
	       .share = 4, .error = true),
	FIGURE("frees", COUNT, 10, FREES, "how many of the blocks were freed"),
	FIGURE("kept", BYTES, 10, KEPT,
	       "bytes not freed, and their share of all bytes not freed",
	       .share = 4, .error = true),
	NAME(" types", "   ", put_types,
	     "types with this size, the most probable first; =T: blocks have "
	     "this type; ~T: derived from the code around the allocation; "
	     "?T: only the size is the same; T[3]: an array",
	     .term = "types"),
};

static const struct legend legend = {
	.about = "Allocations by the size that the program asked for.",
	.indent = 12,
	.terms = { { "other bins",
		     "sizes too rare for a row (see --verbose)" } },
	.notes = { legend_percent },
};

/* Print the bins that get a row, and add up all others. */
static void
print_bins(const struct grid *g, struct entry *large, struct entry *other)
{
	const struct entries *e = g->arg;
	const struct profile *p = g->t->p;

	for (size_t i = 0; i < p->nbins; i++) {
		struct entry r = bins_row_of(&p->bins[i]);

		if (r.bin->size > BIN_MAX && !g->t->o->bins_all)
			entries_sum(large, &r);
		else if (!bins_wanted(g->t, r.bin, e->all.allocs))
			entries_sum(other, &r);
		else
			grid_row(g, &r, NULL);
	}
}

/* The row of a size class, for blocks of unknown size. */
static struct entry
class_row(const struct profile *p, int c)
{
	static const char *const size[] = { "<= 32, any", "<= 256, any",
					    "<= 2048, any", "> 2048, any" };
	return row_of_several(size[c], &p->unsized[c]);
}

/* Print these rows, which occur with filters. */
static void
print_classes(const struct grid *g)
{
	for (int c = 0; c < PROFILE_NCLASS; c++) {
		struct entry r = class_row(g->t->p, c);

		if (r.allocs)
			grid_row(g, &r, NULL);
	}
}

/*
 * The sum of all blocks.  *classes: some of them, not counting large ones, have
 * no bin.
 */
static struct entry
bins_total(const struct profile *p, bool *classes)
{
	struct entry all = big_row(p, "<TOTAL>"), r;

	*classes = false;
	for (size_t i = 0; i < p->nbins; i++) {
		r = bins_row_of(&p->bins[i]);
		entries_sum(&all, &r);
	}
	for (int c = 0; c < PROFILE_NCLASS; c++) {
		r = class_row(p, c);
		entries_sum(&all, &r);
		*classes |= r.allocs > 0;
	}
	MEASURES_PAIR(all.hidden, p->hidden_unsized);
	all.kept = account_kept(&all.account);
	return all;
}

/* Make the columns wide enough for every row. */
static void
bins_fit(struct grid *g, const struct entries *e, bool classes)
{
	const struct profile *p = g->t->p;
	struct entry last;

	grid_fit(g, &e->all);
	if (classes)
		grid_fit(g, &(struct entry){ .name = "<= 2048, any" });
	if (!g->t->o->bins_all)
		return;
	if (p->big.allocs)
		grid_fit(g, &(struct entry){ .name = "> 1024, other" });
	if (p->nbins) {
		last = bins_row_of(&p->bins[p->nbins - 1]);
		grid_fit(g, &last);
	}
}

/* Print that only the total leaves out suppressed blocks of unknown size. */
static void
suppressed(struct tables *t)
{
	const struct suppressed *n = &t->p->hidden_unsized;
	char buf[NUMBER_SIZE];

	if (!n->bytes)
		return;
	line_end(&t->line);
	line_add(&t->line,
		 "The rows have %s more bytes not freed than "
		 "<TOTAL>: ",
		 tables_bytes(t, buf, n->bytes));
	line_several(&t->line, n->blocks, "suppressed block");
	line_say(&t->line, " of unknown size");
}

int
bins_print(struct tables *t)
{
	const struct profile *p = t->p;
	bool classes, open = t->o->bins_all;
	struct entries e = { .t = t, .all = bins_total(p, &classes) };
	struct entry large = big_row(p, open ? "> 1024, other" : "> 1024");
	struct entry other = { .name = "other bins" };
	struct grid g;

	e.of_bytes = e.all.bytes;
	e.of_kept = e.all.kept;
	GRID_INIT(&g, t, columns);
	g.arg = &e;
	bins_fit(&g, &e, classes);
	tables_title(t, "Allocation Bins with possible Types");
	if (classes && !p->nbins) {
		tables_say(t, "For these filters, the data only have size "
			      "classes.");
		line_end(&t->line);
	}
	grid_head(&g);
	print_bins(&g, &large, &other);
	print_classes(&g);
	if (!open || large.allocs)
		grid_row(&g, &large, NULL);
	line_end(&t->line);
	if (other.allocs || other.frees)
		grid_row(&g, &other, NULL);
	grid_row(&g, &e.all, NULL);
	suppressed(t);
	grid_legend(&g, &legend);
	return 0;
}
