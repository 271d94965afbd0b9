/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The direct allocation table: what each function allocated itself. */
#include "display/tables/errors.h"
#include "display/tables/legend.h"
#include "display/tables/notes.h"
#include "display/tables/view.h"
#include "display/text/amount.h"
#include "display/text/number.h"

struct widths {
	size_t bytes, kept, peak, calls; /* peak 0: not there */
};

/* The rule, with the letters above the fields for the size classes. */
static void
rule(struct tables *t, const struct widths *w)
{
	static const char letters[] = "s--m--l--x";
	struct line *l = &t->line;

	line_end(l);
	for (size_t i = 0; i < w->bytes + 15 + errors_width(t); i++)
		line_add(l, "-");
	line_add(l, "%s", letters);
	for (size_t i = 0; i < w->kept + 7 + errors_width(t); i++)
		line_add(l, "-");
	line_add(l, "%s", letters);
	for (size_t i = 0; i < (w->peak ? w->peak + 3 + errors_width(t) : 0) +
				       w->calls + 3 + errors_width(t);
	     i++)
		line_add(l, "-");
	line_end(l);
	line_end(l);
}

static void
header(struct tables *t, const struct widths *w)
{
	struct line *l = &t->line;

	line_add(l, "  %8s ", "% mem");
	line_right(l, w->bytes, "bytes");
	errors_head(t);
	line_add(l, " |%-12s | ", " % mem(size)");
	line_right(l, w->kept, "bytes kept");
	errors_head(t);
	line_add(l, " |%-12s | ", "  % all kept");
	if (w->peak) {
		line_right(l, w->peak, "at peak");
		errors_head(t);
		line_add(l, " | ");
	}
	line_right(l, w->calls, "calls");
	errors_head(t);
	line_add(l, "   name");
	line_end(l);
	rule(t, w);
}

/* A row; mem is the text of the first column. */
static void
row(struct tables *t, const struct widths *w, const char *mem,
    const struct counts *c, const char *name, bool inlined)
{
	uint64_t bytes = amount_bytes(&t->p->total);
	uint64_t kept = amount_kept(&t->p->total);
	uint64_t by_class[PROFILE_NCLASS];
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	line_add(l, "  %8s ", mem);
	line_right(l, w->bytes, tables_bytes(t, buf, amount_bytes(c)));
	errors_add(t, amount_bytes(c), c->var[PROFILE_E_BYTES]);
	line_add(l, " |%s | ", number_classes(buf, c->bytes, bytes));
	line_right(l, w->kept, tables_bytes(t, buf, amount_kept(c)));
	errors_add(t, amount_kept(c), c->var[PROFILE_E_KEPT]);
	amount_kept_by_class(c, by_class);
	line_add(l, " |%s | ", number_classes(buf, by_class, kept));
	if (w->peak) {
		line_right(l, w->peak, tables_bytes(t, buf, c->peak));
		errors_add(t, c->peak, c->var[PROFILE_E_PEAK]);
		line_add(l, " | ");
	}
	line_right(l, w->calls, number_count(buf, amount_allocs(c)));
	errors_add(t, amount_allocs(c), c->var[PROFILE_E_ALLOCS]);
	line_add(l, "   %s%s", name, inlined ? " (inlined)" : "");
	line_end(l);
}

/* What no function is known for, so that the rows add up to the total. */
static void
unknown_row(struct tables *t, const struct widths *w)
{
	const struct profile *p = t->p;
	struct counts c = { 0 };
	char mem[NUMBER_SIZE];

	for (size_t i = 0; i < p->nsites; i++)
		if (!p->sites[i].tip)
			amount_add_counts(&c, &p->sites[i].count);
	if (!amount_allocs(&c) || t->o->direct_only.n)
		return;
	number_tenths(mem, amount_bytes(&c), amount_bytes(&p->total));
	row(t, w, mem, &c, "(no chain)", false);
}

int
direct_print(struct tables *t)
{
	const struct counts *all = &t->p->total;
	const struct sort *s = &t->sort;
	struct widths w = { 12, 12, 0, 12 };
	char mem[NUMBER_SIZE];
	size_t n;

	if ((n = number_bytes_width(amount_bytes(all), t->o->human)) > w.bytes)
		w.bytes = n;
	if ((n = number_bytes_width(amount_kept(all), t->o->human)) > w.kept)
		w.kept = n;
	if ((n = number_bytes_width(amount_allocs(all), false)) > w.calls)
		w.calls = n;
	if (t->p->peak_known) {
		n = number_bytes_width(all->peak, t->o->human);
		w.peak = n > 12 ? n : 12;
	}
	tables_title(t, "---------  Direct Allocation Table ------------");
	header(t, &w);
	row(t, &w, "-----", all, "<TOTAL>", false);
	line_end(&t->line);
	for (size_t i = 0; i < s->ndirect; i++) {
		const struct node *node = &s->nodes[s->direct[i]];
		const struct counts *c = &node->func->self;

		if (!t->direct_on[s->direct[i]] ||
		    (!t->o->zero && !t->o->direct_only.n && !amount_allocs(c)))
			continue;
		number_tenths(mem, amount_bytes(c), amount_bytes(all));
		row(t, &w, mem, c, node->label, node->func->inlined);
	}
	unknown_row(t, &w);
	legend_print(t, legend_direct);
	return 0;
}
