/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact quantiles of sizes and lifetimes.  The q-th quantile of n values is the
 * value of rank ceil(q n).  The log is read as many times as it takes to find
 * them (selection.h).
 */
#include "display/blocks/block.h"
#include "display/grid/legend.h"
#include "display/grid/view.h"

#include "display/blocks/selection.h"
#include "display/grid/paths.h"
#include "display/text/intern.h"
#include "display/text/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TOP = 10 };

static const unsigned percent[] = { 0, 1, 10, 25, 50, 75, 90, 99, 100 };
enum { QUANTILES = sizeof percent / sizeof *percent };
_Static_assert((int)QUANTILES <= (int)SELECTION_MOST, "room");

static const struct legend legend = {
	.about = "How large blocks were, and how long they lived: in all, by "
		 "type, and by call path.  90 percent of the blocks don't "
		 "exceed the value below 90%.  These figures are exact.",
	.indent = 11,
	.terms = {
		{ "size", "bytes that the program asked for" },
		{ "life", "how long blocks lived that were freed or "
			  "reallocated; other blocks are missing" },
	},
};

struct group {
	const char *type; /* if the group is a type, else NULL */
	uint64_t blocks, freed;
	struct selection size, life;
	bool shown;
};

struct groups {
	struct tables *t;
	struct group all;
	struct group *site; /* nsites + 1 */
	struct group *type; /* ntype; name "" if the type is unknown */
	size_t ntype;
	size_t *type_of; /* of each site */
};

/* Collect the types of all sites, each once.  0 or -1. */
static int
types_init(struct groups *g)
{
	const struct profile *p = g->t->p;
	struct intern names = { 0 };
	int status = 0;

	g->type = tables_room(g->t, p->nsites, sizeof *g->type);
	g->type_of = tables_room(g->t, p->nsites, sizeof *g->type_of);
	for (size_t i = 0; i <= p->nsites; i++) {
		const char *name = i < p->nsites ? p->sites[i].type : NULL;
		uint32_t n = intern_text(&names, name ? name : "");

		if (n == INTERN_FAILED) {
			status = -1;
			break;
		}
		g->type_of[i] = n;
		g->type[n].type = names.text[n];
	}
	g->ntype = names.n;
	intern_fini(&names);
	return status;
}

/* ---------------------------------------------------------------- values -- */

static void
quantiles_count(struct group *g, const struct block *b)
{
	g->blocks++;
	g->freed += b->died != UINT64_MAX && !b->early;
}

static int
count_all(void *arg, const struct block *b)
{
	struct groups *g = arg;
	size_t i = block_site(g->t->p, b);

	quantiles_count(&g->all, b);
	quantiles_count(&g->site[i], b);
	quantiles_count(&g->type[g->type_of[i]], b);
	return 0;
}

static void
quantiles_add(struct group *g, const struct block *b)
{
	if (!g->shown)
		return;
	selection_add(&g->size, b->size);
	if (b->died != UINT64_MAX && !b->early)
		selection_add(&g->life, b->died - b->born);
}

static int
quantiles_add_all(void *arg, const struct block *b)
{
	struct groups *g = arg;
	size_t i = block_site(g->t->p, b);

	quantiles_add(&g->all, b);
	quantiles_add(&g->site[i], b);
	quantiles_add(&g->type[g->type_of[i]], b);
	return 0;
}

/* Show this group, so look for its quantiles.  0 or -1. */
static int
quantiles_show(struct group *g)
{
	g->shown = true;
	return selection_init(&g->size, g->blocks, percent, QUANTILES) ||
			       selection_init(&g->life, g->freed, percent,
					      QUANTILES)
		       ? -1
		       : 0;
}

static void
group_fini(struct group *g)
{
	selection_fini(&g->size);
	selection_fini(&g->life);
}

/* Must the blocks be added once more?  1 or 0; -1: out of memory. */
static int
quantiles_next(struct group *g)
{
	int size, life;

	if (!g->shown)
		return 0;
	size = selection_next(&g->size);
	life = selection_next(&g->life);
	return size < 0 || life < 0 ? -1 : size || life;
}

static int
next_all(struct groups *g)
{
	int again = quantiles_next(&g->all), one;

	for (size_t i = 0; again >= 0 && i <= g->t->p->nsites; i++) {
		one = quantiles_next(&g->site[i]);
		again = one < 0 ? -1 : again | one;
	}
	for (size_t i = 0; again >= 0 && i < g->ntype; i++) {
		one = quantiles_next(&g->type[i]);
		again = one < 0 ? -1 : again | one;
	}
	return again;
}

/* ----------------------------------------------------------------- print -- */

static void
quantiles_header(struct groups *g, const char *what)
{
	struct line *l = &g->t->line;
	char name[8];

	line_end(l);
	line_add(l, "%-8s %10s", what, "blocks");
	for (size_t i = 0; i < QUANTILES; i++) {
		snprintf(name, sizeof name, "%u%%", percent[i]);
		line_add(l, " %9s",
			 !i		      ? "min"
			 : i == QUANTILES - 1 ? "max"
					      : name);
	}
	line_end(l);
}

static void
quantiles_line_of(struct groups *g, const char *what, const struct selection *v,
		  bool time)
{
	struct line *l = &g->t->line;
	char n[NUMBER_SIZE];

	line_add(l, "  %-6s %10" PRIu64, what, v->n);
	for (size_t i = 0; i < QUANTILES; i++) {
		if (!v->n)
			snprintf(n, sizeof n, "-");
		else if (time)
			number_time(n, selection_value(v, i));
		else
			tables_bytes(g->t, n, selection_value(v, i));
		line_add(l, " %9s", n);
	}
	line_end(l);
}

static void
quantiles_values(struct groups *g, const struct group *x)
{
	quantiles_line_of(g, "size", &x->size, false);
	quantiles_line_of(g, "life", &x->life, true);
}

static int
compare_group(const void *va, const void *vb)
{
	const struct group *a = *(struct group *const *)va;
	const struct group *b = *(struct group *const *)vb;

	if (a->blocks != b->blocks)
		return a->blocks < b->blocks ? 1 : -1;
	return a->type ? strcmp(a->type, b->type) : (a > b) - (a < b);
}

/* The groups with the most blocks, in order; NULL: out of memory. */
static struct group **
quantiles_choose(struct tables *t, struct group *from, size_t n, size_t most,
		 size_t *left, size_t *others)
{
	struct group **list = tables_room(t, n, sizeof(struct group *));
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (from[i].blocks)
			list[k++] = &from[i];
	qsort(list, k, sizeof(*list), compare_group);
	*left = k < most ? k : most;
	*others = k - *left;
	for (size_t i = 0; i < *left; i++)
		if (quantiles_show(list[i]))
			return NULL;
	return list;
}

static void
quantiles_name(struct groups *g, const struct group *x, bool type)
{
	const struct profile *p = g->t->p;
	struct line *l = &g->t->line;

	if (type)
		line_add(l, "%s", *x->type ? x->type : "(type not known)");
	else if (x - g->site < (ptrdiff_t)p->nsites)
		paths_print_chain(g->t, p->sites[x - g->site].leaf);
	else
		line_add(l, "(call path not known)");
	line_end(l);
}

static void
quantiles_table(struct groups *g, struct group **list, size_t n, size_t others,
		bool type)
{
	quantiles_header(g, type ? "by type" : "by path");
	for (size_t i = 0; i < n; i++) {
		line_end(&g->t->line);
		quantiles_name(g, list[i], type);
		quantiles_values(g, list[i]);
	}
	if (others) {
		line_end(&g->t->line);
		line_say(&g->t->line, "(%zu other%s, see --top)", others,
			 others == 1 ? "" : "s");
	}
}

/* Find the quantiles and print them.  0, or -1 with an error set. */
static int
quantiles_make(struct groups *g)
{
	const struct profile *p = g->t->p;
	size_t most = block_rows(g->t, TOP), n[2], others[2];
	struct group **sites, **types;
	int status = -1;

	if (profile_log_each(p, count_all, g, g->t->e) ||
	    quantiles_show(&g->all))
		return -1;
	sites = quantiles_choose(g->t, g->site, p->nsites + 1, most, &n[0],
				 &others[0]);
	types = quantiles_choose(g->t, g->type, g->ntype, most, &n[1],
				 &others[1]);
	for (int again = 1; sites && types && again > 0;) {
		again = status =
			profile_log_each(p, quantiles_add_all, g, g->t->e);
		if (!status)
			again = status = next_all(g);
	}
	if (!status) {
		quantiles_header(g, "all");
		quantiles_values(g, &g->all);
		/*
		 * Without known types, this would repeat the line of all
		 * blocks.
		 */
		if (n[1] > 1 || others[1] || (n[1] && *types[0]->type))
			quantiles_table(g, types, n[1], others[1], true);
		quantiles_table(g, sites, n[0], others[0], false);
		legend_explain(g->t, &legend, NULL, NULL);
	}
	return status;
}

int
quantiles_print(struct tables *t)
{
	struct groups g = { .t = t };
	int status = -1;
	size_t i;

	if (!block_title(t, "------------- Sizes and Lifetimes "
			    "--------------"))
		return 0;
	g.site = tables_room(t, t->p->nsites, sizeof *g.site);
	if (!types_init(&g))
		status = quantiles_make(&g);
	group_fini(&g.all);
	for (i = 0; i <= t->p->nsites; i++)
		group_fini(&g.site[i]);
	for (i = 0; g.type && i < g.ntype; i++)
		group_fini(&g.type[i]);
	return status;
}
