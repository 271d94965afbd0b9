/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The figures of ranks by call path, function and type.  Ranks are added up one
 * after the other, so no array of ranks times rows is needed, except for the
 * rows that differ most.
 */
#include "reduce/base/sort.h"
#include "reduce/model/stages.h"
#include "reduce/profile/ranks.h"

#include <stdlib.h>
#include <string.h>

/* The page shows the figures of all ranks in this many rows of each kind. */
enum { ROWS_SHOWN = 24 };

/* Rows of a kind, and the row of each call path. */
struct kind {
	uint32_t *row; /* by index in profile.sites; NULL: there is a single
			* row */
	size_t n, first;
	/* Of the current rank: figures by row, and the rows that have some. */
	uint64_t (*now)[RANK_NFIGURE];
	uint32_t *seen;
	size_t nseen;
};

struct making {
	struct profile *p;
	const struct ranks *k;
	const struct ranks_file *const *file;
	const uint32_t *of; /* the rank of each file */
	struct kind kind[RANK_NOF];
	bool shown; /* second pass: store the figures of each rank, in rows that
		     * have room */
};

/* ------------------------------------------------------------------ rows -- */

static const struct func *
rows_func(const struct site *s)
{
	return s->leaf ? s->leaf->func : NULL;
}

/* Sites with unknown type come last; they are one type. */
static int
rows_by_type(const void *a, const void *b)
{
	const struct site *x = *(const struct site *const *)a;
	const struct site *y = *(const struct site *const *)b;

	if (!x->type || !y->type)
		return !x->type - !y->type;
	SORT_KEYS(SORT_TEXT(type) SORT_UP(type_mark))
}

/* Number the types of sites. */
static void
rows_types(const struct profile *p, struct kind *k)
{
	const struct site **v = heap_array(p->nsites + 1, sizeof(*v));
	size_t i;

	for (i = 0; i < p->nsites; i++)
		v[i] = &p->sites[i];
	SORT(v, p->nsites, rows_by_type);
	for (i = 0; i < p->nsites; i++) {
		k->n += !i || rows_by_type(&v[i - 1], &v[i]);
		k->row[v[i] - p->sites] = (uint32_t)k->n - 1;
	}
	free((void *)v);
}

static void
rows_number(const struct profile *p, struct kind *k, enum rank_of of)
{
	const struct func *f;
	size_t i;

	k->n = of == RANK_OF_SITE   ? p->nsites
	       : of == RANK_OF_FUNC ? p->nfuncs + 1
	       : of == RANK_OF_ALL  ? 1
				    : 0;
	if (of == RANK_OF_ALL)
		return;
	k->row = heap_array(p->nsites + 1, sizeof(*k->row));
	if (of == RANK_OF_TYPE) {
		rows_types(p, k);
		return;
	}
	for (i = 0; i < p->nsites; i++) {
		f = rows_func(&p->sites[i]);
		k->row[i] = of == RANK_OF_SITE ? (uint32_t)i
			    : f		       ? stages_func(p, f)
					       : (uint32_t)p->nfuncs;
	}
}

/* Set the site, function or type of the rows. */
static void
rows_name(const struct profile *p, const struct kind *k, enum rank_of of)
{
	struct rank_row *rows = p->ranks.rows + k->first, *r;
	const struct site *s;
	size_t i;

	for (i = 0; i < k->n; i++)
		rows[i].of = of;
	for (i = 0; k->row && i < p->nsites; i++) {
		s = &p->sites[i];
		r = &rows[k->row[i]];
		if (of == RANK_OF_SITE)
			r->site = s;
		if (of == RANK_OF_FUNC)
			r->func = rows_func(s);
		if (of == RANK_OF_TYPE) {
			r->type = s->type;
			r->mark = s->type ? s->type_mark : '?';
		}
	}
}

/* --------------------------------------------------------------- figures -- */

static void
spread_add(struct rank_spread *s, uint64_t v, size_t rank)
{
	if (!v)
		return;
	if (!s->ranks || v > s->most) {
		s->most = v;
		s->most_at = rank;
	}
	if (!s->ranks || v < s->least) {
		s->least = v;
		s->least_at = rank;
	}
	s->without += s->without == rank;
	s->ranks++;
	s->sum += v;
}

/* The current rank is complete: add its figures to the rows. */
static void
rows_rank(const struct making *m, struct kind *k, size_t rank)
{
	struct profile_ranks *all = &m->p->ranks;
	struct rank_row *r;
	uint64_t *now;
	size_t i;
	int j;

	for (i = 0; i < k->nseen; i++) {
		r = &all->rows[k->first + k->seen[i]];
		now = k->now[k->seen[i]];
		for (j = 0; j < RANK_NFIGURE; j++) {
			if (!m->shown)
				spread_add(&r->figure[j], now[j], rank);
			else if (r->value[j])
				((uint64_t *)r->value[j])[rank] = now[j];
			if (!k->row)
				all->v[rank].value[j] = now[j];
			now[j] = 0;
		}
	}
	k->nseen = 0;
}

/*
 * The bytes of a site that one file didn't free, without suppressed ones.  If
 * the sum of all files is suppressed, each file's bytes are.
 */
static uint64_t
rows_kept(const struct profile_priv *priv, const struct ranks_item *x)
{
	uint64_t kept = x->value[RANK_KEPT];

	if (!priv->hidden[x->site].blocks)
		return kept;
	if (priv->leaked_hidden[x->site])
		return 0;
	return x->leaked < kept ? x->leaked : kept;
}

/* Add a file's figures to the current rank's, in each row. */
static void
rows_file(const struct making *m, struct kind *k, const struct ranks_file *f)
{
	size_t at = f == m->k->files ? 0 : f[-1].items;
	const struct ranks_item *x;
	uint64_t *now;
	uint32_t row;
	int j;

	for (; at < f->items; at++) {
		x = &m->k->items[at];
		row = k->row ? k->row[m->p->priv->site_of[x->site]] : 0;
		now = k->now[row];
		/* If a site has any figure, it has bytes. */
		if (!now[RANK_BYTES] && x->value[RANK_BYTES])
			k->seen[k->nseen++] = row;
		for (j = 0; j < RANK_NFIGURE; j++)
			now[j] += j == RANK_KEPT ? rows_kept(m->p->priv, x)
						 : x->value[j];
	}
}

static void
rows_add(const struct making *m, struct kind *k)
{
	size_t n = m->k->nfiles, i;

	for (i = 0; i < n; i++) {
		rows_file(m, k, m->file[i]);
		if (i + 1 == n || m->of[i + 1] != m->of[i])
			rows_rank(m, k, m->of[i]);
	}
}

/* If a rank has no such bytes, the least is 0. */
static void
rows_least(struct profile_ranks *r)
{
	struct rank_spread *s;
	size_t i;
	int j;

	for (i = 0; i < r->nrows; i++) {
		for (j = 0; j < RANK_NFIGURE; j++) {
			s = &r->rows[i].figure[j];
			if (s->ranks == r->n)
				continue;
			s->least = 0;
			s->least_at = s->without;
		}
	}
}

/* ------------------------------------------------------ rows of the page -- */

struct shown {
	struct rank_row *row;
	uint64_t above;
};

SORT_BY(shown_by, struct shown, SORT_DOWN(above) SORT_UP(row))

/* Make room for the figures of all ranks in the rows that differ most. */
static void
rows_show(struct profile *p, const struct kind *k)
{
	struct shown *v = heap_array(k->n + 1, sizeof(*v));
	struct rank_row *r;
	size_t i;
	int j;

	for (i = 0; i < k->n; i++) {
		r = &p->ranks.rows[k->first + i];
		v[i] = (struct shown){
			r, r->figure->most - rank_mean(&p->ranks, r->figure)
		};
	}
	SORT(v, k->n, shown_by);
	for (i = 0; i < k->n && i < ROWS_SHOWN; i++) {
		if (!v[i].row->figure[RANK_BYTES].sum)
			continue;
		for (j = 0; j < RANK_NFIGURE; j++) {
			v[i].row->value[j] =
				arena_array(&p->priv->arena, p->ranks.n,
					    sizeof(**v[i].row->value));
		}
	}
	free(v);
}

/* Remove rows without a block. */
static void
rows_drop(struct profile_ranks *r)
{
	size_t i, n = 0;

	for (i = 0; i < r->nrows; i++)
		if (r->rows[i].figure[RANK_BYTES].sum ||
		    r->rows[i].of == RANK_OF_ALL)
			r->rows[n++] = r->rows[i];
	r->nrows = n;
}

/* ------------------------------------------------------------------- all -- */

static void
rows_kinds(struct making *m)
{
	struct profile *p = m->p;
	struct kind *k;
	int of;

	for (of = 0; of < RANK_NOF; of++) {
		k = &m->kind[of];
		rows_number(p, k, of);
		k->first = p->ranks.nrows;
		p->ranks.nrows += k->n;
		k->now = heap_array(k->n + 1, sizeof(*k->now));
		k->seen = heap_array(k->n + 1, sizeof(*k->seen));
	}
	p->ranks.rows = arena_array(&p->priv->arena, p->ranks.nrows + 1,
				    sizeof(*p->ranks.rows));
	for (of = 0; of < RANK_NOF; of++) {
		rows_name(p, &m->kind[of], of);
		rows_add(m, &m->kind[of]);
	}
	rows_least(&p->ranks);
	m->shown = true;
	for (of = 0; of < RANK_NOF; of++) {
		rows_show(p, &m->kind[of]);
		rows_add(m, &m->kind[of]);
	}
	rows_drop(&p->ranks);
}

void
ranks_rows(struct profile *p, const struct ranks *k,
	   const struct ranks_file *const *file, const uint32_t *of)
{
	struct making m = { .p = p, .k = k, .file = file, .of = of };
	int i;

	rows_kinds(&m);

	for (i = 0; i < RANK_NOF; i++) {
		free(m.kind[i].row);
		free((void *)m.kind[i].now);
		free(m.kind[i].seen);
	}
}
