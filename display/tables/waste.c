/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The waste: by type, the bytes that no member uses and those that the
 * allocator adds.
 */
#include "display/tables/legend.h"
#include "display/tables/notes.h"
#include "display/tables/table.h"
#include "display/tables/view.h"
#include "display/text/amount.h"
#include "display/text/name.h"
#include "display/text/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A row: a type, the sum of several, or all of them. */
struct row {
	const struct type_row *type; /* NULL: several */
	uint64_t blocks, bytes;
	uint64_t lost;	  /* in holes */
	uint64_t rounded; /* by the allocator */
	bool lost_known, lost_exact, rounded_known, rounded_exact;
};

struct widths {
	size_t size, holes, blocks, bytes, lost, rounded, waste;
};

static struct row
make(const struct type_row *r)
{
	struct row w = { .type = r, .blocks = r->allocs, .bytes = r->bytes };

	w.lost_known = r->holes.known;
	if (r->holes.known)
		w.lost = amount_mul(r->holes.bytes, r->elements);
	/* What isn't a multiple may be anything behind its first object. */
	w.lost_exact = r->multiple || r->holes.flexible || !r->holes.bytes;
	w.rounded_known = r->rounded_known;
	w.rounded_exact = r->rounded_exact || !r->rounded_known;
	w.rounded = r->rounded;
	return w;
}

static uint64_t
waste(const struct row *r)
{
	return amount_add(r->lost, r->rounded);
}

/* A sum is known as far as some of its rows are. */
static void
sum(struct row *to, const struct row *r)
{
	if (!to->blocks)
		to->lost_exact = to->rounded_exact = true;
	to->blocks = amount_add(to->blocks, r->blocks);
	to->bytes = amount_add(to->bytes, r->bytes);
	to->lost = amount_add(to->lost, r->lost);
	to->rounded = amount_add(to->rounded, r->rounded);
	to->lost_known |= r->lost_known;
	to->lost_exact &= r->lost_exact;
	to->rounded_known |= r->rounded_known;
	to->rounded_exact &= r->rounded_exact;
}

static int
compare(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;
	bool none_a = !*a->type->name, none_b = !*b->type->name;
	uint64_t x = waste(a), y = waste(b);

	if (none_a != none_b)
		return none_a - none_b;
	if (x != y)
		return x < y ? 1 : -1;
	/* As in the table of types. */
	return a->type < b->type ? -1 : a->type > b->type;
}

static void
widen(size_t *width, size_t n)
{
	if (*width < n)
		*width = n;
}

static struct widths
measure(const struct tables *t, const struct row *all)
{
	struct widths w = { 10, 8, 11, 11, 11, 11, 11 };
	bool human = t->o->human;

	for (size_t i = 0; i < t->p->ntypes; i++) {
		const struct type_row *r = &t->p->types[i];

		widen(&w.size, number_bytes_width(r->size, false));
		widen(&w.holes, number_bytes_width(r->holes.bytes, false) + 1);
	}
	/* A blank, and the mark of an estimate. */
	widen(&w.blocks, number_bytes_width(all->blocks, false) + 1);
	widen(&w.bytes, number_bytes_width(all->bytes, human) + 1);
	widen(&w.lost, number_bytes_width(all->lost, human) + 2);
	widen(&w.rounded, number_bytes_width(all->rounded, human) + 2);
	widen(&w.waste, number_bytes_width(waste(all), human) + 2);
	return w;
}

static void
header(struct tables *t, const struct widths *w)
{
	struct line *l = &t->line;

	line_right(l, w->size, "size");
	line_right(l, w->holes, "holes");
	line_right(l, w->blocks, "blocks");
	line_right(l, w->bytes, "bytes");
	line_right(l, w->lost, "in holes");
	line_right(l, w->rounded, "rounded");
	line_right(l, w->waste, "waste");
	line_add(l, " %-4s   type", "(%)");
	line_end(l);
	line_end(l);
}

/* Bytes, perhaps an estimate, or "-". */
static void
cell(struct tables *t, size_t width, uint64_t n, bool known, bool exact)
{
	char buf[NUMBER_SIZE], text[NUMBER_SIZE + 1];

	tables_bytes(t, buf, n);
	snprintf(text, sizeof text, "%s%s", exact ? "" : "~", buf);
	line_right(&t->line, width, known ? text : "-");
}

/* A row without its name; all NULL: of all of them. */
static void
print_row(struct tables *t, const struct widths *w, const struct row *r,
	  const struct row *all)
{
	const struct type_row *type = r->type;
	bool named = type && *type->name;
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	line_right(l, w->size,
		   !named	? ""
		   : type->size ? number_count(buf, type->size)
				: "-");
	line_right(l, w->holes,
		   !named	       ? ""
		   : type->holes.known ? number_count(buf, type->holes.bytes)
				       : "-");
	line_right(l, w->blocks, number_count(buf, r->blocks));
	line_right(l, w->bytes, tables_bytes(t, buf, r->bytes));
	cell(t, w->lost, r->lost, r->lost_known, r->lost_exact);
	cell(t, w->rounded, r->rounded, r->rounded_known, r->rounded_exact);
	cell(t, w->waste, waste(r), r->lost_known || r->rounded_known,
	     r->lost_exact && r->rounded_exact);
	line_add(l, " %-4s", all ? number_cell(buf, waste(r), waste(all)) : "");
	line_add(l, "   ");
}

/* Where the holes of a type are: the member before each of them. */
static void
print_holes(struct tables *t, const struct holes *h)
{
	struct line *l = &t->line;

	for (size_t i = 0; i < h->n; i++) {
		const struct hole *v = &h->v[i];
		char *name = name_cut(v->name ? v->name : "", t->o->name_width);
		char *type = name_cut(v->type ? v->type : "", t->o->name_width);

		if (!name || !type)
			l->failed = true;
		line_add(l, "%12s%" PRIu64, "offset ", v->member_offset);
		line_add(l, ", %" PRIu64 " bytes", v->member_size);
		if (v->name && name && type)
			line_add(l, ": %s%s%s", type, *name ? " " : "", name);
		if (v->times > 1)
			line_add(l,
				 "; %" PRIu64 " in each of its %" PRIu64
				 " elements",
				 v->size, v->times);
		else
			line_add(l, "; hole of %" PRIu64 " at %" PRIu64,
				 v->size, v->offset);
		line_end(l);
		free(name);
		free(type);
	}
}

static void
print_type(struct tables *t, const struct type_row *r)
{
	char *name = name_cut(r->name, t->o->name_width);

	if (!name)
		t->line.failed = true;
	else
		line_add(&t->line, "%c%s", r->mark, name);
	free(name);
	line_end(&t->line);
	if (t->o->verbosity == OPTIONS_VERBOSE)
		print_holes(t, &r->holes);
}

static void
rows(struct tables *t, const struct row *v, const struct row *all)
{
	const struct profile *p = t->p;
	struct widths w = measure(t, all);
	struct row other = { .type = NULL };
	size_t poor = 0;

	header(t, &w);
	print_row(t, &w, all, NULL);
	line_add(&t->line, "<TOTAL>");
	line_end(&t->line);
	line_end(&t->line);
	for (size_t i = 0; i < p->ntypes; i++)
		poor += *v[i].type->name &&
			!tables_worth(t, waste(&v[i]), waste(all));
	for (size_t i = 0; i < p->ntypes; i++) {
		const struct row *r = &v[i];

		if (!*r->type->name)
			continue;
		if (poor > 1 && !tables_worth(t, waste(r), waste(all))) {
			sum(&other, r);
		} else {
			print_row(t, &w, r, all);
			print_type(t, r->type);
		}
	}
	if (poor > 1) {
		print_row(t, &w, &other, all);
		tables_others(t, poor);
	}
	/* Sorted last. */
	if (p->ntypes && !*v[p->ntypes - 1].type->name) {
		print_row(t, &w, &v[p->ntypes - 1], all);
		line_add(&t->line, "(not known)");
		line_end(&t->line);
	}
}

int
waste_print(struct tables *t)
{
	const struct profile *p = t->p;
	struct row all = { .type = NULL }, *v;

	tables_title(t, "--------- Waste by Type ------------");
	if (!amount_allocs(&p->total)) {
		tables_say(t, "Nothing was allocated.");
		return 0;
	}
	v = calloc(p->ntypes + 1, sizeof *v);
	if (!v)
		return -1;
	for (size_t i = 0; i < p->ntypes; i++) {
		v[i] = make(&p->types[i]);
		sum(&all, &v[i]);
	}
	if (p->ntypes)
		qsort(v, p->ntypes, sizeof *v, compare);
	if (!all.lost_known && !all.rounded_known)
		tables_say(t, "Nothing is known of it: no type, and nothing of "
			      "what the allocator adds.");
	else
		rows(t, v, &all);
	free(v);
	if (all.lost_known || all.rounded_known)
		legend_print(t, legend_waste);
	return 0;
}
