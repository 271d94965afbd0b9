/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page's data: the processes of a parallel job. */
#include "display/html/html_data.h"

/* The most columns of a row: with more ranks, a column has several. */
enum { MOST_COLUMNS = 512 };

/* The rank with the largest figure, from those of a column. */
static size_t
html_ranks_largest(const uint64_t *v, size_t from, size_t to)
{
	size_t most = from;

	for (size_t i = from; i < to; i++)
		if (v[i] > v[most])
			most = i;
	return most;
}

/* Write the rank and the figure of each column. */
static void
html_ranks_figures(struct html *h, const uint64_t *v, size_t n)
{
	size_t columns = n < MOST_COLUMNS ? n : MOST_COLUMNS;

	writer_enter(&h->w, NULL, '[');
	for (size_t i = 0; i < columns; i++) {
		size_t at = html_ranks_largest(v, n * i / columns,
					       n * (i + 1) / columns);

		writer_number(&h->w, NULL, at);
		writer_number(&h->w, NULL, v[at]);
	}
	writer_leave(&h->w, ']');
}

static void
html_ranks_row(struct html *h, const struct rank_row *r)
{
	const struct profile_ranks *all = &h->p->ranks;
	struct writer *w = &h->w;
	const char *name = r->of == RANK_OF_SITE
				   ? schema_path(&h->schema, r->site)
			   : r->of == RANK_OF_FUNC && r->func ? r->func->name
			   : r->of == RANK_OF_TYPE && r->type ? r->type
							      : "";

	writer_enter(w, NULL, '{');
	writer_number(w, "of", r->of);
	writer_number(w, "name", html_copied(h, name));
	writer_enter(w, "figures", '[');
	for (int f = 0; f < RANK_NFIGURE; f++) {
		const struct rank_spread *s = &r->figure[f];

		WRITER_ITEMS(w, rank_mean(all, s), s->most, s->most_at,
			     s->least, s->least_at, s->ranks);
	}
	writer_leave(w, ']');
	writer_enter(w, "ranks", '[');
	for (int f = 0; f < RANK_NFIGURE; f++)
		html_ranks_figures(h, r->value[f], all->n);
	writer_leave(w, ']');
	writer_leave(w, '}');
}

void
html_ranks(struct html *h)
{
	const struct profile_ranks *r = &h->p->ranks;
	struct writer *w = &h->w;

	if (!r->known || r->n < 2 || !r->v->known)
		return;
	writer_line(w, "ranks", '{');
	WRITER_EACH(w, "names", r->n,
		    writer_number(w, NULL, html_string(h, r->v[i].name)));
	WRITER_EACH(w, "on", r->n,
		    writer_number(w, NULL, html_string(h, r->v[i].host)));
	WRITER_EACH(w, "ended", r->n,
		    writer_number(w, NULL, html_string(h, r->v[i].end)));
	writer_enter(w, "hosts", '[');
	for (size_t i = 0; i < r->nhosts; i++) {
		WRITER_ITEMS(w, html_string(h, r->hosts[i].name),
			     r->hosts[i].ranks, r->hosts[i].about,
			     r->hosts[i].most);
	}
	writer_leave(w, ']');
	writer_enter(w, "rows", '[');
	for (size_t i = 0; i < r->nrows; i++)
		if (r->rows[i].value[RANK_PEAK])
			html_ranks_row(h, &r->rows[i]);
	writer_leave(w, ']');
	writer_leave(w, '}');
}
