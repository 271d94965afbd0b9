/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison of the processes of a parallel job. */
#include "display/grid/grid.h"
#include "display/grid/view.h"
#include "display/schema/schema.h"
#include "display/text/amount.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rows of a figure, and what their names need. */
struct ranks {
	const struct profile_ranks *r;
	struct schema schema; /* for the names of call paths */
	enum rank_figure figure;
	uint64_t most; /* largest excess of a rank over the mean, among all
			* rows */
};

enum { IMBALANCE, MEAN, MOST, MOST_AT, LEAST, LEAST_AT, SOME };

static const struct rank_spread *
ranks_spread(const struct grid *g, const void *row)
{
	const struct ranks *x = g->arg;

	return &((const struct rank_row *)row)->figure[x->figure];
}

static void
ranks_get(const struct grid *g, const void *row, unsigned at,
	  struct grid_cell *c)
{
	const struct ranks *x = g->arg;
	const struct rank_spread *s = ranks_spread(g, row);
	size_t rank = at == MOST_AT ? s->most_at : s->least_at;
	uint64_t n[] = { [MEAN] = rank_mean(x->r, s),
			 [MOST] = s->most,
			 [LEAST] = s->least,
			 [SOME] = s->ranks };

	if (at == IMBALANCE) {
		snprintf(c->buf, sizeof c->buf, "%.2f",
			 rank_imbalance(x->r, s));
		c->text = c->buf;
	} else if (at == MOST_AT || at == LEAST_AT) {
		c->text = x->r->v[rank].name;
	} else {
		c->n = n[at];
	}
}

static void
ranks_put(const struct grid *g, const void *row)
{
	struct ranks *x = (struct ranks *)g->arg;
	const struct rank_row *r = row;
	struct line *l = &g->t->line;

	if (r->of == RANK_OF_SITE)
		tables_fit(g->t, schema_path(&x->schema, r->site), 0);
	else if (r->of == RANK_OF_FUNC)
		tables_name(g->t, r->func ? r->func->name : "(no call path)");
	else if (r->type)
		line_add(l, "%c%s", r->mark, r->type);
	else
		line_add(l, "(type not known)");
}

static const struct grid_column columns[] = {
	COLUMN("most/mean", TEXT, 8, ranks_get, IMBALANCE,
	       "the imbalance: the rank with the most, divided by the mean; "
	       "1.00: all have the same"),
	COLUMN("mean", BYTES, 12, ranks_get, MEAN,
	       "bytes of a rank, on average"),
	COLUMN("most", BYTES, 12, ranks_get, MOST,
	       "bytes of the rank with the most"),
	COLUMN("rank", TEXT, 6, ranks_get, MOST_AT,
	       "this rank, the first if "
	       "several have the same",
	       .term = "rank"),
	COLUMN("least", BYTES, 12, ranks_get, LEAST,
	       "bytes of the rank with the least"),
	COLUMN("rank", TEXT, 6, ranks_get, LEAST_AT, NULL),
	COLUMN("ranks", COUNT, 6, ranks_get, SOME, "how many ranks have any"),
	NAME("name", "   ", ranks_put,
	     "the function that allocated, the call path or the type"),
};

static const struct legend legend = {
	.about = "The figures of the processes (ranks) of the job, sorted by "
		 "how "
		 "far the rank with the most is above the mean.  Peaks are "
		 "those of each rank by itself.",
};

/* The excess over the mean of the rank with most. */
static uint64_t
above(const struct ranks *x, const struct rank_row *r)
{
	const struct rank_spread *s = &r->figure[x->figure];

	return amount_sub(s->most, rank_mean(x->r, s));
}

/* The current figure, for ranks_compare(): qsort() takes no argument. */
static const struct ranks *sorted;

static int
ranks_compare(const void *va, const void *vb)
{
	const struct rank_row *a = va, *b = vb;
	uint64_t x = above(sorted, a), y = above(sorted, b);

	if (x != y)
		return x < y ? 1 : -1;
	x = a->figure[sorted->figure].sum;
	y = b->figure[sorted->figure].sum;
	if (x != y)
		return x < y ? 1 : -1;
	/* Then in the order of the profile. */
	if (a->site != b->site)
		return a->site < b->site ? -1 : 1;
	if (a->func != b->func)
		return a->func < b->func ? -1 : 1;
	return a->type && b->type ? strcmp(a->type, b->type)
				  : !a->type - !b->type;
}

static bool
ranks_worth(const void *row, size_t place, void *arg)
{
	const struct grid *g = arg;
	const struct ranks *x = g->arg;
	size_t top = g->t->o->top;

	return top ? place < top : tables_worth(g->t, above(x, row), x->most);
}

/* Rows have different ranks, so rows that are left out are only counted. */
static void
ranks_add(void *other, const void *row)
{
	(void)other, (void)row;
}

static void
print_figure(struct tables *t, struct ranks *x, struct rank_row *v, size_t n)
{
#define R(id, name, meaning, title) title,
	static const char *const title[] = { RANKS_FIGURES(R) };
#undef R
	const struct rank_row *all = x->r->rows;
	struct grid g;
	size_t left;

	x->most = all->figure[x->figure].sum;
	line_end(&t->line);
	line_say(&t->line, "%s", title[x->figure]);
	line_end(&t->line);
	if (!x->most) {
		tables_nothing(t);
		return;
	}
	x->most /= x->r->n;
	sorted = x;
	qsort(v, n, sizeof *v, ranks_compare);
	GRID_INIT(&g, t, columns);
	g.arg = x;
	left = grid_pick(v, n, sizeof *v, t->o->top, ranks_worth, ranks_add,
			 NULL, &g);
	grid_print(&g, &(struct grid_rows){ GRID_ROWS(v, left), .total = all });
	if (left < n)
		tables_left_out(t, n - left, "row",
				"whose largest rank is above the mean by "
				"less than",
				" of the mean of all");
}

/* ----------------------------------------------------------------- above -- */

static void
put_host(const struct grid *g, const void *row)
{
	const struct rank_host *h = row;

	tables_name(g->t, *h->name ? h->name : "(not known)");
}

static const struct grid_column hosts[] = {
	MEMBER("ranks", COUNT, 6, rank_host, ranks, NULL),
	MEMBER("peak, about", BYTES, 14, rank_host, about, NULL),
	MEMBER("at most", BYTES, 14, rank_host, most, NULL),
	NAME("host", "   ", put_host, NULL),
};

static void
print_hosts(struct tables *t)
{
	const struct profile_ranks *r = &t->p->ranks;

	GRID_TABLE(t, hosts, r->hosts, r->nhosts, NULL);
	line_end(&t->line);
	line_say(&t->line, "The bytes that the ranks of a host held at the "
			   "same time: about, "
			   "by their snapshots, and at most.");
}

/* Print the number of processes and jobs, and what became of processes. */
static void
ranks_print_head(struct tables *t)
{
	const struct profile_ranks *r = &t->p->ranks;
	size_t jobs = 0, unknown = 0, killed = 0;

	for (size_t i = 0; i < r->n; i++) {
		jobs += r->v[i].known &&
			(!i || strcmp(r->v[i].job, r->v[i - 1].job) != 0);
		unknown += !r->v[i].known;
	}
	for (size_t i = 0; i < t->p->nruns; i++)
		killed += t->p->runs[i].killed;
	line_several(&t->line, r->n, "rank");
	if (jobs > 1)
		line_add(&t->line, " of %zu jobs", jobs);
	else if (jobs && *r->v->job)
		line_add(&t->line, " of job %s", r->v->job);
	line_add(&t->line, " on ");
	line_several(&t->line, r->nhosts, "host");
	if (unknown)
		line_add(&t->line, "; %zu of no known rank: data files",
			 unknown);
	if (killed)
		line_add(&t->line,
			 "; %zu without a final file (figures as last written)",
			 killed);
	line_end(&t->line);
	line_end(&t->line);
}

/* Copy the rows of one kind; *n gets their number.  NULL: out of memory. */
static struct rank_row *
rows_of(struct tables *t, enum rank_of of, size_t *n)
{
	const struct profile_ranks *r = &t->p->ranks;
	struct rank_row *v = tables_room(t, r->nrows, sizeof *v);

	*n = 0;
	for (size_t i = 0; i < r->nrows; i++)
		if (r->rows[i].of == of)
			v[(*n)++] = r->rows[i];
	return v;
}

static int
ranks_print_rows(struct tables *t)
{
	const char *by = t->o->ranks_by ? t->o->ranks_by : "function";
	enum rank_of of = !strcmp(by, "site")	? RANK_OF_SITE
			  : !strcmp(by, "type") ? RANK_OF_TYPE
						: RANK_OF_FUNC;
	struct ranks x = { .r = &t->p->ranks };
	struct rank_row *v;
	size_t n;
	bool failed = false;

	schema_start(&x.schema, t->p);
	for (int f = 0; f < RANK_NFIGURE && !failed; f++) {
		x.figure = (enum rank_figure)f;
		v = rows_of(t, of, &n);
		if (v)
			print_figure(t, &x, v, n);
		failed = !v || x.schema.failed;
	}
	schema_fini(&x.schema);
	GRID_LEGEND(t, columns, &legend);
	return failed ? -1 : 0;
}

int
ranks_print(struct tables *t)
{
	const struct profile_ranks *r = &t->p->ranks;

	tables_title(t, "Ranks");
	if (!r->known) {
		line_say(&t->line, "They can't be compared: %s.",
			 r->why ? r->why : "--ranks was not given");
		return 0;
	}
	ranks_print_head(t);
	print_hosts(t);
	return ranks_print_rows(t);
}
