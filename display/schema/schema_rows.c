/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows that are made on demand: see schema_rows.h. */
#include "display/schema/schema_rows.h"

#include "display/text/amount.h"
#include "reduce/base/arena.h"

#include <stdlib.h>
#include <string.h>

/* Allocate that many zeroed rows and set *n; NULL: out of memory. */
static void *
room(size_t many, size_t size, size_t *n)
{
	*n = many;
	return calloc(many + 1, size);
}

static uint64_t
schema_rows_number_of(const struct schema *s, const struct func *f)
{
	return (uint64_t)(f - s->p->funcs[0]);
}

static const struct func *
schema_rows_leaf_of(const struct site *site)
{
	return site && site->leaf ? site->leaf->func : NULL;
}

void *
schema_arcs(struct schema *s, size_t *n)
{
	struct schema_arc *v = room(s->p->narcs, sizeof *v, n);

	for (size_t i = 0; v && i < *n; i++) {
		const struct arc *a = s->p->arcs[i];

		v[i] = (struct schema_arc){ schema_rows_number_of(s, a->caller),
					    schema_rows_number_of(s, a->callee),
					    a->calls,
					    a->caller,
					    a->callee,
					    a->count,
					    a->inlined };
	}
	return v;
}

static size_t
schema_rows_height(const struct site *site)
{
	size_t n = 0;

	for (const struct frame *f = site->leaf; f; f = f->parent)
		n++;
	return n;
}

void *
schema_frames(struct schema *s, size_t *n)
{
	struct schema_frame *v;
	size_t all = 0, k = 0;

	for (size_t i = 0; i < s->p->nsites; i++)
		all += schema_rows_height(&s->p->sites[i]);
	v = room(all, sizeof *v, n);
	if (!v)
		return NULL;
	for (size_t i = 0; i < s->p->nsites; i++) {
		const struct frame *f = s->p->sites[i].leaf;
		size_t high = 1, deep = schema_rows_height(&s->p->sites[i]);

		for (; f; f = f->parent)
			v[k++] = (struct schema_frame){
				i, deep--, high++,
				schema_rows_number_of(s, f->func), f->func
			};
	}
	return v;
}

/* -------------------------------------------------------------- over time  */

int
schema_marks(struct schema *s, const void **row, size_t *n)
{
	*row = s->p->marks;
	*n = s->p->nmarks;
	return !*n && conditions_unwritten(s->p)
		       ? err_set(&s->e, "%s", conditions_unwritten(s->p))
		       : 0;
}

void *
schema_conditions(struct schema *s, size_t *n)
{
	struct condition *v;

	if (conditions_init(&s->conditions, s->p, false))
		return NULL;
	v = room(s->conditions.n, sizeof *v, n);
	if (v)
		memcpy(v, s->conditions.v, s->conditions.n * sizeof *v);
	return v;
}

static void *
schema_rows_missing(struct schema *s, const char *why)
{
	err_set(&s->e, "%s", why);
	return NULL;
}

void *
schema_snapshots(struct schema *s, size_t *n)
{
	const struct profile_time *t = &s->p->time;
	struct schema_snapshot *v;

	if (!t->known)
		return schema_rows_missing(s, t->why);
	v = room(t->n, sizeof *v, n);
	if (!v)
		return NULL;
	for (size_t i = 0; i < t->n; i++) {
		v[i].time = t->at[i];
		v[i].count = t->total[i];
		v[i].live = amount_sub(t->total[i].bytes, t->total[i].freed);
		v[i].peak = t->peak ? t->peak[i] : UINT64_MAX;
		v[i].rss = t->rss ? t->rss[i] : UINT64_MAX;
	}
	return v;
}

void *
schema_history(struct schema *s, size_t *n)
{
	const struct profile_time *t = &s->p->time;
	struct schema_change *v;
	size_t all = 0, k = 0;

	if (!t->known || !t->sites)
		return schema_rows_missing(s, t->known ? t->sites_why : t->why);
	for (size_t i = 0; i < s->p->nsites; i++)
		all += t->sites[i].n;
	v = room(all, sizeof *v, n);
	if (!v)
		return NULL;
	for (size_t i = 0; i < s->p->nsites; i++) {
		const struct time_row *r = &t->sites[i];

		for (size_t c = 0; c < r->n; c++) {
			v[k] = (struct schema_change){
				.site_id = i,
				.site = &s->p->sites[i],
				.func = schema_rows_leaf_of(&s->p->sites[i]),
				.since = t->at[r->change[c].snapshot],
				.until = UINT64_MAX >> 1,
				.count = r->change[c].count
			};
			if (c + 1 < r->n)
				v[k].until = t->at[r->change[c + 1].snapshot];
			v[k].live =
				amount_sub(v[k].count.bytes, v[k].count.freed);
			k++;
		}
	}
	return v;
}

/* ------------------------------------------------------------ log, lines -- */

struct taker {
	const struct profile *p;
	struct schema_block *v;
	size_t n, room;
	uint64_t *size; /* of the type, by site; 0: not looked up; UINT64_MAX:
			 * objects can't be counted */
};

static const char *
schema_rows_name_of(const struct thread *t)
{
	return t ? t->name : NULL;
}

/*
 * The size of the objects that fill the blocks of a site, or UINT64_MAX: the
 * type is unknown, or ends in an array without a length.
 */
static uint64_t
schema_rows_size_of(const struct profile *p, const struct site *s)
{
	for (size_t i = 0; i < p->ntypes && s->type_size; i++)
		if (p->types[i].size == s->type_size &&
		    !strcmp(p->types[i].name, s->type))
			return p->types[i].holes.flexible ? UINT64_MAX
							  : s->type_size;
	return UINT64_MAX;
}

/* The objects in a block, by the type of its site; UINT64_MAX: unknown. */
static uint64_t
schema_rows_count_of(struct taker *t, const struct block *b)
{
	uint64_t *size;

	if (!b->site || !b->site->type)
		return UINT64_MAX;
	size = &t->size[b->site - t->p->sites];
	if (!*size)
		*size = schema_rows_size_of(t->p, b->site);
	if (*size == UINT64_MAX || b->size % *size)
		return UINT64_MAX;
	return b->size / *size;
}

static int
schema_rows_take(void *arg, const struct block *b)
{
	struct taker *t = arg;
	struct schema_block *v =
		array_grow(t->v, &t->room, t->n + 1, sizeof *v);

	if (!v)
		return -1;
	t->v = v;
	t->v[t->n++] = (struct schema_block){
		.block = *b,
		.site_id = b->site ? (uint64_t)(b->site - t->p->sites)
				   : UINT64_MAX,
		.life = b->died == UINT64_MAX ? UINT64_MAX
					      : amount_sub(b->died, b->born),
		.reads = b->used ? b->reads : UINT64_MAX,
		.writes = b->used ? b->writes : UINT64_MAX,
		.first = b->used ? b->first : UINT64_MAX,
		.last = b->used ? b->last : UINT64_MAX,
		.shared = b->used && b->placed ? b->shared : UINT64_MAX,
		.count = schema_rows_count_of(t, b),
		.func = schema_rows_leaf_of(b->site),
		.thread = schema_rows_name_of(b->thread),
		.freer = schema_rows_name_of(b->freer),
		.type = b->site ? b->site->type : NULL
	};
	return 0;
}

void *
schema_blocks(struct schema *s, size_t *n)
{
	struct taker t = { .p = s->p };

	if (!s->p->log.known)
		return schema_rows_missing(s, s->p->log.why);
	t.v = malloc(sizeof *t.v);
	t.size = calloc(s->p->nsites + 1, sizeof *t.size);
	if (!t.v || !t.size ||
	    profile_log_each(s->p, schema_rows_take, &t, &s->e)) {
		free(t.size);
		free(t.v);
		return NULL;
	}
	free(t.size);
	*n = t.n;
	return t.v;
}

void *
schema_lines(struct schema *s, size_t *n)
{
	struct schema_line *v;
	size_t all = 0, k = 0;

	for (size_t i = 0; i < s->p->nsources; i++)
		all += s->p->sources[i].nlines;
	v = room(all, sizeof *v, n);
	if (!v)
		return NULL;
	for (size_t i = 0; i < s->p->nsources; i++)
		for (size_t j = 0; j < s->p->sources[i].nlines; j++) {
			const struct source_line *l =
				&s->p->sources[i].lines[j];

			v[k++] = (struct schema_line){ s->p->sources[i].path,
						       l->line, l->self,
						       l->total };
		}
	return v;
}

/* ---------------------------------------------------------- the allocator  */

void *
schema_operations(struct schema *s, size_t *n)
{
	const struct allocator *a = s->p->allocator;
	struct schema_operation *v;

	v = room(a->nops, sizeof *v, n);
	if (!v)
		return NULL;
	for (size_t i = 0; i < a->nops; i++) {
		const struct allocator_op *o = &a->ops[i];

		v[i] = (struct schema_operation){
			.class = o->name,
			.function = allocator_function(o->of),
			.big = o->of & MONOUT_OP_BIG,
			.reused = o->of & MONOUT_OP_REUSED,
			.in_place = o->of & MONOUT_OP_SAME,
			.parallel = o->of & MONOUT_OP_PARALLEL,
			.first = o->of & MONOUT_OP_FIRST,
			.calls = o->calls.n,
			.bytes = o->calls.sum,
			.timed = o->time.n,
			.ns = o->ns,
			.locks = o->lock.n,
			.held = o->lock.sum,
			.contended = o->wait.n,
			.waited = o->wait.sum,
			.remote = o->remote.n
		};
		/* The same operations are examined for each event. */
		for (int k = 0; k < ALLOCATOR_NEVENT; k++) {
			v[i].event[k] =
				o->event[k].n ? o->event[k].sum : UINT64_MAX;
			if (o->event[k].n > v[i].looked)
				v[i].looked = o->event[k].n;
		}
		for (int k = 0; k < ALLOCATOR_NCALL; k++) {
			v[i].system_calls += o->kernel[k].n;
			v[i].in_system_calls += o->kernel[k].sum;
		}
		if (!o->watched)
			v[i].system_calls = v[i].in_system_calls = UINT64_MAX;
	}
	return v;
}

void *
schema_syscalls(struct schema *s, size_t *n)
{
	const struct allocator *a = s->p->allocator;
	struct schema_syscall *v;
	size_t all = 0, k = 0;

	for (size_t i = 0; i < a->nops; i++)
		for (int c = 0; c < ALLOCATOR_NCALL; c++)
			all += a->ops[i].kernel[c].n > 0;
	v = room(all, sizeof *v, n);
	if (!v)
		return NULL;
	for (size_t i = 0; i < a->nops; i++)
		for (int c = 0; c < ALLOCATOR_NCALL; c++)
			if (a->ops[i].kernel[c].n)
				v[k++] = (struct schema_syscall){
					allocator_calls[c], a->ops[i].name,
					a->ops[i].kernel[c],
					c < ALLOCATOR_FUTEX
						? a->ops[i].bytes[c].sum
						: UINT64_MAX
				};
	return v;
}

void *
schema_shares(struct schema *s, size_t *n)
{
	const struct allocator *a = s->p->allocator;
	struct schema_share *v;

	v = room(a->nshares, sizeof *v, n);
	if (!v)
		return NULL;
	for (size_t i = 0; i < a->nshares; i++) {
		const struct site *site = a->shares[i].site;
		const struct use *u = site ? site->use : NULL;

		v[i] = (struct schema_share){ a->shares[i], UINT64_MAX,
					      UINT64_MAX };
		if (s->p->uses_known && u) {
			v[i].writes = u->writes;
			if (profile_flag_blocks(u, PROFILE_SHARED))
				v[i].handed = u->flag_blocks[PROFILE_SHARED];
		}
	}
	return v;
}

/* The maximum of a figure over the samples; UINT64_MAX: unknown. */
static uint64_t
schema_rows_most(const struct allocator *a,
		 uint64_t (*get)(const struct allocator_sample *))
{
	uint64_t n = UINT64_MAX;

	for (size_t i = 0; i < a->nsamples; i++) {
		uint64_t v = get(&a->samples[i]);

		if (v != UINT64_MAX && (n == UINT64_MAX || v > n))
			n = v;
	}
	return n;
}

static uint64_t
schema_rows_held(const struct allocator_sample *s)
{
	return s->usable == UINT64_MAX || s->unused == UINT64_MAX
		       ? UINT64_MAX
		       : amount_add(s->usable, s->unused);
}

static uint64_t
schema_rows_resident(const struct allocator_sample *s)
{
	return s->resident;
}

void *
schema_tried(struct schema *s, size_t *n)
{
	const struct profile *p = s->p;
	struct schema_tried *v;
	const struct allocator *first = NULL;
	size_t all = 0, k = 0;

	for (size_t i = 0; i < p->nruns; i++)
		all += p->runs[i].allocator != NULL;
	v = room(all, sizeof *v, n);
	if (!v)
		return NULL;
	for (size_t i = 0; i < p->nruns; i++) {
		const struct run *r = &p->runs[i];
		const struct allocator *a = r->allocator;

		if (!a)
			continue;
		v[k] = (struct schema_tried){
			.allocator = allocator_object(a),
			.path = r->path,
			.cpu = a->cpu ? a->cpu : UINT64_MAX,
			.length = r->length,
			.in = a->all.ns.all,
			.requested = r->peak ? r->peak : UINT64_MAX,
			.held = schema_rows_most(a, schema_rows_held),
			.resident = schema_rows_most(a, schema_rows_resident),
			.predicted = UINT64_MAX
		};
		if (first)
			v[k].predicted = allocator_predict(first, p->references,
							   p->nreferences,
							   v[k].allocator)
						 .cpu;
		else
			first = a;
		k++;
	}
	return v;
}

void *
schema_predictions(struct schema *s, size_t *n)
{
	const struct profile *p = s->p;
	struct schema_prediction *v = room(p->nreferences, sizeof *v, n);

	for (size_t i = 0; v && i < *n; i++)
		v[i] = (struct schema_prediction){
			p->references[i].name,
			allocator_predict(p->allocator, p->references,
					  p->nreferences, p->references[i].name)
		};
	return v;
}

/* ------------------------------------------------------------- processes -- */

void
schema_rank_of(struct schema *s, const void *row, size_t number, size_t at,
	       struct value *v)
{
	const struct run *r = row;

	(void)s, (void)number, (void)at;
	value_number(v, r->rank, r->rank_known);
}

void
schema_imbalance_of(struct schema *s, const void *row, size_t number, size_t at,
		    struct value *v)
{
	const struct schema_imbalance *r = row;

	(void)number, (void)at;
	v->known = r->spread.sum > 0;
	v->number = rank_imbalance(&s->p->ranks, &r->spread);
}

void *
schema_imbalances(struct schema *s, size_t *n)
{
	static const char *const of[] = { [RANK_OF_ALL] = "all",
					  [RANK_OF_SITE] = "site",
					  [RANK_OF_FUNC] = "function",
					  [RANK_OF_TYPE] = "type" };
#define R(id, name, ...) #name,
	static const char *const figure[] = { RANKS_FIGURES(R) };
#undef R
	const struct profile_ranks *r = &s->p->ranks;
	struct schema_imbalance *v;

	*n = RANK_NFIGURE * r->nrows;
	v = calloc(*n + 1, sizeof *v);
	for (size_t i = 0; v && i < *n; i++) {
		const struct rank_row *x = &r->rows[i / RANK_NFIGURE];
		const struct rank_spread *y = &x->figure[i % RANK_NFIGURE];

		v[i] = (struct schema_imbalance){
			.of = of[x->of],
			.figure = figure[i % RANK_NFIGURE],
			.site = x->site,
			.name = x->func ? x->func->name : NULL,
			.type = x->type,
			.spread = *y,
			.mean = rank_mean(r, y),
			.most_rank = r->v[y->most_at].name,
			.least_rank = r->v[y->least_at].name,
		};
	}
	return v;
}
