/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page's data: the run that another one is compared with. */
#include "display/html/html_data.h"

#include <stdlib.h>

/* Frames of a path that is in the old run only; diff.js knows it. */
enum { FRAMES = 24 };

/* A row that is in the old run only: its number, and names, innermost first. */
static void
gone(struct html *h, size_t i)
{
	const struct diff *d = h->diff;
	size_t at = d->sites.row[i].path;

	writer_enter(&h->w, NULL, '[');
	writer_number(&h->w, NULL, i);
	for (size_t n = 0; at && n < FRAMES; n++) {
		writer_number(&h->w, NULL,
			      html_string(h, d->name[d->path[at].name].text));
		at = d->path[at].next;
	}
	writer_leave(&h->w, ']');
}

static void
total(struct html *h)
{
	const struct diff *d = h->diff;
	const uint64_t *v = d->total.v[DIFF_OLD];
	struct writer *w = &h->w;

	writer_enter(w, "total", '{');
	writer_number(w, "bytes", v[DIFF_BYTES]);
	writer_number(w, "allocs", v[DIFF_ALLOCS]);
	writer_number(w, "kept", v[DIFF_KEPT]);
	writer_maybe(w, "peak", v[DIFF_PEAK], d->peak_known);
	writer_leave(w, '}');
}

void
html_diff(struct html *h)
{
	const struct diff *d = h->diff;
	struct html_table old, new;

	if (!d)
		return;
	old = html_room(h, d->sites.n);
	new = html_room(h, h->p->nsites);
	writer_line(&h->w, "old", '{');
	writer_text(&h->w, "path",
		    d->run[DIFF_OLD]->nruns ? d->run[DIFF_OLD]->runs[0].path
					    : "");
	writer_truth(&h->w, "scaled", d->scaled);
	total(h);
	writer_number(&h->w, "n", d->sites.n);
#define ROW const struct diff_row *r = &d->sites.row[i]
	HTML_COLUMN(&old, bytes, r->v[DIFF_OLD][DIFF_BYTES]);
	HTML_COLUMN(&old, allocs, r->v[DIFF_OLD][DIFF_ALLOCS]);
	HTML_COLUMN(&old, kept, r->v[DIFF_OLD][DIFF_KEPT]);
	HTML_COLUMN(&old, peak, r->v[DIFF_OLD][DIFF_PEAK]);
	HTML_COLUMN(&old, was, r->in[DIFF_OLD]);
#undef ROW
#define ROW const size_t row = d->row_of[DIFF_NEW][i]
	HTML_COLUMN(&new, of, row == DIFF_NONE ? 0 : row + 1);
#undef ROW
	writer_enter(&h->w, "gone", '[');
	for (size_t i = 0; i < d->sites.n; i++)
		if (!d->sites.row[i].in[DIFF_NEW])
			gone(h, i);
	writer_leave(&h->w, ']');
	writer_leave(&h->w, '}');
	free(old.v);
	free(new.v);
}
