/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What points to what, paths, and rings. */
#include "display/grid/grid.h"
#include "display/grid/notes.h"
#include "display/grid/view.h"
#include "display/tables/held.h"
#include "display/text/amount.h"

#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------- who holds -- */

struct edge_row {
	const struct edge *e;
	uint64_t bytes, pointers, interior;
};

static void
get_edge(const struct grid *g, const void *row, unsigned at,
	 struct grid_cell *c)
{
	(void)g;
	c->n = *(const uint64_t *)((const char *)row + at);
}

void
held_member(struct tables *t, const char *member, uint32_t offset)
{
	if (*member)
		line_add(&t->line, " %s", member);
	else if (offset < LINK_FAR && offset)
		line_add(&t->line, " +%u", (unsigned)offset);
}

static void
put_edge(const struct grid *g, const void *row)
{
	const struct edge *e = ((const struct edge_row *)row)->e;
	struct tables *t = g->t;

	if (e->root)
		line_add(&t->line, "%s", e->root->name);
	else
		held_site(t, e->holder, false);
	held_member(t, e->member, e->offset);
	line_add(&t->line, " -> ");
	held_site(t, e->held, false);
}

static const struct grid_column of_edges[] = {
	COLUMN("bytes", BYTES, 14, get_edge, offsetof(struct edge_row, bytes),
	       "bytes of the blocks pointed to, once for each pointer"),
	COLUMN("pointers", COUNT, 11, get_edge,
	       offsetof(struct edge_row, pointers), "how many pointers"),
	NAME(" holder -> held", "   ", put_edge,
	     "a root or a type of blocks, the member with the pointer (or its "
	     "offset: +8), and what it points to"),
};

static const struct legend legend_edges = {
	.about = "What points to live blocks.",
	.indent = 10,
};

/* Do they look the same? */
static bool
is_same(const struct profile *p, const struct edge *a, const struct edge *b)
{
	const struct site *x = p->sites;

	return a->root == b->root && !strcmp(a->member, b->member) &&
	       (*a->member || a->offset == b->offset) &&
	       (a->root || a->holder == b->holder ||
		(x[a->holder].type &&
		 x[a->holder].type == x[b->holder].type)) &&
	       (a->held == b->held ||
		(x[a->held].type && x[a->held].type == x[b->held].type));
}

static int
compare_edges(const void *va, const void *vb)
{
	const struct edge_row *a = va, *b = vb;

	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	return a->e < b->e ? -1 : a->e > b->e;
}

/* Rows of the edges that are asked for; how many. */
static size_t
collect(const struct tables *t, struct edge_row *row, size_t most)
{
	const struct links *l = &t->p->links;
	size_t n = 0, k;

	for (size_t i = 0; i < l->nedges; i++) {
		const struct edge *e = &l->edges[i];

		if (!held_is(t->p, e->held, &t->o->holders_of))
			continue;
		for (k = 0; k < n && !is_same(t->p, row[k].e, e); k++)
			;
		if (k == most)
			continue;
		if (k == n)
			row[n++] = (struct edge_row){ .e = e };
		row[k].bytes = amount_add(row[k].bytes, e->bytes);
		row[k].pointers = amount_add(row[k].pointers, e->pointers);
		row[k].interior = amount_add(row[k].interior, e->interior);
	}
	qsort(row, n, sizeof *row, compare_edges);
	return n;
}

/* Rows that are told apart, and that are printed unless --top says. */
enum { EDGES_MOST = 2000, EDGES = 30 };

int
holders_print(struct tables *t)
{
	const struct links *l = &t->p->links;
	struct edge_row *row;
	struct grid g;
	size_t n, most = t->o->top ? t->o->top : EDGES;
	char buf[NUMBER_SIZE];

	if (!held_known(t, "--------- What Points to What ------------"))
		return 0;
	row = calloc(EDGES_MOST, sizeof *row);
	if (!row)
		return -1;
	n = collect(t, row, EDGES_MOST);
	GRID_INIT(&g, t, of_edges);
	grid_print(&g, &(struct grid_rows){ .v = row,
					    .n = n < most ? n : most,
					    .size = sizeof *row });
	if (n > most)
		line_say(&t->line, "left out: %zu rows; see --top", n - most);
	if (l->beyond)
		line_say(&t->line,
			 "%s pointers are in no row: there are too many "
			 "different ones.",
			 number_grouped(buf, l->beyond));
	grid_legend(&g, &legend_edges);
	free(row);
	return 0;
}

/* --------------------------------------------------------------- rings -- */

/* Rings that are printed unless --top says. */
enum { RINGS = 5 };

static void
print_ring(struct tables *t, const struct ring *r)
{
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	line_add(l, "  %s ", tables_bytes(t, buf, r->bytes));
	line_add(l, "bytes in ");
	line_several(l, r->blocks, "block");
	line_add(l, ", %s ", number_grouped(buf, r->count));
	line_add(l, r->count == 1 ? "ring" : "rings of one kind");
	line_end(l);
	for (size_t i = 0; i < r->n; i++) {
		line_add(l, i ? "    -> " : "    ");
		held_site(t, r->step[i].holder, !i);
		held_member(t, r->step[i].member, r->step[i].offset);
		line_end(l);
	}
	if (r->length > r->n)
		line_say(l, "    -> (%llu more blocks)",
			 (unsigned long long)(r->length - r->n));
	line_say(l, "    -> (the first block)");
}

void
held_rings(struct tables *t)
{
	const struct links *l = &t->p->links;
	size_t most = t->o->top ? t->o->top : RINGS;

	if (!l->nrings)
		return;
	line_end(&t->line);
	tables_say(t, "Rings of lost blocks, which keep each other:");
	for (size_t i = 0; i < l->nrings && i < most; i++) {
		line_end(&t->line);
		print_ring(t, &l->rings[i]);
	}
	if (l->nrings > most)
		line_say(&t->line, "left out: %zu kinds of rings; see --top",
			 l->nrings - most);
}

/* --------------------------------------------------------------- paths -- */

/* Paths that are printed unless --top says. */
enum { PATHS = 3 };

static void
print_path(struct tables *t, const struct step *s, size_t n)
{
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	line_add(l, "%s bytes retained by one block: ",
		 tables_bytes(t, buf, t->p->links.retained[s->site].most));
	held_site(t, s->site, true);
	line_end(l);
	for (size_t i = 0; i < n; i++) {
		line_add(l, i ? "    -> " : "    ");
		if (s[i].root)
			line_add(l, "%s", s[i].root->name);
		else
			held_site(t, s[i].holder, false);
		held_member(t, s[i].member, s[i].offset);
		line_end(l);
		if (i + 1 < n && s[i + 1].n > s[i].n + 1)
			line_say(l, "    -> (%u blocks)",
				 (unsigned)(s[i + 1].n - s[i].n - 1));
	}
	line_add(l, "    -> ");
	held_site(t, s->site, false);
	line_end(l);
}

int
path_to_print(struct tables *t)
{
	const struct links *l = &t->p->links;
	size_t most = t->o->top ? t->o->top : PATHS;
	uint64_t below = UINT64_MAX;

	if (!held_known(t, "--------- Paths from a Root ------------"))
		return 0;
	while (most-- > 0) {
		size_t best = SIZE_MAX, n;

		for (size_t i = 0; i < l->nsteps; i++)
			if (!l->steps[i].n &&
			    held_is(t->p, l->steps[i].site,
				    &t->o->path_to_of) &&
			    l->retained[l->steps[i].site].most < below &&
			    (best == SIZE_MAX ||
			     l->retained[l->steps[i].site].most >
				     l->retained[l->steps[best].site].most))
				best = i;
		if (best == SIZE_MAX)
			break;
		below = l->retained[l->steps[best].site].most;
		for (n = 1; best + n < l->nsteps &&
			    l->steps[best + n].site == l->steps[best].site;)
			n++;
		print_path(t, &l->steps[best], n);
		line_end(&t->line);
	}
	return 0;
}
