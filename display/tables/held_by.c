/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heap as a graph: which blocks point to which, paths, and rings. */
#include "display/grid/grid.h"
#include "display/grid/view.h"
#include "display/tables/held.h"
#include "display/text/amount.h"
#include "reduce/base/sort.h"

#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------- who holds -- */

struct edge_row {
	const struct edge *e;
	uint64_t bytes, pointers, interior;
	size_t offsets; /* number of offsets in the row; 0: one */
};

/* Pointers at more offsets than this are one row. */
enum { OFFSETS = 4 };

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
	const struct edge_row *r = row;
	const struct edge *e = r->e;
	struct tables *t = g->t;

	if (e->root)
		line_add(&t->line, "%s", e->root->name);
	else
		held_site(t, e->holder, false);
	if (r->offsets)
		line_add(&t->line, " (%zu offsets)", r->offsets);
	else
		held_member(t, e->member, e->offset);
	line_add(&t->line, " -> ");
	held_site(t, e->held, false);
}

static const struct grid_column of_edges[] = {
	MEMBER("bytes", BYTES, 14, edge_row, bytes,
	       "bytes of the blocks pointed to, once for each pointer"),
	MEMBER("pointers", COUNT, 11, edge_row, pointers, "how many pointers"),
	NAME(" holder -> held", "   ", put_edge,
	     "a root or a type of blocks, the member with the pointer (or its "
	     "offset: +8; none is +0), and what it points to"),
};

static const struct legend legend_edges = {
	.about = "What points to live blocks.",
	.indent = 10,
};

/* Would both edges print the same?  any: regardless of the offset. */
static bool
held_by_is_same(const struct profile *p, const struct edge *a,
		const struct edge *b, bool any)
{
	const struct site *x = p->sites;

	return a->root == b->root && !strcmp(a->member, b->member) &&
	       (any || *a->member || a->offset == b->offset) &&
	       (a->root || a->holder == b->holder ||
		(x[a->holder].type &&
		 x[a->holder].type == x[b->holder].type)) &&
	       (a->held == b->held ||
		(x[a->held].type && x[a->held].type == x[b->held].type));
}

SORT_BY(compare_edges, struct edge_row, SORT_DOWN(bytes) SORT_UP(e))

static uint64_t
held_by_hash_of(const struct profile *p, const struct edge *e, bool any)
{
	const struct site *x = &p->sites[e->holder], *y = &p->sites[e->held];
	uint64_t h = e->root   ? (uintptr_t)e->root
		     : x->type ? (uintptr_t)x->type
			       : e->holder;

	h = h * 31 + (y->type ? (uintptr_t)y->type : e->held);
	for (const char *s = e->member; *s; s++)
		h = h * 31 + (unsigned char)*s;
	return (h + (any || *e->member ? 0 : e->offset)) *
	       0x9e3779b97f4a7c15ull;
}

/*
 * The place in the table for the edge: number + 1 of the row that prints the
 * same, or 0.
 */
static size_t *
held_by_find(const struct profile *p, const struct edge_row *row, size_t *place,
	     size_t places, const struct edge *e, bool any)
{
	size_t k = held_by_hash_of(p, e, any) % places;

	while (place[k] && !held_by_is_same(p, row[place[k] - 1].e, e, any))
		k = (k + 1) % places;
	return &place[k];
}

static void
add_row(struct edge_row *to, uint64_t bytes, uint64_t pointers,
	uint64_t interior)
{
	to->bytes = amount_add(to->bytes, bytes);
	to->pointers = amount_add(to->pointers, pointers);
	to->interior = amount_add(to->interior, interior);
}

/*
 * Join rows that differ only in many offsets, as for an array; returns the
 * number of rows.
 */
static size_t
join_offsets(const struct profile *p, struct edge_row *row, size_t n,
	     size_t *place, size_t places)
{
	size_t k = 0, *at;

	memset(place, 0, places * sizeof *place);
	for (size_t i = 0; i < n; i++) {
		at = held_by_find(p, row, place, places, row[i].e, true);
		if (!*at)
			*at = i + 1;
		row[*at - 1].offsets++;
	}
	for (size_t i = 0; i < n; i++) {
		at = held_by_find(p, row, place, places, row[i].e, true);
		if (row[*at - 1].offsets <= OFFSETS || *at == i + 1)
			continue;
		add_row(&row[*at - 1], row[i].bytes, row[i].pointers,
			row[i].interior);
		row[i].pointers = 0;
	}
	for (size_t i = 0; i < n; i++) {
		if (!row[i].pointers)
			continue;
		if (row[i].offsets <= OFFSETS)
			row[i].offsets = 0;
		row[k++] = row[i];
	}
	return k;
}

/*
 * Make rows of the requested edges; edges that print the same are one row.
 * Returns their number.  place: two places for each edge, all 0.
 */
static size_t
held_by_collect(const struct tables *t, struct edge_row *row, size_t *place)
{
	const struct links *l = &t->p->links;
	size_t n = 0, *at, places = 2 * l->nedges;

	for (size_t i = 0; i < l->nedges; i++) {
		const struct edge *e = &l->edges[i];

		if (!held_is(t->p, e->held, &t->o->holders_of))
			continue;
		at = held_by_find(t->p, row, place, places, e, false);
		if (!*at) {
			row[n].e = e;
			*at = ++n;
		}
		add_row(&row[*at - 1], e->bytes, e->pointers, e->interior);
	}
	n = places ? join_offsets(t->p, row, n, place, places) : n;
	qsort(row, n, sizeof *row, compare_edges);
	return n;
}

/* The number of rows without --top. */
enum { EDGES = 30 };

int
holders_print(struct tables *t)
{
	const struct links *l = &t->p->links;
	struct edge_row *row;
	size_t *place;
	size_t n, most = t->o->top ? t->o->top : EDGES;
	char buf[NUMBER_SIZE];

	if (!held_known(t, "What Points to What"))
		return 0;
	row = tables_room(t, l->nedges, sizeof *row);
	place = tables_room(t, 2 * l->nedges, sizeof *place);
	n = held_by_collect(t, row, place);
	GRID_TABLE(t, of_edges, row, n < most ? n : most, NULL);
	if (n > most)
		line_say(&t->line, "left out: %zu rows; see --top", n - most);
	if (l->beyond)
		line_say(&t->line,
			 "%s pointers are in no row: there are too many "
			 "different ones.",
			 number_grouped(buf, l->beyond));
	GRID_LEGEND(t, of_edges, &legend_edges);
	return 0;
}

/* --------------------------------------------------------------- rings -- */

/* The number of rings without --top. */
enum { RINGS = 5 };

static void
print_ring(struct tables *t, const struct ring *r)
{
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	line_add(l, "  %s ", tables_bytes(t, buf, r->bytes));
	line_add(l, "bytes in ");
	line_several(l, r->blocks, "block");
	if (r->count == 1)
		line_add(l, ", with a ring:");
	else
		line_add(l, ", %s groups; each has such a ring:",
			 number_grouped(buf, r->count));
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
	char buf[NUMBER_SIZE];

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
	if (l->rings_left)
		line_say(&t->line, "%s more rings are not in the file.",
			 number_grouped(buf, l->rings_left));
}

/* --------------------------------------------------------------- paths -- */

/* The number of paths without --top. */
enum { PATHS = 3 };

static void
print_path(struct tables *t, const struct step *s, size_t n)
{
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	const struct retained *r = &t->p->links.retained[s->site];

	line_add(l, "%s bytes retained by one block",
		 tables_bytes(t, buf, r->most));
	if (r->count > 1)
		line_add(l, " (the largest of %s)",
			 number_grouped(buf, r->count));
	line_add(l, ": ");
	held_site(t, s->site, true);
	line_end(l);
	for (size_t i = 0; i < n; i++) {
		line_add(l, i ? "    -> " : "    ");
		if (s[i].root)
			held_root(t, s[i].root);
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

/* The first step of a path, and the bytes that its site's blocks retain. */
struct start {
	uint64_t bytes;
	size_t at;
};

SORT_BY(compare_starts, struct start, SORT_DOWN(bytes) SORT_UP(at))

/* Does it keep only what the runtime libraries keep by design? */
static bool
is_suppressed(const struct site *s)
{
	return counts_of_all(&s->count).hidden.blocks &&
	       !amount_kept_blocks(&s->count);
}

int
path_to_print(struct tables *t)
{
	const struct links *l = &t->p->links;
	size_t most = t->o->top ? t->o->top : PATHS, n = 0, length;
	struct start *start;

	if (!held_known(t, "Paths from a Root"))
		return 0;
	start = tables_room(t, l->nsteps, sizeof *start);
	for (size_t i = 0; i < l->nsteps; i++)
		if (!l->steps[i].n &&
		    held_is(t->p, l->steps[i].site, &t->o->path_to_of) &&
		    !is_suppressed(&t->p->sites[l->steps[i].site]))
			start[n++] = (struct start){
				l->retained[l->steps[i].site].bytes, i
			};
	qsort(start, n, sizeof *start, compare_starts);
	for (size_t i = 0; i < n && i < most; i++) {
		const struct step *s = &l->steps[start[i].at];

		for (length = 1; start[i].at + length < l->nsteps &&
				 s[length].site == s->site;)
			length++;
		print_path(t, s, length);
		line_end(&t->line);
	}
	if (n > most)
		line_say(&t->line, "left out: %zu path%s; see --top", n - most,
			 n - most == 1 ? "" : "s");
	return 0;
}
