/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call graph: which functions allocated, and through which callees. */
#include "display/grid/legend.h"
#include "display/grid/view.h"
#include "display/text/amount.h"
#include "display/text/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct legend legend = {
	.about = "Each entry is about one function, in the line that begins "
		 "with a number.  Above it are its callers (ancestors), "
		 "below it the functions that it called (descendents), if "
		 "the calls led to an allocation.",
	.terms = {
		{ "The function's own line:", NULL },
		{ "self + desc", "share of all bytes that the function and "
				 "its descendants allocated; each block "
				 "counts once" },
		{ "self (%)", "bytes that the function itself allocated, and "
			      "their share of its self + desc" },
		{ "kept", "how many bytes of self + desc were not freed" },
		{ "at peak", "how many bytes of self + desc were live at the "
			     "program's peak, if the data file has them" },
		{ "size-func", "the function's own bytes, by size of block" },
		{ "called", "calls from other functions that led to an "
			    "allocation" },
		{ "+recur", "calls from itself or, for a cycle, within the "
			    "cycle" },
		{ "A line above or below:", NULL },
		{ "self (%)", "bytes allocated through this caller, or this "
			      "called function, and their share of the "
			      "entry's self + desc" },
		{ "kept", "how many of these bytes were not freed" },
		{ "at peak", "how many of these bytes were live at the "
			     "program's peak" },
		{ "size-func", "these bytes by size of block, as shares of "
			       "themselves" },
		{ "frac", "the same, as shares of the entry's self + desc" },
		{ "called", "calls through this caller, or to this function" },
		{ "/total", "all calls that the caller made, or all calls to "
			    "this function" },
		{ "all", "all callers, or all called functions, together" },
		{ "(inlined)", "the compiler put this function into all its "
			       "callers or, below an entry, into the entry's "
			       "function" },
	},
	.notes = { "Functions that call one another in a circle are a "
		   "cycle.  Its entry has the members below its own line, "
		   "each with the bytes that it allocated itself, and then "
		   "the functions that the cycle called.  The members have "
		   "entries, too; a block may pass through several lines of "
		   "such an entry, so the lines don't add up.",
		   legend_classes, legend_percent },
};

struct widths {
	size_t index, bytes, kept, called, total;
	size_t peak; /* 0: no column */
};

/* An entry: a function or a cycle, with its callers and callees. */
struct entry {
	const struct node *node;
	size_t number;
	const struct counts *self, *total;
	uint64_t calls, recursive;
	struct link *parents, *children;
	size_t nparents, nchildren;
};

/* The state of graph_print().  links has room for the links of any entry. */
struct graph {
	struct tables *t;
	struct widths w;
	struct link *links;
	bool *seen; /* by node: does any entry name it? */
};

/* Are both in the same cycle? */
static bool
graph_inside(const struct node *node, const struct func *other)
{
	return node->cycle && node->cycle->number == other->cycle;
}

static struct link
link_of(const struct func *other, const struct counts *c, uint64_t calls,
	bool inlined)
{
	struct link l = { other, c, counts_sum(c->bytes), calls, inlined };

	return l;
}

/* Fill *e for a function.  Its arcs to itself count as recursive calls only. */
static void
entry_of_func(const struct func *f, struct entry *e)
{
	e->self = &f->self;
	e->total = &f->total;
	e->calls = f->calls;
	e->recursive = f->recursive;
	for (size_t i = 0; i < f->ncallers; i++) {
		const struct arc *a = f->callers[i];

		if (a->caller != f)
			e->parents[e->nparents++] =
				link_of(a->caller, &a->count, a->calls, false);
	}
	e->children = e->parents + e->nparents;
	for (size_t i = 0; i < f->ncallees; i++) {
		const struct arc *a = f->callees[i];

		if (a->callee != f)
			e->children[e->nchildren++] =
				link_of(a->callee, &a->count, a->calls,
					a->inlined);
	}
}

static void
entry_of_cycle(const struct cycle *c, struct entry *e)
{
	e->self = &c->self;
	e->total = &c->total;
	e->calls = c->calls;
	e->recursive = c->internal;
	for (size_t i = 0; i < c->ncallers; i++)
		e->parents[e->nparents++] =
			link_of(c->callers[i].other, &c->callers[i].count,
				c->callers[i].calls, false);
	e->children = e->parents + e->nparents;
	for (size_t i = 0; i < c->ncallees; i++)
		e->children[e->nchildren++] =
			link_of(c->callees[i].other, &c->callees[i].count,
				c->callees[i].calls, false);
}

static void
entry_of(struct graph *g, size_t number, struct entry *e)
{
	const struct node *node = &g->t->nodes.v[number];

	memset(e, 0, sizeof *e);
	e->node = node;
	e->number = number;
	e->parents = g->links;
	if (node->func)
		entry_of_func(node->func, e);
	else
		entry_of_cycle(node->cycle, e);
	nodes_sort_parents(e->parents, e->nparents);
	nodes_sort_children(e->children, e->nchildren);
}

/* Print the columns from bytes to the peak, and the bar. */
static void
amounts(struct graph *g, const struct counts *of, const char *percent,
	const struct counts *c)
{
	uint64_t bytes = counts_sum(of->bytes), kept = amount_kept(c);
	struct line *l = &g->t->line;
	char buf[NUMBER_SIZE];

	line_right(l, g->w.bytes, tables_bytes(g->t, buf, bytes));
	errors_add(g->t, bytes, of->var[PROFILE_E_BYTES]);
	line_add(l, " %-5s", percent);
	line_right(l, g->w.kept, tables_bytes(g->t, buf, kept));
	errors_add(g->t, kept, c->var[PROFILE_E_KEPT]);
	if (g->w.peak) {
		line_right(l, g->w.peak, tables_bytes(g->t, buf, c->peak));
		errors_add(g->t, c->peak, c->var[PROFILE_E_PEAK]);
	}
	line_add(l, " |");
}

/*
 * Print the name with number and cycle, and end the line.  inlined: all calls
 * on this line are inlined.
 */
static void
graph_name(struct graph *g, size_t number, bool inlined)
{
	const struct node *node = &g->t->nodes.v[number];
	struct line *l = &g->t->line;

	/* Leave room for the suffix. */
	tables_fit(g->t, node->label, sizeof " [1234] in <cycle 12>" - 1);
	line_add(l, " [%zu]", number);
	if (node->func && node->cycle)
		line_add(l, " in <cycle %u>", node->cycle->number);
	else if (node->cycle)
		line_add(l, " as a whole");
	if (inlined)
		line_add(l, " (inlined)");
	line_end(l);
	g->seen[number] = true;
}

/* Print the calls, out of a total; `total' "" leaves that column blank. */
static void
calls(struct graph *g, const char *called, const char *total)
{
	line_right(&g->t->line, g->w.called, called);
	line_left(&g->t->line, g->w.total, total);
}

/*
 * Print a parent or child: its share of the entry's bytes, and the calls, out
 * of a total; or, with total NULL, a member of the entry's cycle.
 */
static void
link_line(struct graph *g, const struct entry *e, const struct link *link,
	  const uint64_t *total)
{
	uint64_t all = counts_sum(e->total->bytes);
	char buf[NUMBER_SIZE], of[NUMBER_SIZE + 1] = "";
	struct line *l = &g->t->line;

	line_right(l, g->w.index + 7, "");
	amounts(g, link->count, number_cell(buf, link->bytes, all),
		link->count);
	line_add(l, "%s |",
		 number_classes(buf, link->count->bytes, link->bytes));
	line_add(l, "%s |", number_classes(buf, link->count->bytes, all));
	/* The total doesn't include calls within a cycle. */
	if (total && (!e->node->func || !graph_inside(e->node, link->other)))
		snprintf(of, sizeof of, "/%" PRIu64, *total);
	calls(g, total ? number_count(buf, link->calls) : "", of);
	line_add(l, "    ");
	graph_name(g, nodes_number(&g->t->nodes, link->other), link->inlined);
}

/* Print the sum of two or more parents or children. */
static void
all_line(struct graph *g, const struct entry *e, const struct link *links,
	 size_t n)
{
	struct counts sum = { 0 };
	struct line *l = &g->t->line;
	char buf[NUMBER_SIZE];

	/* A block may pass through several arcs of a cycle's member: no sum. */
	if (n < 2 || (e->node->func && e->node->cycle))
		return;
	for (size_t i = 0; i < n; i++)
		counts_add(&sum, links[i].count);
	line_right(l, g->w.index + 7, "all");
	amounts(g, &sum, "", &sum);
	line_say(l, "%s |%12s |",
		 number_classes(buf, sum.bytes, counts_sum(sum.bytes)), "");
}

static void
self_line(struct graph *g, const struct entry *e)
{
	uint64_t total = counts_sum(e->total->bytes),
		 self = counts_sum(e->self->bytes);
	uint64_t program = counts_sum(g->t->p->total.bytes);
	char buf[NUMBER_SIZE], of[NUMBER_SIZE + 1] = "";
	struct line *l = &g->t->line;

	snprintf(of, sizeof of, "[%zu]", e->number);
	line_left(l, g->w.index, of);
	line_add(l, "%7s", number_tenths(buf, total, program));
	amounts(g, e->self, number_cell(buf, self, total), e->total);
	line_add(l, "%s | ----------- |",
		 number_classes(buf, e->self->bytes, self));
	of[0] = '\0';
	if (e->recursive)
		snprintf(of, sizeof of, "+%" PRIu64, e->recursive);
	calls(g, number_count(buf, e->calls), of);
	graph_name(g, e->number, e->node->func && e->node->func->inlined);
}

static void
graph_rule(struct graph *g)
{
	struct line *l = &g->t->line;
	const char *letters = legend_letters(g->t);

	line_end(l);
	line_dashes(l, g->w.index + 7 + g->w.bytes + 6 + g->w.kept + g->w.peak +
			       4 + (g->w.peak ? 3 : 2) * errors_width(g->t));
	line_add(l, "%s", letters);
	line_dashes(l, 4);
	line_add(l, "%s", letters);
	line_dashes(l, 10);
	line_end(l);
	line_end(l);
}

static void
header_line(struct graph *g, int i)
{
	static const struct {
		const char *index, *share, *bytes, *percent, *kept, *peak,
			*size, *frac, *total, *name;
	} text[3] = { { "", "self", "", "", "", "", "     /ances",
			"     /ances", "/total", "    ancestors" },
		      { "index", "+  ", "self", "(%)", "kept", "at peak",
			" size-func", " frac", "/recur", "name [index]" },
		      { "", "desc", "", "", "", "", "     \\desc",
			"     \\desc", "/total", "    descendents" } };
	struct line *l = &g->t->line;
	void (*error)(struct tables * t) = i == 1 ? errors_head : errors_blank;

	line_left(l, g->w.index, text[i].index);
	line_right(l, 7, text[i].share);
	line_right(l, g->w.bytes, text[i].bytes);
	error(g->t);
	line_add(l, " %-5s", text[i].percent);
	line_right(l, g->w.kept, text[i].kept);
	error(g->t);
	if (g->w.peak) {
		line_right(l, g->w.peak, text[i].peak);
		error(g->t);
	}
	line_add(l, " |%-12s |%-12s |", text[i].size, text[i].frac);
	calls(g, "called", text[i].total);
	line_say(l, "%s", text[i].name);
}

/* The number of calls to a child, or to its cycle if it is in one. */
static const uint64_t *
calls_into(const struct graph *g, const struct func *child)
{
	const struct profile *p = g->t->p;

	if (child->cycle && child->cycle <= p->ncycles)
		return &p->cycles[child->cycle - 1].calls;
	return &child->calls;
}

static int
compare_members(const void *va, const void *vb, void *sort)
{
	size_t a = nodes_number(sort, *(const struct func *const *)va);
	size_t b = nodes_number(sort, *(const struct func *const *)vb);

	return (a > b) - (a < b);
}

/* Print the members of the entry's cycle, in the order of the graph. */
static void
graph_members(struct graph *g, const struct entry *e)
{
	const struct cycle *c = e->node->cycle;
	struct func **member;

	if (e->node->func)
		return;
	member = tables_room(g->t, c->nmembers, sizeof(struct func *));
	memcpy(member, c->members, c->nmembers * sizeof(struct func *));
	qsort_r(member, c->nmembers, sizeof(struct func *), compare_members,
		&g->t->nodes);
	for (size_t i = 0; i < c->nmembers; i++) {
		struct link l = link_of(member[i], &member[i]->self, 0, false);

		link_line(g, e, &l, NULL);
	}
}

static void
print_entry(struct graph *g, size_t number)
{
	struct entry e;

	entry_of(g, number, &e);
	all_line(g, &e, e.parents, e.nparents);
	for (size_t i = 0; i < e.nparents; i++)
		link_line(g, &e, &e.parents[i], &e.parents[i].other->outcalls);
	self_line(g, &e);
	graph_members(g, &e);
	for (size_t i = 0; i < e.nchildren; i++)
		link_line(g, &e, &e.children[i],
			  calls_into(g, e.children[i].other));
	all_line(g, &e, e.children, e.nchildren);
	graph_rule(g);
}

static uint64_t
larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void
graph_widen(size_t *width, size_t n)
{
	if (*width < n)
		*width = n;
}

/* The largest number of calls on any line. */
static uint64_t
most_calls(const struct profile *p)
{
	uint64_t most = 0;

	for (size_t i = 0; i < p->narcs; i++)
		most = larger(most, p->arcs[i]->calls);
	for (size_t i = 0; i < p->nfuncs; i++) {
		most = larger(most, p->funcs[i]->calls);
		most = larger(most, p->funcs[i]->recursive);
		most = larger(most, p->funcs[i]->outcalls);
	}
	for (size_t i = 0; i < p->ncycles; i++) {
		most = larger(most, p->cycles[i].calls);
		most = larger(most, p->cycles[i].internal);
	}
	return most;
}

static void
graph_measure(struct graph *g)
{
	const struct counts *all = &g->t->p->total;
	size_t n = number_bytes_width(most_calls(g->t->p), false);
	bool human = g->t->o->human;

	g->w = (struct widths){ 5, 9, 9, 8, 9, 0 };
	graph_widen(&g->w.called, n + 1);
	graph_widen(&g->w.total, n + 2);
	graph_widen(&g->w.bytes,
		    number_bytes_width(counts_sum(all->bytes), human) + 1);
	graph_widen(&g->w.kept, number_bytes_width(amount_kept(all), human));
	graph_widen(&g->w.index, number_bytes_width(g->t->nodes.n, false) + 2);
	if (!g->t->p->peaks_known)
		return;
	g->w.peak = 10;
	graph_widen(&g->w.peak, number_bytes_width(all->peak, human) + 1);
}

/* Make room for the lines of the largest entry, and for marks on all nodes. */
static void
graph_reserve(struct graph *g)
{
	const struct profile *p = g->t->p;
	size_t most = 0;

	for (size_t i = 0; i < p->nfuncs; i++)
		graph_widen(&most,
			    p->funcs[i]->ncallers + p->funcs[i]->ncallees);
	for (size_t i = 0; i < p->ncycles; i++)
		graph_widen(&most,
			    p->cycles[i].ncallers + p->cycles[i].ncallees);
	g->links = tables_room(g->t, most, sizeof *g->links);
	g->seen = tables_room(g->t, g->t->nodes.n, sizeof *g->seen);
}

/* Print which figures aren't exact because recursion was folded. */
static void
explain_folded(struct tables *t)
{
	const struct profile *p = t->p;

	if (p->joined_ends)
		legend_note(t, "Recursion was folded, and cycles were "
			       "joined, when they were recorded.  Within a "
			       "cycle, the number of calls, their bytes, and "
			       "the self + desc of the members aren't exact.");
	else if (p->joined)
		legend_note(t, "Recursion was folded, and cycles were "
			       "joined, when they were recorded.  Within a "
			       "cycle, the number of calls and their bytes "
			       "aren't exact.");
	else if (p->folded)
		legend_note(t, "Recursion was folded when it was recorded: "
			       "+recur, and called within a cycle, are lower "
			       "bounds.");
}

int
graph_print(struct tables *t)
{
	struct graph g = { .t = t };

	graph_reserve(&g);
	tables_notes(t, CONDITION_HEADED);
	if (!t->nodes.n) {
		tables_nothing(t);
		return 0;
	}
	graph_measure(&g);
	for (int i = 0; i < 3; i++)
		header_line(&g, i);
	graph_rule(&g);
	for (size_t i = 0; i < t->nodes.n; i++)
		if (t->graph_on[i])
			print_entry(&g, i);
	index_print(t, g.seen);
	legend_explain(t, &legend, NULL, NULL);
	explain_folded(t);
	return 0;
}
