/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the allocator cost: rows of the data file -> figures. */
#include "reduce/profile/allocator.h"
#include "reduce/base/sort.h"
#include "reduce/base/text.h"

#include <string.h>

const char *const allocator_calls[] = {
#define X(NAME, name) #name,
	MONREC_COST_CALLS(X)
#undef X
};

/* The figures as they come, with room for all that the rows can have. */
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

static void
add_sum(struct allocator_sum *to, const struct allocator_sum *x)
{
	to->n += x->n;
	to->sum += x->sum;
	if (x->most > to->most)
		to->most = x->most;
}

/* *to += *x, all but what they are of. */
static void
add_op(struct allocator_op *to, const struct allocator_op *x)
{
	int i;

	add_sum(&to->calls, &x->calls);
	add_sum(&to->time, &x->time);
	add_sum(&to->lock, &x->lock);
	add_sum(&to->wait, &x->wait);
	add_sum(&to->remote, &x->remote);
	to->watched += x->watched;
	for (i = 0; i < ALLOCATOR_NCALL; i++) {
		add_sum(&to->kernel[i], &x->kernel[i]);
		add_sum(&to->bytes[i], &x->bytes[i]);
	}
	for (i = 0; i < ALLOCATOR_NEVENT; i++)
		add_sum(&to->event[i], &x->event[i]);
	for (i = 0; i < (int)MONOUT_COST_BINS; i++)
		to->bin[i] += x->bin[i];
}

const char *
allocator_function(unsigned of)
{
	static const char *const names[MONOUT_OP_MASK + 1] = {
		"malloc", "calloc", "realloc", "memalign", "free", "?", "?", "?"
	};

	return names[of & MONOUT_OP_MASK];
}

/* A class in words. */
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

/* The class of a row; NULL: it is none. */
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

/* Rows of the same come together later. */
static struct allocator_lock *
lock_of(struct making *g, uint64_t at)
{
	struct allocator *a = g->a;

	a->locks[a->nlocks] = (struct allocator_lock){ .at = at };
	return &a->locks[a->nlocks++];
}

static struct allocator_size *
size_of(struct making *g, uint64_t usable)
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

/* A figure of a class.  False: the name is of something else. */
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
			add_sum(x->at ? &o->bytes[i] : &o->kernel[i], &s);
			return true;
		}
	for (i = 0; i < ALLOCATOR_NEVENT; i++)
		if (IS(events[i]) && (o = op_of(g, x))) {
			add_sum(&o->event[i], &s);
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
		add_sum(IS("lock") ? &lock_of(g, x->at)->taken
				   : &lock_of(g, x->at)->wait,
			&s);
	if (!IS("cycles") && !IS("watched"))
		add_sum(IS("calls")    ? &o->calls
			: IS("time")   ? &o->time
			: IS("lock")   ? &o->lock
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
		s = size_of(g, x->at);
		if (IS("class"))
			s->made = sum_of(x);
		else if (IS("class-live"))
			s->live = x->n;
		else
			s->free = x->n;
	}
}

/* By time. */
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
		/* Of several, none. */
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
	add_sum(&to->taken, &x->taken);
	add_sum(&to->wait, &x->wait);
}

static void
add_size(struct allocator_size *to, const struct allocator_size *x)
{
	add_sum(&to->made, &x->made);
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

/* In order of `at', those of the same as one. */
#define ONCE(v, n, at, compare, add) \
	do { \
		size_t k_ = 0; \
\
		SORT(v, n, compare); \
		for (size_t i_ = 0; i_ < (n); i_++) { \
			if (k_ && (v)[k_ - 1].at == (v)[i_].at) \
				add(&(v)[k_ - 1], &(v)[i_]); \
			else \
				(v)[k_++] = (v)[i_]; \
		} \
		(n) = k_; \
	} while (0)

/* ---------------------------------------------------------------- times -- */

static uint64_t
ns(const struct allocator *a, uint64_t cycles)
{
	return a->hz ? (uint64_t)((unsigned __int128)cycles * 1000000000u /
				  a->hz)
		     : 0;
}

static void
sum_ns(const struct allocator *a, struct allocator_sum *s)
{
	s->sum = ns(a, s->sum);
	s->most = ns(a, s->most);
}

/*
 * The cycles below which so much of the operations stay: the middle of the bin,
 * which is an eighth of an octave wide.
 */
static uint64_t
quantile(const struct allocator_op *o, double part)
{
	uint64_t n = 0, below = 0, want, low, high;
	unsigned b;

	for (b = 0; b < MONOUT_COST_BINS; b++)
		n += o->bin[b];
	if (!n)
		return 0;
	/* The want'th of them, from 1 on. */
	want = (uint64_t)(part * (double)n);
	want += (double)want < part * (double)n;
	want += !want;
	for (b = 0; b < MONOUT_COST_BINS - 1 && below + o->bin[b] < want; b++)
		below += o->bin[b];
	low = monout_eighth_from(b);
	high = monout_eighth_from(b + 1) - 1;
	low += (high - low) / 2;
	return low < o->time.most ? low : o->time.most;
}

/* What all operations of a class took, by those that were timed. */
static uint64_t
op_cycles(const struct allocator_op *o)
{
	if (!o->time.n || o->time.n == o->calls.n)
		return o->time.sum;
	return (uint64_t)((unsigned __int128)o->time.sum * o->calls.n /
			  o->time.n);
}

/* Cycles to ns, of a class or of all; cycles: what all of them took. */
static void
op_ns(const struct allocator *a, struct allocator_op *o, uint64_t cycles)
{
	const uint64_t no = UINT64_MAX, n = o->time.n;

	if (n)
		o->ns = (struct allocator_times){
			ns(a, cycles),
			(ns(a, o->time.sum) + n / 2) / n,
			ns(a, quantile(o, 0.5)),
			ns(a, quantile(o, 0.99)),
			ns(a, o->time.most),
			(o->time.sum + n / 2) / n
		};
	else
		o->ns = (struct allocator_times){ no, no, no, no, no, no };
	for (int i = 0; i < ALLOCATOR_NCALL; i++)
		sum_ns(a, &o->kernel[i]);
	sum_ns(a, &o->lock);
	sum_ns(a, &o->wait);
}

static void
allocator_times(struct allocator *a)
{
	uint64_t cycles, all = 0;
	size_t i;

	for (i = 0; i < a->nops; i++) {
		add_op(&a->all, &a->ops[i]);
		cycles = op_cycles(&a->ops[i]);
		all += cycles;
		op_ns(a, &a->ops[i], cycles);
	}
	op_ns(a, &a->all, all);
	for (i = 0; i < a->nlocks; i++) {
		sum_ns(a, &a->locks[i].taken);
		sum_ns(a, &a->locks[i].wait);
	}
}

/* Where the peaks are; samples of several runs are none. */
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

static int
making_texts(struct making *g, const struct mon *m)
{
	struct allocator *a = g->a;
	size_t i;

	for (i = 0; i < m->nsettings; i++)
		if (!strcmp(m->settings[i].name, "MEMMON_ALLOCATOR_PROBE") &&
		    !(a->probe = text_clean(g->arena, m->settings[i].value)))
			return -1;
	if (g->path && !g->several &&
	    !(a->path = text_clean(g->arena, g->path)))
		return -1;
	for (i = 0; i < a->nops; i++)
		if (!(a->ops[i].name = class_name(g->arena, a->ops[i].of)))
			return -1;
	return 0;
}

static int
making_room(struct making *g)
{
	struct allocator *a = arena_array(g->arena, 1, sizeof(*a));

	if (!a)
		return -1;
	memset(a, 0, sizeof(*a));
	a->ops = arena_array(g->arena, MONOUT_NOP, sizeof(*a->ops));
	a->locks = arena_array(g->arena, g->rows, sizeof(*a->locks));
	a->sizes = arena_array(g->arena, g->rows, sizeof(*a->sizes));
	a->samples = arena_array(g->arena, g->rows, sizeof(*a->samples));
	a->look_at = UINT64_MAX;
	g->a = a;
	return a->ops && a->locks && a->sizes && a->samples ? 0 : -1;
}

int
allocator_of(const struct allocator **to, struct arena *arena,
	     const struct mon *m, size_t runs)
{
	struct making g = { .arena = arena, .rows = m->ncosts };
	struct allocator *a;
	size_t i;

	*to = NULL;
	if (!m->ncosts)
		return 0;
	if (making_room(&g))
		return -1;
	a = g.a;
	for (i = 0; i < m->ncosts; i++)
		if (!row_of_class(&g, &m->costs[i])) {
			row_of_size(&g, &m->costs[i]);
			row_of_time(&g, &m->costs[i]);
			row_of_all(&g, &m->costs[i]);
		}
	ONCE(a->locks, a->nlocks, at, allocator_compare_at, add_lock);
	SORT(a->locks, a->nlocks, allocator_compare_locks);
	ONCE(a->sizes, a->nsizes, usable, allocator_compare_sizes, add_size);
	ONCE(a->samples, a->nsamples, at, allocator_compare_samples,
	     add_sample);
	SORT(a->ops, a->nops, allocator_compare_ops);
	if (making_texts(&g, m))
		return -1;
	allocator_times(a);
	/* Times after start of several runs are no one line. */
	if (runs > 1)
		a->nsamples = 0;
	allocator_peaks(a);
	*to = a;
	return 0;
}

int
allocator_make(struct profile *p, const struct mon *m)
{
	if (allocator_of(&p->allocator, &p->priv->arena, m, p->nruns))
		return -1;
	return p->allocator ? allocator_references(p) : 0;
}
