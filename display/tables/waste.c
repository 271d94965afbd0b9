/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The waste: by type, bytes in no member, and bytes added by the allocator. */
#include "display/grid/entries.h"
#include "display/grid/view.h"
#include "display/text/amount.h"

#include <inttypes.h>

/* Columns; IN_HOLES and ROUNDED are figures of an entry, too. */
enum { IN_HOLES, ROUNDED, SIZE, HOLES, WASTE };

/* Bits of an entry.  A sum is known if one of its parts is known. */
enum { KNOWN = 1, ESTIMATED = 4 }; /* of IN_HOLES; of ROUNDED: << 1 */

/* Set the cell to a figure of the type; blank for several or unknown types. */
static void
get_type(const struct entry *r, unsigned at, struct grid_cell *c)
{
	const struct type_row *type = r->type;

	if (!type || r->rest) {
		c->text = "";
		return;
	}
	c->n = at == SIZE ? type->size : type->holes.bytes;
	c->unknown = at == SIZE ? !type->size : !type->holes.known;
}

static void
waste_get(const struct grid *g, const void *row, unsigned at,
	  struct grid_cell *c)
{
	const struct entries *e = g->arg;
	const struct entry *r = row;
	unsigned known = KNOWN | KNOWN << 1, estimated = ESTIMATED * 3;

	if (at == SIZE || at == HOLES) {
		get_type(r, at, c);
		return;
	}
	if (at == WASTE) {
		c->n = r->part;
		c->of = r == &e->all ? 0 : e->all.part;
	} else {
		c->n = r->own[at];
		known = KNOWN << at;
		estimated = ESTIMATED << at;
	}
	c->unknown = !(r->bits & known);
	c->estimate = r->bits & estimated;
}

/* Print the holes of a type: the member before each of them. */
static void
print_holes(const struct grid *g, const void *row)
{
	const struct entry *r = row;
	const struct holes *h = &r->type->holes;
	struct tables *t = g->t;
	struct line *l = &t->line;

	if (t->o->verbosity != OPTIONS_VERBOSE)
		return;

	for (size_t i = 0; i < h->n; i++) {
		const struct hole *v = &h->v[i];

		line_add(l, "%12s%" PRIu64, "offset ", v->member_offset);
		line_add(l, ", %" PRIu64 " bytes", v->member_size);
		if (v->name) {
			line_add(l, ": ");
			tables_name(t, v->type ? v->type : "");
			line_add(l, "%s", *v->name ? " " : "");
			tables_name(t, v->name);
		}
		if (v->times > 1)
			line_add(l,
				 "; %" PRIu64 " in each of its %" PRIu64
				 " elements",
				 v->size, v->times);
		else
			line_add(l, "; hole of %" PRIu64 " at %" PRIu64,
				 v->size, v->offset);
		line_end(l);
	}
}

static const struct grid_column columns[] = {
	COLUMN("size", COUNT, 10, waste_get, SIZE,
	       "bytes of the type; -: unknown"),
	COLUMN("holes", COUNT, 8, waste_get, HOLES,
	       "bytes of the type that no member uses: between members, at "
	       "the end, and within members; -: unknown"),
	FIGURE("blocks", COUNT, 11, ALLOCS,
	       "blocks of the type, and their "
	       "bytes",
	       .term = "blocks bytes"),
	FIGURE("bytes", BYTES, 11, BYTES, NULL),
	COLUMN("in holes", BYTES, 11, waste_get, IN_HOLES,
	       "how many of these bytes are in holes"),
	COLUMN("rounded", BYTES, 11, waste_get, ROUNDED,
	       "bytes that the allocator added to the blocks; -: unknown"),
	COLUMN("waste", BYTES, 11, waste_get, WASTE,
	       "both together, as far as they are known, and the share of "
	       "all waste",
	       .share = 4),
	NAME("type", "   ", entry_put,
	     "with a mark, as in --types; --verbose adds its holes, each "
	     "with the member before it"),
};

static const struct legend legend = {
	.about = "Bytes of the program's blocks that nothing uses, by type.",
	.notes = { "Sums count what is known.  ~ marks estimates: a block "
		   "that the allocator was not asked about counts as other "
		   "blocks of its size, and a block that is not a multiple "
		   "of its type counts as one element.",
		   legend_percent },
};

/* Sorted by waste, then as in the table of types. */
static const struct entries_view view = {
	ENTRIES_COLUMNS(columns),
	.by = { ENTRY_AT(part) },
	.share = { ENTRY_AT(part) },
};

static void
waste_set(struct entry *e)
{
	const struct type_row *r = e->type;
	const struct holes *h = &r->holes;

	/* A block that isn't a multiple has one element, then anything. */
	e->own[IN_HOLES] = h->known ? amount_mul(h->bytes, r->elements) : 0;
	e->own[ROUNDED] = r->rounded;
	e->bits = h->known * KNOWN | r->rounded_known * (KNOWN << 1) |
		  (!r->multiple && !h->flexible && h->bytes) * ESTIMATED |
		  (r->rounded_known && !r->rounded_exact) * (ESTIMATED << 1);
	e->part = amount_add(e->own[IN_HOLES], e->own[ROUNDED]);
}

static void
waste_table(struct entries *e)
{
	struct grid g;

	entries_add_types(e);
	for (size_t i = 0; i < e->n; i++)
		waste_set(&e->v[i]);
	entries_arrange(e, &view, &g);
	g.after = print_holes;
	if (e->all.bits & (KNOWN | KNOWN << 1)) {
		entries_print(e, &g, true);
		grid_legend(&g, &legend);
	} else {
		tables_say(e->t, "The waste is unknown: no type is known, "
				 "and the allocator was not asked.");
	}
}

int
waste_print(struct tables *t)
{
	struct entries e;

	tables_title(t, "Waste by Type");
	if (!counts_sum(t->p->total.allocs)) {
		tables_say(t, "Nothing was allocated.");
		return 0;
	}
	entries_init(&e, t, t->p->ntypes);
	waste_table(&e);
	return 0;
}
