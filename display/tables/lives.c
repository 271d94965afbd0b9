/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lifetimes: what became of the blocks of each call path, and of each
 * function.
 */
#include "display/tables/errors.h"
#include "display/tables/legend.h"
#include "display/tables/notes.h"
#include "display/tables/paths.h"
#include "display/tables/view.h"
#include "display/text/amount.h"
#include "display/text/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A row is about a path or, if that is NULL, about what name says. */
struct row {
	const struct path *path;
	const char *name;
	size_t place; /* of a function, for ties */
	uint64_t allocs, bytes, frees, reallocs;
	double var; /* of allocs */
	const struct life *life;
};

/* The rows of a section, and what is not in any of them. */
struct rows {
	struct row *row;
	size_t n, hidden;
	struct row other;
	struct life other_life;
};

/* Widths of columns; 0: the column isn't there. */
struct widths {
	size_t allocs, frees, foreign, timed, time, spread;
	size_t reallocs, moved, copied, longest;
};

/* A character for each factor of four: number_spread(). */
static const char scale[] = "1ns  1us  1ms  1s   17m ";
enum { SPREAD_USUAL = 20 };

/* Are the lifetimes those of some of the freed blocks only? */
static bool
estimated(const struct row *r)
{
	return r->life->timed && r->life->timed < r->frees;
}

static struct row
total(const struct profile *p)
{
	struct row r = { .name = "<TOTAL>",
			 .allocs = amount_allocs(&p->total),
			 .bytes = amount_bytes(&p->total),
			 .frees = amount_frees(&p->total),
			 .reallocs = p->reallocs,
			 .var = p->total.var[PROFILE_E_ALLOCS],
			 .life = &p->life };

	return r;
}

static int
compare(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;

	if (a->allocs != b->allocs)
		return a->allocs < b->allocs ? 1 : -1;
	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	if (a->path && b->path)
		return paths_compare(a->path, b->path);
	return (a->place > b->place) - (a->place < b->place);
}

static struct row
row_of_path(const struct path *a)
{
	struct row r = { .path = a,
			 .allocs = a->allocs,
			 .bytes = a->bytes,
			 .frees = a->frees,
			 .reallocs = a->reallocs,
			 .var = a->var[PROFILE_E_ALLOCS],
			 .life = a->life };

	return r;
}

static void
add_paths(struct rows *rows, const struct paths *all)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->path[i].allocs)
			rows->row[rows->n++] = row_of_path(&all->path[i]);
}

/* The functions, and the blocks of which no function is known. */
static void
add_functions(struct rows *rows, const struct tables *t,
	      const struct paths *all)
{
	const struct sort *s = &t->sort;

	for (size_t i = 0; i < s->ndirect; i++) {
		const struct node *node = &s->nodes[s->direct[i]];
		const struct func *f = node->func;
		struct row r = { .name = node->label,
				 .place = i,
				 .allocs = amount_allocs(&f->self),
				 .bytes = amount_bytes(&f->self),
				 .frees = amount_frees(&f->self),
				 .reallocs = f->reallocs,
				 .var = f->self.var[PROFILE_E_ALLOCS],
				 .life = &f->life };

		if (r.allocs)
			rows->row[rows->n++] = r;
	}
	for (size_t i = 0; i < all->n; i++) {
		struct row r = row_of_path(&all->path[i]);

		if (all->path[i].tip || !r.allocs)
			continue;
		r.path = NULL;
		r.name = "(no chain)";
		r.place = s->ndirect;
		rows->row[rows->n++] = r;
	}
}

/*
 * Is it worth a row?  For its allocations, or for what its reallocs copied: a
 * block that grows and grows has few allocations and much of the cost.
 */
static bool
worth(const struct tables *t, const struct row *r, size_t place)
{
	const struct profile *p = t->p;

	if (t->o->lives_rows)
		return place < t->o->lives_rows;
	return tables_worth(t, r->allocs, amount_allocs(&p->total)) ||
	       (r->life->copied &&
		tables_worth(t, r->life->copied, p->life.copied));
}

/* Sort the rows, and put those that aren't worth one together. */
static void
arrange(struct rows *rows, const struct tables *t)
{
	struct row *other = &rows->other;
	size_t n = 0, poor = 0;

	other->life = &rows->other_life;
	qsort(rows->row, rows->n, sizeof *rows->row, compare);
	for (size_t i = 0; i < rows->n; i++)
		poor += !worth(t, &rows->row[i], i);
	/* A single one takes no more room by itself. */
	if (poor == 1 && !t->o->lives_rows)
		return;
	for (size_t i = 0; i < rows->n; i++) {
		const struct row *r = &rows->row[i];

		if (worth(t, r, i)) {
			rows->row[n++] = *r;
			continue;
		}
		other->allocs = amount_add(other->allocs, r->allocs);
		other->var += r->var;
		other->frees = amount_add(other->frees, r->frees);
		other->reallocs = amount_add(other->reallocs, r->reallocs);
		amount_add_life(&rows->other_life, r->life);
	}
	rows->hidden = rows->n - n;
	rows->n = n;
}

static void
widen(size_t *width, size_t n)
{
	if (*width < n)
		*width = n;
}

/* For columns that are only there when some row has something to show. */
static void
appear(size_t *width, uint64_t n, bool human)
{
	if (n)
		widen(width, number_bytes_width(n, human) + 1);
}

/* Make the columns wide enough for a row. */
static void
fit(struct widths *w, const struct row *r, bool human)
{
	char buf[NUMBER_SIZE];

	widen(&w->allocs, number_bytes_width(r->allocs, false) + 1);
	widen(&w->frees, number_bytes_width(r->frees, false) + 1);
	widen(&w->foreign, number_bytes_width(r->life->foreign, false) + 1);
	widen(&w->time, strlen(number_time(buf, r->life->max)) + 2);
	if (strlen(number_spread(buf, r->life)) > SPREAD_USUAL)
		w->spread = NUMBER_SPREAD;
	if (estimated(r))
		appear(&w->timed, r->life->timed, false);
	appear(&w->reallocs, r->reallocs, false);
	appear(&w->moved, r->life->moved, false);
	appear(&w->copied, r->life->copied, human);
	appear(&w->longest, r->life->longest, false);
}

static struct widths
measure(const struct tables *t, const struct rows *rows)
{
	struct row all = total(t->p);
	struct widths w = { .allocs = 10,
			    .frees = 10,
			    .foreign = 9,
			    .time = 8,
			    .spread = SPREAD_USUAL };

	fit(&w, &all, t->o->human);
	for (size_t i = 0; i < rows->n; i++)
		fit(&w, &rows->row[i], t->o->human);
	if (rows->hidden)
		fit(&w, &rows->other, t->o->human);
	if (w.timed)
		widen(&w.timed, 8);
	/* What reallocs did is there as a whole or not at all. */
	if (w.reallocs || w.moved || w.longest) {
		widen(&w.reallocs, 10);
		widen(&w.moved, 8);
		widen(&w.copied, 8);
		widen(&w.longest, 9);
	}
	return w;
}

static void
header(struct tables *t, const struct widths *w, const char *what)
{
	struct line *l = &t->line;

	line_right(l, w->allocs, "allocs");
	errors_head(t);
	line_right(l, w->frees, "frees");
	line_add(l, "%8s%8s", "% temp", "% near");
	line_right(l, w->foreign, "foreign");
	if (w->timed)
		line_right(l, w->timed, "timed");
	line_right(l, w->time, "min");
	line_right(l, w->time, "mean");
	line_right(l, w->time, "max");
	line_add(l, " | %.*s |", (int)w->spread, scale);
	if (w->reallocs) {
		line_right(l, w->reallocs, "reallocs");
		line_right(l, w->moved, "moved");
		line_right(l, w->copied, "copied");
		line_right(l, w->longest, "longest");
	}
	line_add(l, "   %s", what);
	line_end(l);
	line_end(l);
}

/* A lifetime of the row: marked if it's an estimate, `-' if it isn't known. */
static void
add_time(struct tables *t, const struct widths *w, const struct row *r,
	 uint64_t ns, bool known)
{
	char buf[NUMBER_SIZE], text[NUMBER_SIZE + 1];

	snprintf(text, sizeof text, "%s%s", estimated(r) ? "~" : "",
		 number_time(buf, ns));
	line_right(&t->line, w->time, known ? text : "-");
}

static void
add_times(struct tables *t, const struct widths *w, const struct row *r)
{
	const struct life *a = r->life;
	bool mean = a->timed && a->weight && a->sum != UINT64_MAX;
	char buf[NUMBER_SIZE];

	if (w->timed)
		line_right(&t->line, w->timed, number_count(buf, a->timed));
	add_time(t, w, r, a->min, a->timed);
	add_time(t, w, r, number_mean(a->sum, a->weight), mean);
	add_time(t, w, r, a->max, a->timed);
	line_add(&t->line, " | ");
	line_left(&t->line, w->spread, a->timed ? number_spread(buf, a) : "-");
	line_add(&t->line, " |");
}

/* A row without its name. */
static void
print_row(struct tables *t, const struct widths *w, const struct row *r)
{
	bool all = !t->p->sample.rate;
	const struct life *a = r->life;
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	line_right(l, w->allocs, number_count(buf, r->allocs));
	errors_add(t, r->allocs, r->var);
	line_right(l, w->frees, number_count(buf, r->frees));
	/* Of what came between only samples are known. */
	line_right(l, 8, all ? number_percent(buf, a->temps, r->allocs) : "-");
	line_right(l, 8, all ? number_percent(buf, a->near, r->allocs) : "-");
	line_right(l, w->foreign, number_count(buf, a->foreign));
	add_times(t, w, r);
	if (w->reallocs) {
		line_right(l, w->reallocs, number_count(buf, r->reallocs));
		line_right(l, w->moved,
			   all ? number_count(buf, a->moved) : "-");
		line_right(l, w->copied,
			   all ? tables_bytes(t, buf, a->copied) : "-");
		line_right(l, w->longest,
			   all ? number_count(buf, a->longest) : "-");
	}
	line_add(l, "   ");
}

static void
print_rows(struct tables *t, const struct rows *rows, const struct paths *all,
	   const char *what)
{
	struct widths w = measure(t, rows);
	struct row sum = total(t->p);
	struct line *l = &t->line;

	header(t, &w, what);
	print_row(t, &w, &sum);
	line_add(l, "%s", sum.name);
	line_end(l);
	line_end(l);
	for (size_t i = 0; i < rows->n; i++) {
		const struct row *r = &rows->row[i];

		print_row(t, &w, r);
		if (r->path)
			paths_print(t, all, r->path);
		else
			line_add(l, "%s", r->name);
		line_end(l);
	}
	if (!rows->hidden)
		return;
	print_row(t, &w, &rows->other);
	tables_others(t, rows->hidden);
}

/* How the lifetimes were come by, as far as it is to be said. */
static void
head(struct tables *t)
{
	const struct profile *p = t->p;
	struct line *l = &t->line;

	if (p->timing == 0) {
		tables_say(t, p->life.timed ? "Timed: not alike in all runs; "
					      "~ marks estimates."
					    : "No block was timed: there are "
					      "counts, but no lifetimes.");
	} else if (p->timing > 1) {
		line_add(l,
			 "Timed: the first blocks of each chain, then one in "
			 "%" PRIu64 "; ~ marks estimates.",
			 p->timing);
		line_end(l);
	}
	if (p->untimed) {
		line_add(l,
			 "%" PRIu64 " block%s could not be timed, for want of "
			 "memory.",
			 p->untimed, p->untimed == 1 ? "" : "s");
		line_end(l);
	}
	if (p->timing != 1 || p->untimed)
		line_end(l);
}

/* The two sections. */
static int
print(struct tables *t, struct paths *all)
{
	size_t room = t->sort.ndirect + 1;
	struct rows by_path = { 0 }, by_function = { 0 };
	int status = -1;

	if (paths_init(all, t, PATHS_LIVES))
		return -1;
	by_path.row = calloc(all->n + 1, sizeof *by_path.row);
	by_function.row = calloc(room, sizeof *by_function.row);
	if (by_path.row && by_function.row) {
		add_paths(&by_path, all);
		arrange(&by_path, t);
		head(t);
		print_rows(t, &by_path, all, "path");
		line_end(&t->line);
		line_end(&t->line);
		tables_say(t, "--------- Lifetimes of Blocks by Function "
			      "------------");
		line_end(&t->line);
		add_functions(&by_function, t, all);
		arrange(&by_function, t);
		print_rows(t, &by_function, all, "function");
		legend_print(t, legend_lives);
		status = 0;
	}
	free(by_path.row);
	free(by_function.row);
	return status;
}

int
lives_print(struct tables *t)
{
	const struct profile *p = t->p;
	struct paths all = { 0 };
	int status;

	tables_title(t, "--------- Lifetimes of Blocks by Call Path "
			"------------");
	if (!amount_allocs(&p->total)) {
		tables_nothing(t);
		return 0;
	}
	if (!p->lives_known) {
		tables_unknown(t, "What became of the blocks");
		return 0;
	}
	status = print(t, &all);
	paths_fini(&all);
	return status;
}
