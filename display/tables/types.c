/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The types: allocations by the type of the blocks. */
#include "display/tables/errors.h"
#include "display/tables/legend.h"
#include "display/tables/notes.h"
#include "display/tables/view.h"
#include "display/text/amount.h"
#include "display/text/name.h"
#include "display/text/number.h"

#include <stdlib.h>
#include <string.h>

/* Widths of the columns; use 0: nothing is known of accesses, peak as well. */
struct widths {
	size_t size, count, allocs, bytes, frees, kept, peak, sites, use;
};

static uint64_t
kept(const struct type_row *r)
{
	return amount_sub(r->bytes, r->freed);
}

static void
sum(struct type_row *to, const struct type_row *r)
{
	to->allocs = amount_add(to->allocs, r->allocs);
	to->bytes = amount_add(to->bytes, r->bytes);
	to->frees = amount_add(to->frees, r->frees);
	to->freed = amount_add(to->freed, r->freed);
	to->peak = amount_add(to->peak, r->peak);
	to->peak_known &= r->peak_known;
	for (int i = 0; i < PROFILE_NERROR; i++)
		to->var[i] += r->var[i];
	amount_add_use(&to->use, &r->use);
}

/* Is it worth a row?  For what was allocated, or for what was kept. */
static bool
worth(const struct tables *t, const struct type_row *r,
      const struct type_row *all)
{
	return tables_worth(t, r->bytes, all->bytes) ||
	       (kept(r) && tables_worth(t, kept(r), kept(all)));
}

static void
widen(size_t *width, size_t n)
{
	if (*width < n)
		*width = n;
}

/* The mean number of elements of a block: "1", "7", "2.5", "-". */
static char *
count(char *buf, const struct type_row *r)
{
	uint64_t whole = r->allocs ? r->elements / r->allocs : 0;

	if (!r->size || !r->multiple || !r->allocs)
		snprintf(buf, NUMBER_SIZE, "-");
	else if (r->elements % r->allocs == 0)
		number_count(buf, whole);
	else
		snprintf(buf, NUMBER_SIZE, "%.1f",
			 (double)r->elements / (double)r->allocs);
	return buf;
}

static struct widths
measure(const struct tables *t, const struct type_row *all)
{
	const struct profile *p = t->p;
	struct widths w = {
		.size = 10,
		.count = 8,
		.allocs = 11,
		.bytes = 11,
		.frees = 11,
		.kept = 11,
		.peak = p->peak_known ? 11 : 0,
		.sites = 7,
		.use = p->uses_known ? 8 : 0,
	};
	bool human = t->o->human;
	char buf[NUMBER_SIZE];

	for (size_t i = 0; i < p->ntypes; i++) {
		widen(&w.size, number_bytes_width(p->types[i].size, false));
		widen(&w.count, strlen(count(buf, &p->types[i])) + 1);
	}
	widen(&w.sites, number_bytes_width(p->nsites, false) + 1);
	if (w.peak)
		widen(&w.peak, number_bytes_width(p->total.peak, human) + 1);
	widen(&w.allocs, number_bytes_width(all->allocs, false) + 1);
	widen(&w.bytes, number_bytes_width(all->bytes, human) + 1);
	widen(&w.frees, number_bytes_width(all->frees, false) + 1);
	widen(&w.kept, number_bytes_width(kept(all), human) + 1);
	return w;
}

static void
header(struct tables *t, const struct widths *w)
{
	struct line *l = &t->line;

	line_right(l, w->size, "size");
	line_right(l, w->count, "count");
	line_right(l, w->allocs, "allocs");
	errors_head(t);
	line_right(l, w->bytes, "bytes");
	line_add(l, " %-4s", "(%)");
	errors_head(t);
	line_right(l, w->frees, "frees");
	line_right(l, w->kept, "kept");
	line_add(l, " %-4s", "(%)");
	errors_head(t);
	if (w->peak) {
		line_right(l, w->peak, "at peak");
		errors_head(t);
	}
	line_right(l, w->sites, "sites");
	if (w->use) {
		line_right(l, w->use, "usage");
		line_right(l, w->use, "useful");
	}
	line_add(l, "   type");
	line_end(l);
	line_end(l);
}

/* A row without its name; whole: of which it is a part, NULL for the total. */
static void
print_row(struct tables *t, const struct widths *w, const struct type_row *r,
	  const struct type_row *whole)
{
	struct score s = profile_score(&r->use);
	bool known = profile_use_known(&r->use);
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	line_right(l, w->size,
		   r->size    ? number_count(buf, r->size)
		   : *r->name ? "-"
			      : "");
	line_right(l, w->count, *r->name ? count(buf, r) : "");
	line_right(l, w->allocs, number_count(buf, r->allocs));
	errors_add(t, r->allocs, r->var[PROFILE_E_ALLOCS]);
	line_right(l, w->bytes, tables_bytes(t, buf, r->bytes));
	line_add(l, " %-4s",
		 whole ? number_cell(buf, r->bytes, whole->bytes) : "");
	errors_add(t, r->bytes, r->var[PROFILE_E_BYTES]);
	line_right(l, w->frees, number_count(buf, r->frees));
	line_right(l, w->kept, tables_bytes(t, buf, kept(r)));
	line_add(l, " %-4s",
		 whole ? number_cell(buf, kept(r), kept(whole)) : "");
	errors_add(t, kept(r), r->var[PROFILE_E_KEPT]);
	if (w->peak) {
		line_right(l, w->peak,
			   r->peak_known ? tables_bytes(t, buf, r->peak) : "-");
		errors_add(t, r->peak_known ? r->peak : 0,
			   r->var[PROFILE_E_PEAK]);
	}
	line_right(l, w->sites, r->sites ? number_count(buf, r->sites) : "");
	if (w->use) {
		line_right(l, w->use, known ? number_score(buf, s.usage) : "-");
		line_right(l, w->use,
			   known ? number_score(buf, s.useful) : "-");
	}
	line_add(l, "   ");
}

static void
print_name(struct tables *t, const struct type_row *r)
{
	char *name = name_cut(r->name, t->o->name_width);

	if (!name)
		t->line.failed = true;
	else
		line_add(&t->line, "%c%s", r->mark, name);
	free(name);
	line_end(&t->line);
}

/* The types, those that get no row together, and what is of no type. */
static void
rows(struct tables *t, const struct type_row *all, size_t poor)
{
	const struct profile *p = t->p;
	struct widths w = measure(t, all);
	struct type_row other = { .name = "", .peak_known = true };
	struct type_row unknown = { .name = "", .peak_known = true };

	header(t, &w);
	print_row(t, &w, all, NULL);
	line_add(&t->line, "<TOTAL>");
	line_end(&t->line);
	line_end(&t->line);
	for (size_t i = 0; i < p->ntypes; i++) {
		const struct type_row *r = &p->types[i];

		if (!*r->name) {
			sum(&unknown, r);
			unknown.sites = r->sites;
		} else if (poor > 1 && !worth(t, r, all)) {
			sum(&other, r);
		} else {
			print_row(t, &w, r, all);
			print_name(t, r);
		}
	}
	if (poor > 1) {
		print_row(t, &w, &other, all);
		tables_others(t, poor);
	}
	if (unknown.allocs || unknown.frees) {
		print_row(t, &w, &unknown, all);
		line_add(&t->line, "(not known)");
		line_end(&t->line);
	}
}

int
types_print(struct tables *t)
{
	const struct profile *p = t->p;
	struct type_row all = { .name = "", .peak_known = true };
	size_t named = 0, poor = 0;

	tables_title(t, "--------- Allocations by Type ------------");
	for (size_t i = 0; i < p->ntypes; i++)
		sum(&all, &p->types[i]);
	for (size_t i = 0; i < p->ntypes; i++) {
		const struct type_row *r = &p->types[i];

		named += *r->name != '\0';
		poor += *r->name && !worth(t, r, &all);
	}
	/* That it isn't known of which of several types is no matter here. */
	all.peak = p->total.peak;
	all.peak_known = p->peak_known;
	for (size_t i = 0; i < p->nsites; i++)
		all.sites += amount_allocs(&p->sites[i].count) > 0;
	if (!amount_allocs(&p->total)) {
		tables_nothing(t);
		return 0;
	}
	if (!named) {
		tables_say(t, "No type is known.  They are found in debug "
			      "information: compile with -g, or with");
		tables_say(t, "memmon-cc in place of the compiler; see "
			      "memmon-cc(1).");
		return 0;
	}
	rows(t, &all, poor);
	legend_print(t, legend_types);
	return 0;
}
