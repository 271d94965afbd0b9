/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of most tables: see entries.h. */
#include "display/grid/entries.h"

#include "display/text/amount.h"

#include <string.h>

void
entries_init(struct entries *e, struct tables *t, size_t n)
{
	*e = (struct entries){ .t = t };
	e->v = tables_room(t, n + 1, sizeof *e->v);
	e->other.life = &e->other_life;
	e->other.use = &e->other_use;
	e->other.peak_known = true;
}

/* ------------------------------------------------------------ what of -- */

void
entry_set(struct entry *r, const struct figures *f,
	  const double var[PROFILE_NERROR])
{
	r->figures = *f;
	r->kept = account_kept(&f->account);
	memcpy(r->var, var, sizeof r->var);
}

void
entry_set_counts(struct entry *r, const struct profile *p,
		 const struct counts *c, uint64_t peak_blocks)
{
	struct figures f = counts_figures(c, peak_blocks);

	f.peak_known = p->peaks_known;
	entry_set(r, &f, c->var);
	r->count = c;
}

void
entry_set_use(struct entry *r, const struct use *u)
{
	r->use = u;
	if (!u || !u->blocks)
		return;
	r->use_bytes = u->bytes;
	r->use_blocks = u->blocks;
	r->score = profile_score(u);
	r->scored = r->score.known;
	if (r->scored)
		r->save = r->score.saving;
}

struct entry
entries_total(const struct profile *p)
{
	struct entry r = { .name = "<TOTAL>",
			   .reallocs = p->reallocs,
			   .life = &p->life,
			   .copied = p->life.copied };

	entry_set_counts(&r, p, &p->total, p->peak_blocks);
	return r;
}

static struct entry
of_path(const struct profile *p, const struct path *a)
{
	struct entry r = { .path = a,
			   .reallocs = a->reallocs,
			   .life = a->life,
			   .copied = a->life ? a->life->copied : 0 };

	entry_set(&r, &a->figures, a->var);
	r.peak_known = p->peaks_known;
	entry_set_use(&r, a->use);
	return r;
}

void
entries_of_paths(struct entries *e, struct tables *t, enum paths_with with)
{
	struct paths all;

	paths_init(&all, t, with);
	entries_init(e, t, all.n);
	e->own = all;
	e->paths = &e->own;
	for (size_t i = 0; i < all.n; i++)
		e->v[e->n++] = of_path(t->p, &all.path[i]);
}

void
entries_add_functions(struct entries *e, const struct paths *paths)
{
	const struct nodes *s = &e->t->nodes;

	for (size_t i = 0; i < s->ndirect; i++) {
		const struct node *node = &s->v[s->direct[i]];
		const struct func *f = node->func;
		struct entry r = { .name = node->label,
				   .place = i,
				   .reallocs = f->reallocs,
				   .life = &f->life,
				   .copied = f->life.copied };

		entry_set_counts(&r, e->t->p, &f->self, 0);
		entry_set_use(&r, &f->use);
		e->v[e->n++] = r;
	}
	for (size_t i = 0; i < paths->n; i++) {
		struct entry r = of_path(e->t->p, &paths->path[i]);

		if (paths->path[i].leaf)
			continue;
		r.path = NULL;
		r.name = "(no chain)";
		r.place = s->ndirect;
		e->v[e->n++] = r;
	}
}

void
entries_add_types(struct entries *e)
{
	for (size_t i = 0; i < e->t->p->ntypes; i++) {
		const struct type_row *a = &e->t->p->types[i];
		bool known = *a->name;
		struct entry r = { .name = known ? a->name : "(not known)",
				   .mark = known ? a->mark : '\0',
				   .rest = !known,
				   .place = i,
				   .sites = a->sites,
				   .type = a };

		entry_set(&r, &a->figures, a->var);
		entry_set_use(&r, &a->use);
		e->v[e->n++] = r;
	}
}

/* --------------------------------------------------------------- figures -- */

bool
entry_estimated(const struct entry *r)
{
	return r->life && r->life->timed && r->life->timed < r->frees;
}

/* The figures from which columns of schema/ are computed. */
static struct tally
tally_of(const struct entry *r)
{
	return (struct tally){ .sites = r->sites,
			       .figures = r->figures,
			       .whole = true,
			       .reallocs = r->reallocs,
			       .life = r->life,
			       .use = r->use };
}

/* The whole for a figure's share; 0: the figure has no share. */
static uint64_t
whole_of(const struct entries *e, const struct entry *r, enum column at)
{
	bool all = r == &e->all;

	switch (at) {
	case COLUMN_TEMPS:
	case COLUMN_NEAR:
		return r->allocs;
	case COLUMN_SHARE:
		return e->of_bytes;
	case COLUMN_PEAK_SHARE:
		return e->of_peak;
	case COLUMN_BYTES:
	case COLUMN_FREED:
		return all ? 0 : e->of_bytes;
	case COLUMN_KEPT:
		return all ? 0 : e->of_kept;
	default:
		return 0;
	}
}

static double
variance_of(const struct entry *r, enum column at)
{
	switch (at) {
#define E(id, name) \
	case COLUMN_##id: \
		return r->var[PROFILE_E_##id];
		MEASURES_ERRORS(E)
#undef E
#define F(id, ...) \
	case COLUMN_##id: \
		return r->life ? r->life->var[MONOUT_FIGURE_##id] : 0;
		MONREC_FIGURE_KINDS(F)
#undef F
	default:
		return 0;
	}
}

/* Change a column's value if the table shows another. */
static void
adapt(const struct entries *e, const struct entry *r, enum column at,
      struct grid_cell *c)
{
	/* A row for several paths, which has no name, has no score. */
	bool several = !r->path && !r->name;

	if (at == COLUMN_SHARE || at == COLUMN_PEAK_SHARE) {
		c->n = at == COLUMN_SHARE ? r->bytes : r->peak;
		c->unknown = false;
		c->text = r == &e->all ? "-----" : NULL;
	} else if (at == COLUMN_SITES && !r->sites) {
		c->text = "";
	} else if (at == COLUMN_SAVE && several) {
		c->n = r->save;
		c->unknown = false;
	} else if (at >= COLUMN_LIFETIME && at <= COLUMN_SEVERITY && several) {
		c->unknown = false;
		c->text = "";
	}
}

void
entry_get(const struct grid *g, const void *row, unsigned at,
	  struct grid_cell *c)
{
	const struct entries *e = g->arg;
	const struct entry *r = row;
	struct tally t = tally_of(r);
	struct value v = columns_value(g->t->schema, &t, (enum column)at);

	c->n = value_whole(&v);
	c->real = (double)v.number;
	c->unknown = !v.known;
	c->estimate = columns_estimate(&t, (enum column)at);
	c->of = whole_of(e, r, (enum column)at);
	c->var = variance_of(r, (enum column)at);
	adapt(e, r, (enum column)at, c);
}

void
entry_get_own(const struct grid *g, const void *row, unsigned at,
	      struct grid_cell *c)
{
	static const struct life nothing;
	const struct entries *e = g->arg;
	const struct entry *r = row;
	const struct life *a = r->life ? r->life : &nothing;
	uint64_t kept[PROFILE_NCLASS];

	switch ((enum entry_figure)at) {
	case ENTRY_SIZES:
		c->text = number_classes(c->buf, r->count->bytes, e->of_bytes);
		break;
	case ENTRY_KEPT_SIZES:
		amount_kept_by_class(r->count, kept);
		c->text = number_classes(c->buf, kept, e->of_kept);
		break;
	case ENTRY_PEAK_SUM:
		c->n = amount_add(r->before, r->peak);
		c->of = e->of_peak;
		c->text = r == &e->all ? "-----" : NULL;
		break;
	case ENTRY_TIMED:
		c->n = a->timed;
		break;
	case ENTRY_SPREAD:
		c->text = number_spread(c->buf, a);
		c->unknown = !a->timed;
		break;
	case ENTRY_USE_BLOCKS:
		c->n = r->use->blocks;
		c->var = r->use->var[PROFILE_UE_BLOCKS];
		break;
	case ENTRY_USE_BYTES:
		c->n = r->use->bytes;
		c->var = r->use->var[PROFILE_UE_BYTES];
		break;
	}
}

/* ----------------------------------------------------------------- names -- */

static void
put_name(struct tables *t, const struct entry *r)
{
	if (r->mark)
		line_add(&t->line, "%c", r->mark);
	tables_name(t, r->name);
}

static void
entries_put(const struct grid *g, const struct entry *r, bool typed)
{
	const struct entries *e = g->arg;

	if (!r->path)
		put_name(g->t, r);
	else if (typed)
		paths_print_typed(g->t, e->paths, r->path, e->typed);
	else
		paths_print(g->t, e->paths, r->path);
}

void
entry_put(const struct grid *g, const void *row)
{
	entries_put(g, row, false);
}

void
entry_put_typed(const struct grid *g, const void *row)
{
	entries_put(g, row, true);
}
