/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two runs: the program's own functions that allocate. */
#include "display/diff/diff.h"
#include "display/grid/origins.h"

#include <stdlib.h>

/* The innermost function of the program itself, or else of all. */
static const struct func *
own_of(const struct site *s)
{
	bool std;
	const struct frame *f = origins_own(s->leaf, &std);

	f = f ? f : s->leaf;
	return f ? f->func : NULL;
}

void
diff_own(struct diff *d)
{
	struct diff_table *t = &d->own;

	t->row = diff_room(d,
			   d->run[DIFF_OLD]->nsites + d->run[DIFF_NEW]->nsites,
			   sizeof *t->row);
	for (int run = 0; run < DIFF_NRUN; run++)
		for (size_t i = 0; i < d->run[run]->nsites; i++) {
			const struct site *s = &d->run[run]->sites[i];
			const struct func *f = own_of(s);
			uint64_t v[DIFF_NFIGURE];
			struct diff_row *r = &t->row[t->n++];

			r->name = f ? d->name[diff_name_of(d, run, f)].text
				    : "(no chain)";
			r->no_peak = !d->run[run]->peaks_known;
			diff_counts(v, &s->count);
			diff_add(r, run, v);
		}
	diff_unite(t);
}
