/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of most tables: see entries.h. */
#include "display/grid/entries.h"

#include "display/text/amount.h"

#include <stdlib.h>
#include <string.h>

int
entries_init(struct entries *e, struct tables *t, size_t n)
{
	*e = (struct entries){ .t = t };
	e->v = calloc(n + 1, sizeof *e->v);
	e->other.life = &e->other_life;
	e->other.use = &e->other_use;
	e->other.peak_known = true;
	return e->v ? 0 : -1;
}

void
entries_fini(struct entries *e)
{
	paths_fini(&e->own);
	free(e->v);
	e->v = NULL;
}

/* ------------------------------------------------------------ what of -- */

void
entry_set_counts(struct entry *r, const struct profile *p,
		 const struct counts *c)
{
	r->count = c;
	r->allocs = amount_allocs(c);
	r->bytes = amount_bytes(c);
	r->frees = amount_frees(c);
	r->freed = amount_freed(c);
	r->kept = amount_kept(c);
	r->peak = c->peak;
	r->peak_known = p->peak_known;
	memcpy(r->var, c->var, sizeof r->var);
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
	r->scored = u->groups > 0 && profile_use_known(u);
	if (r->scored)
		r->save = r->score.saving;
}

struct entry
entries_total(const struct profile *p)
{
	struct entry r = { .name = "<TOTAL>",
			   .reallocs = p->reallocs,
			   .peak_blocks = p->peak_blocks,
			   .life = &p->life,
			   .copied = p->life.copied };

	entry_set_counts(&r, p, &p->total);
	return r;
}

static struct entry
of_path(const struct profile *p, const struct path *a)
{
	struct entry r = { .path = a,
			   .allocs = a->allocs,
			   .bytes = a->bytes,
			   .frees = a->frees,
			   .freed = a->freed,
			   .kept = amount_sub(amount_sub(a->bytes, a->freed),
					      a->leak ? a->leak->hidden.bytes
						      : 0),
			   .reallocs = a->reallocs,
			   .peak = a->peak,
			   .peak_blocks = a->peak_blocks,
			   .peak_known = p->peak_known,
			   .life = a->life,
			   .copied = a->life ? a->life->copied : 0 };

	memcpy(r.var, a->var, sizeof r.var);
	entry_set_use(&r, a->use);
	return r;
}

int
entries_of_paths(struct entries *e, struct tables *t, enum paths_with with)
{
	struct paths all;

	if (paths_init(&all, t, with) || entries_init(e, t, all.n)) {
		paths_fini(&all);
		return -1;
	}
	e->own = all;
	e->paths = &e->own;
	for (size_t i = 0; i < all.n; i++)
		e->v[e->n++] = of_path(t->p, &all.path[i]);
	return 0;
}

void
entries_add_functions(struct entries *e, const struct paths *paths)
{
	const struct sort *s = &e->t->sort;

	for (size_t i = 0; i < s->ndirect; i++) {
		const struct node *node = &s->nodes[s->direct[i]];
		const struct func *f = node->func;
		struct entry r = { .name = node->label,
				   .place = i,
				   .reallocs = f->reallocs,
				   .life = &f->life,
				   .copied = f->life.copied };

		entry_set_counts(&r, e->t->p, &f->self);
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
				   .allocs = a->allocs,
				   .bytes = a->bytes,
				   .frees = a->frees,
				   .freed = a->freed,
				   .kept = amount_sub(a->bytes, a->freed),
				   .peak = a->peak,
				   .peak_known = a->peak_known,
				   .sites = a->sites,
				   .type = a };

		memcpy(r.var, a->var, sizeof r.var);
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

static void
get_life(const struct entry *r, unsigned at, bool sampled, struct grid_cell *c)
{
	static const struct life nothing;
	const struct life *a = r->life ? r->life : &nothing;

	switch (at) {
	case ENTRY_TEMPS:
	case ENTRY_NEAR:
		c->n = at == ENTRY_TEMPS ? a->temps : a->near;
		c->of = r->allocs;
		break;
	case ENTRY_BY_OTHERS:
		c->n = a->by_others;
		break;
	case ENTRY_TIMED:
		c->n = a->timed;
		break;
	case ENTRY_LIFE_MIN:
	case ENTRY_LIFE_MAX:
		c->n = at == ENTRY_LIFE_MIN ? a->min : a->max;
		c->unknown = !a->timed;
		c->estimate = entry_estimated(r);
		break;
	case ENTRY_LIFE_MEAN:
		c->n = number_mean(a->sum, a->weight);
		c->unknown = !a->timed || !a->weight || a->sum == UINT64_MAX;
		c->estimate = entry_estimated(r);
		break;
	case ENTRY_SPREAD:
		c->text = number_spread(c->buf, a);
		c->unknown = !a->timed;
		break;
	case ENTRY_MOVED:
		c->n = a->moved;
		break;
	case ENTRY_COPIED:
		c->n = a->copied;
		break;
	default:
		c->n = a->longest;
		break;
	}
	/* Of what came between only samples are known. */
	if (sampled &&
	    (at == ENTRY_TEMPS || at == ENTRY_NEAR || at >= ENTRY_MOVED))
		c->unknown = true;
}

static void
get_use(const struct entry *r, unsigned at, struct grid_cell *c)
{
	const struct use *u = r->use;
	bool one = r->path || r->name;

	if (at == ENTRY_USE_BLOCKS || at == ENTRY_USE_BYTES) {
		c->n = at == ENTRY_USE_BLOCKS ? u->blocks : u->bytes;
		return;
	}
	if (at == ENTRY_SAVE) {
		c->n = r->save;
		c->unknown = one && !r->scored;
		return;
	}
	/* Several that have nothing in common have no score. */
	if (!one) {
		c->text = "";
		return;
	}
	c->n = r->score.step;
	c->unknown = at == ENTRY_SEVERITY   ? !r->scored
		     : at == ENTRY_LIFETIME ? !u->groups
					    : !profile_use_known(u);
	c->real = at == ENTRY_LIFETIME ? r->score.lifetime
		  : at == ENTRY_USAGE  ? r->score.usage
		  : at == ENTRY_USEFUL ? r->score.useful
				       : r->score.cover;
}

/* As shares of all bytes, by size class. */
static void
get_sizes(const struct entries *e, const struct entry *r, bool kept,
	  struct grid_cell *c)
{
	uint64_t by_class[PROFILE_NCLASS];

	if (!kept) {
		c->text = number_classes(c->buf, r->count->bytes, e->of_bytes);
		return;
	}
	amount_kept_by_class(r->count, by_class);
	c->text = number_classes(c->buf, by_class, e->of_kept);
}

/* A figure that has a standard error. */
static void
set(struct grid_cell *c, uint64_t n, uint64_t of, double var)
{
	c->n = n;
	c->of = of;
	c->var = var;
}

static void
get_peak(const struct entries *e, const struct entry *r, unsigned at,
	 struct grid_cell *c)
{
	if (at == ENTRY_PEAK_BLOCKS) {
		c->n = r->peak_blocks;
		return;
	}
	if (at == ENTRY_PEAK) {
		set(c, r->peak, 0, r->var[PROFILE_E_PEAK]);
		c->unknown = !r->peak_known;
		return;
	}
	set(c, r->peak, e->of_peak, 0);
	if (at == ENTRY_PEAK_SUM)
		c->n = amount_add(r->before, r->peak);
	c->text = r == &e->all ? "-----" : NULL;
}

void
entry_get(const struct grid *g, const void *row, unsigned at,
	  struct grid_cell *c)
{
	const struct entries *e = g->arg;
	const struct entry *r = row;
	bool all = r == &e->all;

	switch (at) {
	case ENTRY_ALLOCS:
		set(c, r->allocs, 0, r->var[PROFILE_E_ALLOCS]);
		break;
	case ENTRY_BYTES:
		set(c, r->bytes, all ? 0 : e->of_bytes,
		    r->var[PROFILE_E_BYTES]);
		break;
	case ENTRY_SHARE:
		set(c, r->bytes, e->of_bytes, 0);
		c->text = all ? "-----" : NULL;
		break;
	case ENTRY_FREES:
		c->n = r->frees;
		break;
	case ENTRY_FREED:
		set(c, r->freed, all ? 0 : e->of_bytes, 0);
		break;
	case ENTRY_KEPT:
		set(c, r->kept, all ? 0 : e->of_kept, r->var[PROFILE_E_KEPT]);
		break;
	case ENTRY_SIZES:
	case ENTRY_KEPT_SIZES:
		get_sizes(e, r, at == ENTRY_KEPT_SIZES, c);
		break;
	case ENTRY_REALLOCS:
		c->n = r->reallocs;
		break;
	case ENTRY_PEAK:
	case ENTRY_PEAK_SHARE:
	case ENTRY_PEAK_SUM:
	case ENTRY_PEAK_BLOCKS:
		get_peak(e, r, at, c);
		break;
	case ENTRY_SITES:
		c->n = r->sites;
		c->text = r->sites ? NULL : "";
		break;
	default:
		if (at < ENTRY_SAVE)
			get_life(r, at, e->t->p->sample.rate, c);
		else
			get_use(r, at, c);
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

void
entry_put(const struct grid *g, const void *row)
{
	const struct entries *e = g->arg;
	const struct entry *r = row;

	if (r->path)
		paths_print(g->t, e->paths, r->path);
	else
		put_name(g->t, r);
}

void
entry_put_typed(const struct grid *g, const void *row)
{
	const struct entries *e = g->arg;
	const struct entry *r = row;

	if (r->path)
		paths_print_typed(g->t, e->paths, r->path);
	else
		put_name(g->t, r);
}
