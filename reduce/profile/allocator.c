/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the allocator cost: the data file's rows become figures. */
#include "reduce/profile/allocator.h"
#include "reduce/base/sort.h"
#include "reduce/base/clean.h"

#include <string.h>

const char *const allocator_calls[] = {
#define X(NAME, name) #name,
	MONREC_COST_CALLS(X)
#undef X
};

/* The result so far, with room for all that the rows can have. */
struct making {
	struct allocator *a;
	struct arena *arena;
	size_t rows;
	const char *path; /* of the allocator's object */
	bool several;
	struct allocator_op *of[MONOUT_NOP];
};

static struct allocator_sum
sum_of(const struct mon_cost *x)
{
	return (struct allocator_sum){ x->n, x->sum, x->most };
}

const char *
allocator_function(unsigned of)
{
	static const char *const names[MONOUT_OP_MASK + 1] = {
		"malloc", "calloc", "realloc", "memalign", "free", "?", "?", "?"
	};

	return names[of & MONOUT_OP_MASK];
}

/* The name of a class of operations. */
static const char *
class_name(struct arena *arena, unsigned of)
{
	bool first = of & MONOUT_OP_FIRST;
	char text[96];

	snprintf(text, sizeof(text), "%s%s%s%s", allocator_function(of),
		 first			? ", a thread's first call"
		 : of & MONOUT_OP_BIG	? ", big"
				      : ", small",
		 first || (of & MONOUT_OP_MASK) == MONOUT_OP_FREE ? ""
		 : of & MONOUT_OP_SAME				  ? ", in place"
		 : of & MONOUT_OP_REUSED			  ? ", reused"
								  : ", new",
		 of & MONOUT_OP_PARALLEL ? ", several threads" : "");
	return arena_print(arena, "%s", text);
}

/* ---------------------------------------------------------------- rows -- */

/* The class of the row's operations; NULL: not a known class. */
static struct allocator_op *
op_of(struct making *g, const struct mon_cost *x)
{
	struct allocator *a = g->a;
	struct allocator_op *o;

	if (x->of >= MONOUT_NOP)
		return NULL;
	o = g->of[x->of];
	if (!o) {
		o = g->of[x->of] = &a->ops[a->nops++];
		memset(o, 0, sizeof(*o));
		o->of = (unsigned)x->of;
	}
	return o;
}

/* Rows with the same key are joined at the end. */
static struct allocator_lock *
lock_of(struct making *g, uint64_t at)
{
	struct allocator *a = g->a;

	a->locks[a->nlocks] = (struct allocator_lock){ .at = at };
	return &a->locks[a->nlocks++];
}

static struct allocator_size *
allocator_size_of(struct making *g, uint64_t usable)
{
	struct allocator *a = g->a;

	a->sizes[a->nsizes] = (struct allocator_size){ .usable = usable };
	return &a->sizes[a->nsizes++];
}

static struct allocator_sample *
sample_of(struct making *g, uint64_t at)
{
	struct allocator *a = g->a;

	a->samples[a->nsamples] =
		(struct allocator_sample){ at,	       UINT64_MAX, UINT64_MAX,
					   UINT64_MAX, UINT64_MAX, UINT64_MAX,
					   UINT64_MAX };
	return &a->samples[a->nsamples++];
}

/* Add a row of a class.  False: the name isn't a figure of a class. */
static bool
row_of_class(struct making *g, const struct mon_cost *x)
{
	static const char *const events[] = {
#define X(NAME, text) text,
		MONREC_COST_EVENTS(X)
#undef X
	};
	const struct allocator_sum s = sum_of(x);
	struct allocator_op *o;
	int i;

#define IS(text) (!strcmp(x->name, text))
	for (i = 0; i < ALLOCATOR_NCALL; i++)
		if (IS(allocator_calls[i]) && (o = op_of(g, x))) {
			allocator_sum_add(x->at ? &o->bytes[i] : &o->kernel[i],
					  &s);
			return true;
		}
	for (i = 0; i < ALLOCATOR_NEVENT; i++)
		if (IS(events[i]) && (o = op_of(g, x))) {
			allocator_sum_add(&o->event[i], &s);
			return true;
		}
	o = IS("calls") || IS("time") || IS("cycles") || IS("watched") ||
			    IS("lock") || IS("wait") || IS("remote")
		    ? op_of(g, x)
		    : NULL;
	if (!o)
		return false;
	if (IS("cycles") && x->at < MONOUT_COST_BINS)
		o->bin[x->at] += x->n;
	else if (IS("watched"))
		o->watched += x->n;
	else if (IS("lock") || IS("wait"))
		allocator_sum_add(IS("lock") ? &lock_of(g, x->at)->taken
					     : &lock_of(g, x->at)->wait,
				  &s);
	if (!IS("cycles") && !IS("watched"))
		allocator_sum_add(IS("calls")    ? &o->calls
				  : IS("time")	 ? &o->time
				  : IS("lock")	 ? &o->lock
				  : IS("remote") ? &o->remote
						 : &o->wait,
				  &s);
	return true;
}

static void
row_of_size(struct making *g, const struct mon_cost *x)
{
	struct allocator_size *s;

	if (IS("class") || IS("class-live") || IS("class-free")) {
		s = allocator_size_of(g, x->at);
		if (IS("class"))
			s->made = sum_of(x);
		else if (IS("class-live"))
			s->live = x->n;
		else
			s->free = x->n;
	}
}

/* A row of one time. */
static void
row_of_time(struct making *g, const struct mon_cost *x)
{
#define X(name) \
	if (IS(#name)) \
		sample_of(g, x->at)->name = x->sum;
	MONREC_COST_MEMORY(X)
#undef X
}

static void
row_of_all(struct making *g, const struct mon_cost *x)
{
	static const char object[] = "allocator ";
	struct allocator *a = g->a;
	static const struct {
		const char *name;
		size_t at;
	} most[] = {
#define X(text, member) { text, offsetof(struct allocator, member) },
		X("hz", hz) X("timer", timer) X("threshold", threshold)
			X("one-in", one_in)
	}, count[] = {
		X("uncounted", uncounted) X("lock-slots", lock_slots)
			X("shared-active", active)
				X("shared-passive", passive)
#undef X
	};
	size_t i;

	for (i = 0; i < sizeof(most) / sizeof(*most); i++)
		if (IS(most[i].name))
			*(uint64_t *)((char *)a + most[i].at) = x->most;
	for (i = 0; i < sizeof(count) / sizeof(*count); i++)
		if (IS(count[i].name))
			*(uint64_t *)((char *)a + count[i].at) = x->n;
	if (IS("counters"))
		a->no_counters = x->at;
	if (IS("cpu"))
		a->cpu += x->sum;
	if (!strncmp(x->name, object, sizeof(object) - 1)) {
		/* With several objects, path isn't set. */
		g->several |= g->path != NULL;
		g->path = x->name + sizeof(object) - 1;
	}
	if (IS("lines"))
		*(x->at == 64 ? &a->lines : &a->pages) = x->n;
	if (IS("look")) {
		a->look_at = x->at;
		a->look_bytes = x->sum;
		a->guessed = x->most;
	}
}

#undef IS

/* ------------------------------------------------------- put together -- */

SORT_BY(allocator_compare_at, struct allocator_lock, SORT_UP(at))
SORT_BY(allocator_compare_locks, struct allocator_lock,
	SORT_DOWN(wait.sum) SORT_DOWN(taken.n) SORT_UP(at))
SORT_BY(allocator_compare_sizes, struct allocator_size, SORT_UP(usable))
SORT_BY(allocator_compare_samples, struct allocator_sample, SORT_UP(at))
SORT_BY(allocator_compare_ops, struct allocator_op, SORT_UP(of))

static void
add_lock(struct allocator_lock *to, const struct allocator_lock *x)
{
	allocator_sum_add(&to->taken, &x->taken);
	allocator_sum_add(&to->wait, &x->wait);
}

static void
allocator_add_size(struct allocator_size *to, const struct allocator_size *x)
{
	allocator_sum_add(&to->made, &x->made);
	to->live += x->live;
	to->free += x->free;
}

static void
add_sample(struct allocator_sample *to, const struct allocator_sample *x)
{
#define X(name) \
	if (x->name != UINT64_MAX) \
		to->name = x->name;
	MONREC_COST_MEMORY(X)
#undef X
}

/* Find the peaks.  Samples of several runs were dropped. */
static void
allocator_peaks(struct allocator *a)
{
	const struct allocator_sample *s = a->samples;
	size_t i;

	for (i = 0; i < a->nsamples; i++) {
		if (s[i].usable == UINT64_MAX || s[i].unused == UINT64_MAX)
			continue;
		if (s[i].usable >= s[a->peak].usable ||
		    s[a->peak].usable == UINT64_MAX)
			a->peak = i;
		if (s[i].usable + s[i].unused >=
			    s[a->largest].usable + s[a->largest].unused ||
		    s[a->largest].usable == UINT64_MAX)
			a->largest = i;
	}
}

static void
making_texts(struct making *g, const struct mon *m)
{
	struct allocator *a = g->a;
	size_t i;

	for (i = 0; i < m->nsettings; i++) {
		if (!strcmp(m->settings[i].name, "MEMMON_ALLOCATOR_PROBE"))
			a->probe = clean_name(g->arena, m->settings[i].value);
	}
	if (g->path && !g->several)
		a->path = clean_name(g->arena, g->path);
	for (i = 0; i < a->nops; i++)
		a->ops[i].name = class_name(g->arena, a->ops[i].of);
}

static void
making_room(struct making *g)
{
	struct allocator *a = arena_array(g->arena, 1, sizeof(*a));

	memset(a, 0, sizeof(*a));
	a->ops = arena_array(g->arena, MONOUT_NOP, sizeof(*a->ops));
	a->locks = arena_array(g->arena, g->rows, sizeof(*a->locks));
	a->sizes = arena_array(g->arena, g->rows, sizeof(*a->sizes));
	a->samples = arena_array(g->arena, g->rows, sizeof(*a->samples));
	a->look_at = UINT64_MAX;
	g->a = a;
}

static void
making(struct allocator **to, struct arena *arena, const struct mon *m,
       size_t runs)
{
	struct making g = { .arena = arena, .rows = m->ncosts };
	struct allocator *a;
	size_t i;

	*to = NULL;
	if (!m->ncosts)
		return;
	making_room(&g);
	a = g.a;
	for (i = 0; i < m->ncosts; i++)
		if (!row_of_class(&g, &m->costs[i])) {
			row_of_size(&g, &m->costs[i]);
			row_of_time(&g, &m->costs[i]);
			row_of_all(&g, &m->costs[i]);
		}
	SORT_ONCE(a->locks, a->nlocks, allocator_compare_at, add_lock);
	SORT(a->locks, a->nlocks, allocator_compare_locks);
	SORT_ONCE(a->sizes, a->nsizes, allocator_compare_sizes,
		  allocator_add_size);
	SORT_ONCE(a->samples, a->nsamples, allocator_compare_samples,
		  add_sample);
	SORT(a->ops, a->nops, allocator_compare_ops);
	making_texts(&g, m);
	allocator_times(a);
	/* Times count from each run's start, so several runs have no
	 * timeline. */
	if (runs > 1)
		a->nsamples = 0;
	allocator_peaks(a);
	*to = a;
}

void
allocator_of(const struct allocator **to, struct arena *arena,
	     const struct mon *m, size_t runs)
{
	struct allocator *a;

	making(&a, arena, m, runs);
	*to = a;
}

/* ------------------------------------------------------------ call paths -- */

SORT_BY(allocator_compare_shares, struct allocator_share,
	SORT_DOWN(active) SORT_DOWN(passive) SORT_UP(site))

/*
 * The sites of blocks on cache lines that threads share.  The rows are by node,
 * and use the numbers of the file's own nodes: merged files have new numbers.
 * So this is only for a single file.
 */
static void
allocator_shares(struct allocator *a, struct profile *p, const struct mon *m)
{
	struct allocator_share *v =
		arena_array(&p->priv->arena, p->nsites + 1, sizeof(*v));
	uint64_t *active = heap_array(m->nnodes + 1, sizeof(*active));
	uint64_t *passive = heap_array(m->nnodes + 1, sizeof(*passive));
	size_t i;

	for (i = 0; i < m->ncosts; i++) {
		const struct mon_cost *x = &m->costs[i];

		if (x->at > m->nnodes)
			continue;
		if (!strcmp(x->name, "path-active"))
			active[x->at] += x->n;
		if (!strcmp(x->name, "path-passive"))
			passive[x->at] += x->n;
	}
	for (i = 0; i <= p->nsites; i++)
		v[i] = (struct allocator_share){ i < p->nsites ? &p->sites[i]
							       : NULL,
						 0, 0 };
	for (i = 0; i < m->nsites; i++) {
		uint32_t node = m->sites[i].node;

		v[p->priv->site_of[i]].active += active[node];
		v[p->priv->site_of[i]].passive += passive[node];
		active[node] = passive[node] = 0;
	}
	/* Nodes without a site. */
	for (i = 0; i <= m->nnodes; i++) {
		v[p->nsites].active += active[i];
		v[p->nsites].passive += passive[i];
	}
	free(active);
	free(passive);
	a->shares = v;
	for (i = 0; i <= p->nsites; i++)
		if (v[i].active + v[i].passive)
			v[a->nshares++] = v[i];
	SORT(v, a->nshares, allocator_compare_shares);
}

void
allocator_make(struct profile *p, const struct mon *m)
{
	struct allocator *a;

	making(&a, &p->priv->arena, m, p->nruns);
	p->allocator = a;
	if (!a)
		return;
	if (p->nruns == 1 && p->priv->site_of)
		allocator_shares(a, p, m);
	allocator_references(p);
}
