/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The heap scores: how well the blocks of each call path, each function and
 * each type were used, after Memoro (ISMM 2018, section 4.1).
 */
#include "display/tables/advice.h"
#include "display/tables/legend.h"
#include "display/tables/notes.h"
#include "display/tables/paths.h"
#include "display/tables/view.h"
#include "display/text/amount.h"
#include "display/text/name.h"
#include "display/text/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A row is about a path or, if that is NULL, about what name says. */
struct row {
	const struct path *path;
	const char *name;
	char mark;    /* of a type, before its name; else 0 */
	size_t place; /* of a function or type, for ties */
	const struct use *use;
	struct score score;
	uint64_t save; /* bytes, cut */
	bool known;    /* is the severity? */
	bool rest;     /* of what no type is known: the last one */
};

/* The rows of a section, and what is not in any of them. */
struct rows {
	const char *what; /* "path" */
	struct row *row;
	size_t n, hidden;
	uint64_t blocks, bytes, save; /* of all rows */
	struct row other;
	struct use other_use;
};

struct widths {
	size_t save, blocks, bytes, flag; /* flag 0: not there */
};

static void
add_row(struct rows *rows, struct row r, const struct use *u)
{
	if (!u || !u->blocks)
		return;
	r.use = u;
	r.score = profile_score(u);
	r.known = u->groups > 0 && profile_use_known(u);
	if (r.known && r.score.saving > 0)
		r.save = r.score.saving < (double)u->bytes
				 ? (uint64_t)r.score.saving
				 : u->bytes;
	rows->row[rows->n++] = r;
	rows->blocks = amount_add(rows->blocks, u->blocks);
	rows->bytes = amount_add(rows->bytes, u->bytes);
	rows->save = amount_add(rows->save, r.save);
}

static void
add_paths(struct rows *rows, const struct paths *all)
{
	for (size_t i = 0; i < all->n; i++)
		add_row(rows, (struct row){ .path = &all->path[i] },
			all->path[i].use);
}

/* The functions, and the blocks of which no function is known. */
static void
add_functions(struct rows *rows, const struct tables *t,
	      const struct paths *all)
{
	const struct sort *s = &t->sort;

	for (size_t i = 0; i < s->ndirect; i++) {
		const struct node *node = &s->nodes[s->direct[i]];

		add_row(rows, (struct row){ .name = node->label, .place = i },
			&node->func->use);
	}
	for (size_t i = 0; i < all->n; i++)
		if (!all->path[i].tip)
			add_row(rows,
				(struct row){ .name = "(no chain)",
					      .place = s->ndirect },
				all->path[i].use);
}

static void
add_types(struct rows *rows, const struct tables *t)
{
	for (size_t i = 0; i < t->p->ntypes; i++) {
		const struct type_row *a = &t->p->types[i];
		struct row r = { .name = a->name, .mark = a->mark, .place = i };

		if (!*a->name) {
			r.name = "(not known)";
			r.mark = '\0';
			r.rest = true;
		}
		add_row(rows, r, &a->use);
	}
}

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* The order that --sort asks for, the worst first. */
static int
compare_by(const struct row *a, const struct row *b, enum options_sort key)
{
	switch (key) {
	case OPTIONS_BY_SEVERITY:
		return ORDER(a->score.severity, b->score.severity);
	case OPTIONS_BY_BYTES:
		return ORDER(b->use->bytes, a->use->bytes);
	case OPTIONS_BY_BLOCKS:
		return ORDER(b->use->blocks, a->use->blocks);
	case OPTIONS_BY_LIFETIME:
		return ORDER(a->score.lifetime, b->score.lifetime);
	case OPTIONS_BY_USAGE:
		return ORDER(a->score.usage, b->score.usage);
	case OPTIONS_BY_USEFUL:
		return ORDER(a->score.useful, b->score.useful);
	case OPTIONS_BY_SAVE:
	default:
		return ORDER(b->save, a->save);
	}
}

static int
compare(const void *va, const void *vb, void *key)
{
	const struct row *a = va, *b = vb;
	int c = a->rest - b->rest;

	if (!c)
		c = compare_by(a, b, *(const enum options_sort *)key);
	if (!c)
		c = ORDER(b->save, a->save);
	if (!c)
		c = ORDER(b->use->bytes, a->use->bytes);
	if (!c)
		c = ORDER(b->use->blocks, a->use->blocks);
	if (c)
		return c;
	if (a->path && b->path)
		return paths_compare(a->path, b->path);
	return ORDER(a->place, b->place);
}

/* Is it worth a row?  For its bytes, or for what there is to save. */
static bool
worth(const struct tables *t, const struct rows *rows, size_t place)
{
	const struct row *r = &rows->row[place];

	if (r->rest)
		return true;
	if (t->o->scores_rows)
		return place < t->o->scores_rows;
	return tables_worth(t, r->use->bytes, rows->bytes) ||
	       (r->save && tables_worth(t, r->save, rows->save));
}

/* Sort the rows, and put those that aren't worth one together. */
static void
arrange(struct rows *rows, const struct tables *t)
{
	enum options_sort key = t->o->sort;
	struct row *other = &rows->other;
	size_t n = 0, poor = 0;

	other->use = &rows->other_use;
	qsort_r(rows->row, rows->n, sizeof *rows->row, compare, &key);
	for (size_t i = 0; i < rows->n; i++)
		poor += !worth(t, rows, i);
	/* A single one takes no more room by itself. */
	if (poor == 1 && !t->o->scores_rows)
		return;
	for (size_t i = 0; i < rows->n; i++) {
		const struct row *r = &rows->row[i];

		if (worth(t, rows, i)) {
			rows->row[n++] = *r;
			continue;
		}
		amount_add_use(&rows->other_use, r->use);
		other->save = amount_add(other->save, r->save);
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

static struct widths
measure(const struct tables *t, const struct rows *rows)
{
	struct widths w = { .save = 10, .blocks = 11, .bytes = 12 };
	bool human = t->o->human;
	char buf[NUMBER_SIZE];

	widen(&w.save, number_bytes_width(rows->save, human));
	widen(&w.blocks, number_bytes_width(rows->blocks, false) + 1);
	widen(&w.bytes, number_bytes_width(rows->bytes, human) + 1);
	for (size_t i = 0; i < rows->n; i++)
		if (!rows->row[i].path)
			widen(&w.flag,
			      strlen(advice_first(t, buf, rows->row[i].use)));
	return w;
}

static void
header(struct tables *t, const struct widths *w, const char *what)
{
	struct line *l = &t->line;

	line_right(l, w->save, "save");
	line_add(l, "%10s%10s%8s%8s%8s", "severity", "lifetime", "usage",
		 "useful", "cover");
	line_right(l, w->blocks, "blocks");
	line_right(l, w->bytes, "bytes");
	line_add(l, "   ");
	if (w->flag) {
		line_left(l, w->flag, "flag");
		line_add(l, "   ");
	}
	line_add(l, "%s", what);
	line_end(l);
	line_end(l);
}

/* The scores of a row: blank of several paths that have nothing in common. */
static void
add_scores(struct tables *t, const struct row *r)
{
	const struct score *s = &r->score;
	bool used = profile_use_known(r->use);
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	if (!r->path && !r->name) {
		line_right(l, 10 + 10 + 8 + 8 + 8, "");
		return;
	}
	if (r->known)
		line_add(l, "%10u", s->step);
	else
		line_right(l, 10, "-");
	line_right(l, 10,
		   r->use->groups ? number_score(buf, s->lifetime) : "-");
	line_right(l, 8, used ? number_score(buf, s->usage) : "-");
	line_right(l, 8, used ? number_score(buf, s->useful) : "-");
	line_right(l, 8, used ? number_score(buf, s->cover) : "-");
}

/* A row without its name. */
static void
print_row(struct tables *t, const struct widths *w, const struct row *r)
{
	bool one = r->path || r->name;
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	line_right(l, w->save,
		   r->known || !one ? tables_bytes(t, buf, r->save) : "-");
	add_scores(t, r);
	line_right(l, w->blocks, number_count(buf, r->use->blocks));
	line_right(l, w->bytes, tables_bytes(t, buf, r->use->bytes));
	line_add(l, "   ");
	if (w->flag) {
		line_left(l, w->flag, one ? advice_first(t, buf, r->use) : "");
		line_add(l, "   ");
	}
}

static void
print_name(struct tables *t, const struct row *r)
{
	char *name = name_cut(r->name, t->o->name_width);

	if (!name)
		t->line.failed = true;
	else if (r->mark)
		line_add(&t->line, "%c%s", r->mark, name);
	else
		line_add(&t->line, "%s", name);
	free(name);
}

static void
print_rows(struct tables *t, const struct rows *rows, const struct paths *all)
{
	struct widths w = measure(t, rows);
	struct line *l = &t->line;

	header(t, &w, rows->what);
	for (size_t i = 0; i < rows->n; i++) {
		const struct row *r = &rows->row[i];

		print_row(t, &w, r);
		if (r->path)
			paths_print(t, all, r->path);
		else
			print_name(t, r);
		line_end(l);
		if (r->path)
			advice_print(t, r->use, &r->score);
	}
	if (!rows->hidden)
		return;
	print_row(t, &w, &rows->other);
	tables_others(t, rows->hidden);
}

/* The scores of the program. */
static void
program(struct tables *t)
{
	const struct profile *p = t->p;
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];
	bool some = p->program_sites;

	line_add(l, "program, %" PRIu64 " site%s; ", p->program_sites,
		 p->program_sites == 1 ? "" : "s");
	line_add(l, "granule 16 bytes, clock step %s",
		 number_time(buf, p->step));
	if (p->tau)
		line_add(l, ", pause between groups %s",
			 number_time(buf, p->tau));
	line_end(l);
	if (p->groups_apart)
		tables_say(t, "There are several runs, so groups are of one "
			      "site each: lifetimes of several sites are means "
			      "over theirs.");
	line_add(l, "%-20s%10s%8s%8s", "", "lifetime", "usage", "useful");
	line_end(l);
	line_left(l, 20, "geometric mean");
	for (int i = 0; i < 3; i++)
		line_right(l, i ? 8 : 10,
			   some ? number_score(buf, p->program[i].mean) : "-");
	line_end(l);
	line_left(l, 20, "variance");
	for (int i = 0; i < 3; i++)
		line_right(l, i ? 8 : 10,
			   some ? number_score(buf, p->program[i].variance)
				: "-");
	line_end(l);
	line_end(l);
}

/* A section after the first: its title, and the rows. */
static void
section(struct tables *t, struct rows *rows, const char *title)
{
	line_end(&t->line);
	line_end(&t->line);
	tables_say(t, title);
	line_end(&t->line);
	arrange(rows, t);
	print_rows(t, rows, NULL);
}

/* Is there a type of which it is known how its blocks were used? */
static bool
typed(const struct profile *p)
{
	for (size_t i = 0; i < p->ntypes; i++)
		if (*p->types[i].name && p->types[i].use.blocks)
			return true;
	return false;
}

static int
print(struct tables *t, struct paths *all)
{
	struct rows path = { .what = "path" },
		    function = { .what = "function" },
		    type = { .what = "type" };
	int status = -1;

	if (paths_init(all, t, PATHS_USES))
		return -1;
	path.row = calloc(all->n + 1, sizeof *path.row);
	function.row = calloc(t->sort.ndirect + 2, sizeof *function.row);
	type.row = calloc(t->p->ntypes + 1, sizeof *type.row);
	if (path.row && function.row && type.row) {
		add_paths(&path, all);
		add_functions(&function, t, all);
		add_types(&type, t);
		arrange(&path, t);
		program(t);
		print_rows(t, &path, all);
		section(t, &function,
			"--------- Heap Scores by Function ------------");
		if (typed(t->p))
			section(t, &type,
				"--------- Heap Scores by Type ------------");
		legend_print(t, legend_scores);
		status = 0;
	}
	free(path.row);
	free(function.row);
	free(type.row);
	return status;
}

int
scores_print(struct tables *t)
{
	const struct profile *p = t->p;
	struct paths all = { 0 };
	bool some = false;
	int status;

	tables_title(t, "--------- Heap Scores by Call Path ------------");
	if (!amount_allocs(&p->total)) {
		tables_nothing(t);
		return 0;
	}
	if (!p->uses_known) {
		tables_no_uses(t);
		return 0;
	}
	tables_use_notes(t);
	for (size_t i = 0; i < p->nsites; i++)
		some |= p->sites[i].use && p->sites[i].use->blocks;
	if (!some) {
		tables_say(t, "There is no block of which scores are known.");
		return 0;
	}
	status = print(t, &all);
	paths_fini(&all);
	return status;
}
