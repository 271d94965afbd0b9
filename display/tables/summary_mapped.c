/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The summary: memory that the program itself maps, if it is much. */
#include "display/tables/memory.h"
#include "display/tables/summary.h"
#include "display/text/number.h"
#include "reduce/base/sort.h"

#include <stdlib.h>

/*
 * The summary prints mappings if they are a fifth of resident memory, or more
 * than live blocks.  A row needs a tenth of the mapped bytes.
 */
enum { SHARE = 5, ROWS = 3, ROW_SHARE = 10 };

/* All mappings made by the same line. */
struct row {
	const struct frame *leaf; /* of one of its paths */
	uint64_t resident, live, maps;
	size_t same; /* number of elements that its paths share */
};

SORT_BY(compare, struct row, SORT_DOWN(resident) SORT_DOWN(live))

static bool
summary_mapped_is_much(const struct profile *p, uint64_t resident)
{
	return resident > memory_bytes(p, "resident") / SHARE ||
	       (resident > memory_bytes(p, "asked") && resident >> 20);
}

/* The number of elements that both paths share; SIZE_MAX: all. */
static size_t
in_common(const struct frame *a, const struct frame *b)
{
	bool std;
	size_t n = 0;

	a = origins_first(a, true, &std);
	b = origins_first(b, true, &std);
	for (; a && b && origins_alike(a, b); n++) {
		a = origins_next(a, true);
		b = origins_next(b, true);
	}
	return a || b ? n : SIZE_MAX;
}

/* Add the mapping to the row of its line; returns the number of rows. */
static size_t
summary_mapped_add(struct row *row, size_t n, const struct mapping *x)
{
	const struct frame *leaf = x->site->leaf;
	size_t same = 0, i = 0;

	while (i < n && !(same = in_common(row[i].leaf, leaf)))
		i++;
	if (i == n)
		row[n++] = (struct row){ .leaf = leaf, .same = SIZE_MAX };
	else if (same < row[i].same)
		row[i].same = same;
	row[i].resident += x->resident;
	row[i].live += x->live;
	row[i].maps += x->maps;
	return n;
}

static void
summary_mapped_put_row(struct summary *s, const struct row *x, uint64_t all)
{
	struct line *l = &s->t->line;
	bool std;
	const struct frame *f = origins_first(x->leaf, true, &std), *from;
	size_t left = x->same;
	char buf[NUMBER_SIZE], share[NUMBER_SIZE];

	line_look(l, LINE_FIGURE);
	line_right(l, 10, number_units(buf, x->resident, s->t->o->human));
	line_look(l, LINE_PLAIN);
	line_right(l, 5, number_share(share, x->resident, all));
	line_add(l, "  %s call%s  ", number_grouped(buf, x->maps),
		 x->maps == 1 ? "" : "s");
	if (!f)
		line_add(l, "(no chain)");
	else
		origins_place(s->t, f, NULL, summary_room(s));
	for (from = f; f && (f = origins_next(f, true)) != NULL; from = f) {
		if (--left == 0 ||
		    origins_columns(s->t, f, from) + sizeof " <  < ..." >
			    summary_room(s)) {
			summary_fits(s, " < ...");
			break;
		}
		line_add(l, " < ");
		origins_place(s->t, f, from, summary_room(s));
	}
	summary_end(s);
}

void
summary_mapped(struct summary *s)
{
	const struct profile *p = s->t->p;
	uint64_t resident = memory_mapped(p), calls = 0;
	size_t n = 0;
	struct row *row;
	char buf[NUMBER_SIZE];

	if (!resident || !summary_mapped_is_much(p, resident))
		return;
	row = tables_room(s->t, p->nmappings, sizeof *row);
	for (size_t i = 0; i < p->nmappings; i++) {
		n = summary_mapped_add(row, n, &p->mappings[i]);
		calls += p->mappings[i].maps;
	}
	qsort(row, n, sizeof *row, compare);
	summary_title(s, "Mapped by the program");
	line_add(&s->t->line, ": ");
	summary_bytes(s, resident);
	line_add(&s->t->line, " in memory, by %s call%s of mmap or the like",
		 number_grouped(buf, calls), calls == 1 ? "" : "s");
	summary_fits(s, "; --memory=mapped");
	summary_end(s);
	for (size_t i = 0; i < n && i < ROWS; i++)
		if (!i || row[i].resident > resident / ROW_SHARE)
			summary_mapped_put_row(s, &row[i], resident);
}
