/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The waste: by type, the bytes that no member uses and those that the
 * allocator adds.
 */
#include "display/grid/grid.h"
#include "display/grid/notes.h"
#include "display/grid/view.h"
#include "display/text/amount.h"
#include "display/text/name.h"

#include <inttypes.h>
#include <stdlib.h>

/* A row: a type, the sum of several, or all of them. */
struct row {
	const struct type_row *type; /* NULL: several */
	uint64_t blocks, bytes;
	uint64_t lost;	  /* in holes */
	uint64_t rounded; /* by the allocator */
	bool lost_known, lost_exact, rounded_known, rounded_exact;
};

enum { SIZE, HOLES, BLOCKS, BYTES, LOST, ROUNDED, WASTE };

static uint64_t
waste(const struct row *r)
{
	return amount_add(r->lost, r->rounded);
}

/* Of the type itself: blank of several, or of those that aren't known. */
static void
get_type(const struct row *r, unsigned at, struct grid_cell *c)
{
	const struct type_row *type = r->type;

	if (!type || !*type->name) {
		c->text = "";
		return;
	}
	c->n = at == SIZE ? type->size : type->holes.bytes;
	c->unknown = at == SIZE ? !type->size : !type->holes.known;
}

static void
get(const struct grid *g, const void *row, unsigned at, struct grid_cell *c)
{
	const struct row *all = g->arg, *r = row;

	switch (at) {
	case SIZE:
	case HOLES:
		get_type(r, at, c);
		break;
	case BLOCKS:
		c->n = r->blocks;
		break;
	case BYTES:
		c->n = r->bytes;
		break;
	case LOST:
		c->n = r->lost;
		c->unknown = !r->lost_known;
		c->estimate = !r->lost_exact;
		break;
	case ROUNDED:
		c->n = r->rounded;
		c->unknown = !r->rounded_known;
		c->estimate = !r->rounded_exact;
		break;
	case WASTE:
	default:
		c->n = waste(r);
		c->of = r == all ? 0 : waste(all);
		c->unknown = !r->lost_known && !r->rounded_known;
		c->estimate = !r->lost_exact || !r->rounded_exact;
		break;
	}
}

/* Where the holes of a type are: the member before each of them. */
static void
print_holes(const struct grid *g, const void *row)
{
	const struct row *r = row;
	const struct holes *h = &r->type->holes;
	struct tables *t = g->t;
	struct line *l = &t->line;

	if (t->o->verbosity != OPTIONS_VERBOSE)
		return;

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
put_name(const struct grid *g, const void *row)
{
	const struct row *r = row;

	line_add(&g->t->line, "%c", r->type->mark);
	tables_name(g->t, r->type->name);
}

static const struct grid_column columns[] = {
	COLUMN("size", COUNT, 10, get, SIZE,
	       "bytes of the type; - : not known"),
	COLUMN("holes", COUNT, 8, get, HOLES,
	       "bytes of it that no member uses: between members, at the "
	       "end, and the same within its members; - : not known"),
	COLUMN("blocks", COUNT, 11, get, BLOCKS,
	       "what was allocated of the type", .term = "blocks bytes"),
	COLUMN("bytes", BYTES, 11, get, BYTES, NULL),
	COLUMN("in holes", BYTES, 11, get, LOST,
	       "bytes of these that are in holes"),
	COLUMN("rounded", BYTES, 11, get, ROUNDED,
	       "bytes that the allocator made the blocks larger than what "
	       "was asked for; - : it wasn't asked about any"),
	COLUMN("waste", BYTES, 11, get, WASTE,
	       "the two together, as far as they are known, and the share of "
	       "all waste",
	       .share = 4),
	NAME("type", "   ", put_name,
	     "its mark is explained with --types; with --verbose its holes "
	     "follow, each with the member that it comes after"),
};

static const struct legend legend = {
	.about = "What is of no use in the program's blocks, by their types.",
	.indent = 13,
	.notes = { "Sums are of what is known.  ~ marks estimates: blocks "
		   "that the allocator wasn't asked about are taken to be as "
		   "others of their size, and a block that is not a multiple "
		   "of "
		   "its type, to have one object in it.",
		   legend_percent },
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

/* A sum is known as far as some of its rows are. */
static void
sum(void *other, const void *row)
{
	const struct row *r = row;
	struct row *to = other;

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

static bool
worth(const void *row, size_t place, void *arg)
{
	const struct grid *g = arg;
	const struct row *r = row;

	(void)place;
	return tables_worth(g->t, waste(r), waste(g->arg));
}

/* The rows are sorted: the one of those that aren't known is the last. */
static void
print(struct tables *t, struct row *v, const struct row *all)
{
	bool rest = t->p->ntypes && !*v[t->p->ntypes - 1].type->name;
	size_t n = t->p->ntypes - rest, left;
	struct row other = { .type = NULL };
	struct grid g;

	GRID_INIT(&g, t, columns);
	g.arg = all;
	g.after = print_holes;
	left = grid_leave(v, n, sizeof *v, false, worth, sum, &other, &g);
	grid_print(&g, &(struct grid_rows){ .v = v,
					    .n = left,
					    .size = sizeof *v,
					    .total = all,
					    .other = &other,
					    .others = n - left,
					    .rest = rest ? &v[n] : NULL });
	grid_legend(&g, &legend);
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
		print(t, v, &all);
	free(v);
	return 0;
}
