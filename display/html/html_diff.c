/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page's data: the run that another one is compared with. */
#include "display/html/html_data.h"
#include "display/text/amount.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Frames of a path that is in the old run only; diff.js knows it. */
enum { FRAMES = 24 };

#define OF_ROW(id, figure) \
	static uint64_t row_##id(struct html *h, size_t i) \
	{ \
		return h->diff->sites.row[i].v[DIFF_OLD][figure]; \
	}
OF_ROW(bytes, DIFF_BYTES)
OF_ROW(allocs, DIFF_ALLOCS)
OF_ROW(kept, DIFF_KEPT)
OF_ROW(peak, DIFF_PEAK)

static uint64_t
row_of(struct html *h, size_t i)
{
	size_t row = h->diff->row_of[DIFF_NEW][i];

	return row == DIFF_NONE ? 0 : row + 1;
}

/* Is the row's path in the old run? */
static uint64_t
was_there(struct html *h, size_t i)
{
	return h->diff->sites.row[i].in[DIFF_OLD];
}

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
	static const struct html_column column[] = { { "bytes", row_bytes },
						     { "allocs", row_allocs },
						     { "kept", row_kept },
						     { "peak", row_peak },
						     { "was", was_there } };
	static const struct html_column of[] = { { "of", row_of } };
	const struct diff *d = h->diff;

	if (!d)
		return;
	writer_line(&h->w, "old", '{');
	writer_text(&h->w, "path",
		    d->run[DIFF_OLD]->nruns ? d->run[DIFF_OLD]->runs[0].path
					    : "");
	writer_truth(&h->w, "scaled", d->scaled);
	total(h);
	writer_number(&h->w, "n", d->sites.n);
	html_columns(h, column, COUNT(column), d->sites.n);
	html_columns(h, of, COUNT(of), h->p->nsites);
	writer_enter(&h->w, "gone", '[');
	for (size_t i = 0; i < d->sites.n; i++)
		if (!d->sites.row[i].in[DIFF_NEW])
			gone(h, i);
	writer_leave(&h->w, ']');
	writer_leave(&h->w, '}');
}
