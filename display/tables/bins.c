/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bins: allocations by size, with the types that have that size. */
#include "display/tables/errors.h"
#include "display/tables/legend.h"
#include "display/tables/notes.h"
#include "display/tables/view.h"
#include "display/text/amount.h"
#include "display/text/name.h"
#include "display/text/number.h"

#include <stdlib.h>
#include <string.h>

enum { BIN_MAX = 1024, TYPES_A_LINE = 3 };

/* A row, and the sum of several of them. */
struct row {
	uint64_t allocs, bytes, frees, kept;
	double var[PROFILE_NERROR];
};

/* Widths of the columns; a column begins right behind the one before it. */
struct widths {
	size_t size, allocs, bytes, frees, kept;
};

static struct row
row_of(const struct bin *b)
{
	struct row r = { .allocs = b->allocs,
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

static void
types(struct tables *t, const struct bin *b, size_t indent)
{
	for (size_t i = 0; i < b->ntypes; i++) {
		if (i && i % TYPES_A_LINE == 0) {
			line_end(&t->line);
			line_right(&t->line, indent, "");
		}
		type(t, &b->types[i]);
	}
}

static void
print_row(struct tables *t, const struct widths *w, const char *size,
	  const struct row *r, const struct row *all)
{
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	line_right(l, w->size, size);
	line_right(l, w->allocs, number_count(buf, r->allocs));
	errors_add(t, r->allocs, r->var[PROFILE_E_ALLOCS]);
	line_right(l, w->bytes, tables_bytes(t, buf, r->bytes));
	line_add(l, " %-4s", all ? number_cell(buf, r->bytes, all->bytes) : "");
	errors_add(t, r->bytes, r->var[PROFILE_E_BYTES]);
	line_right(l, w->frees, number_count(buf, r->frees));
	line_right(l, w->kept, tables_bytes(t, buf, r->kept));
	line_add(l, " %-4s", all ? number_cell(buf, r->kept, all->kept) : "");
	errors_add(t, r->kept, r->var[PROFILE_E_KEPT]);
}

static void
header(struct tables *t, const struct widths *w)
{
	struct line *l = &t->line;

	line_right(l, w->size, "size:");
	line_right(l, w->allocs, "allocs");
	errors_head(t);
	line_right(l, w->bytes, "bytes");
	line_add(l, " %-4s", "(%)");
	errors_head(t);
	line_right(l, w->frees, "frees");
	line_right(l, w->kept, "kept");
	line_add(l, " %-4s", "(%)");
	errors_head(t);
	line_add(l, "    types");
	line_end(l);
	line_end(l);
}

static size_t
at_least(size_t a, size_t b)
{
	return a > b ? a : b;
}

static struct widths
measure(const struct tables *t, const struct row *all)
{
	const struct profile *p = t->p;
	struct widths w = { 11, 10, 10, 10, 10 };
	bool human = t->o->human;

	if (t->o->bins_all && p->nbins)
		w.size = at_least(w.size,
				  number_bytes_width(p->bins[p->nbins - 1].size,
						     false));
	if (t->o->bins_all && p->big.allocs)
		w.size = at_least(w.size, strlen("> 1024, other"));
	w.allocs = at_least(10, number_bytes_width(all->allocs, false) + 1);
	w.bytes = at_least(10, number_bytes_width(all->bytes, human) + 1);
	w.frees = at_least(10, number_bytes_width(all->frees, false) + 1);
	w.kept = at_least(10, number_bytes_width(all->kept, human) + 1);
	return w;
}

/* All bins, and those of them that get no row of their own. */
static void
print_bins(struct tables *t, const struct widths *w, const struct row *all,
	   struct row *large, struct row *other)
{
	const struct profile *p = t->p;
	size_t indent = w->size + w->allocs + w->bytes + w->frees + w->kept +
			5 + 5 + 3 + 3 * errors_width(t);
	char size[NUMBER_SIZE];

	for (size_t i = 0; i < p->nbins; i++) {
		const struct bin *b = &p->bins[i];
		struct row r = row_of(b);

		if (b->size > BIN_MAX && !t->o->bins_all) {
			sum(large, &r);
		} else if (!wanted(t, b, all->allocs)) {
			sum(other, &r);
		} else {
			print_row(t, w, number_count(size, b->size), &r, all);
			line_add(&t->line, "   ");
			types(t, b, indent);
			line_end(&t->line);
		}
	}
}

/* Of a class of which no more is known than that. */
static struct row
class_row(const struct profile *p, int c)
{
	struct row r = { .allocs = p->unsized[c].allocs,
			 .bytes = p->unsized[c].bytes,
			 .frees = p->unsized[c].frees,
			 .kept = amount_sub(p->unsized[c].bytes,
					    p->unsized[c].freed) };

	return r;
}

/* Those rows, under a filter. */
static void
print_classes(struct tables *t, const struct widths *w, const struct row *all)
{
	static const char *const size[] = { "<= 32, any", "<= 256, any",
					    "<= 2048, any", "> 2048, any" };

	for (int c = 0; c < PROFILE_NCLASS; c++) {
		struct row r = class_row(t->p, c);

		if (!r.allocs)
			continue;
		print_row(t, w, size[c], &r, all);
		line_end(&t->line);
	}
}

/* All blocks together; *classes: some have no bin, but for the large ones. */
static struct row
total(const struct profile *p, bool *classes)
{
	struct row all = big_row(p);

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

int
bins_print(struct tables *t)
{
	const struct profile *p = t->p;
	struct row all, large = big_row(p), other = { 0 };
	struct widths w;
	bool classes;

	all = total(p, &classes);
	w = measure(t, &all);
	w.size = at_least(w.size, classes ? strlen("<= 2048, any") : 0);
	tables_title(t, "--------- Allocation Bins with possible Types "
			"------------");
	if (classes && !p->nbins) {
		tables_say(t, "Which sizes the filter leaves is not recorded, "
			      "but for their classes.");
		line_end(&t->line);
	}
	header(t, &w);
	print_bins(t, &w, &all, &large, &other);
	print_classes(t, &w, &all);
	if (!t->o->bins_all || large.allocs) {
		print_row(t, &w, t->o->bins_all ? "> 1024, other" : "> 1024",
			  &large, &all);
		line_end(&t->line);
	}
	line_end(&t->line);
	if (other.allocs || other.frees) {
		print_row(t, &w, "other bins", &other, &all);
		line_end(&t->line);
	}
	print_row(t, &w, "<TOTAL>", &all, NULL);
	line_end(&t->line);
	legend_print(t, legend_bins);
	return 0;
}
