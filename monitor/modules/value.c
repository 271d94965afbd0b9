/* SPDX-License-Identifier: MIT */
/*
 * Does an instruction always load or store the same value, one of few values,
 * or values that grow by a fixed step; and by which step does its address grow?
 * memmon-modules(7).
 */
#include "monitor/module/memmon_module.h"

MEMMON_EVENTS("load:address,value store:address,value");

#define FEW 8u

/*
 * The steps of one thread: another thread starts new ones.  Values and their
 * steps are in the upper bytes, so a carry beyond their size is dropped.
 */
struct site {
	/* steady: steps equal to the one before. */
	uint64_t last, step, steady;
	uint64_t address, stride, regular; /* the same for addresses */
	uint64_t n, steps, value[FEW];
	uint32_t values, thread; /* values: FEW + 1: more; thread: + 1 */
};

struct value {
	struct memmon_host *host;
	struct memmon_groups groups;
	struct site *site; /* by place */
	/*
	 * The addresses counted last, the block that they are from, and the
	 * result.
	 */
	const uint64_t *address;
	uint64_t opened;
	uint32_t regular;
};

static bool
init(void *state, struct memmon_host *h)
{
	struct value *v = state;

	v->host = h;
	return (v->site = h->map(h, MEMMON_PLACES * sizeof(*v->site))) &&
	       memmon_groups_init(&v->groups, h);
}

static void
add_value(struct site *s, uint64_t x)
{
	uint32_t i = 0;

	while (i < s->values && s->value[i] != x)
		i++;
	if (i == s->values && s->values++ < FEW)
		s->value[i] = x;
}

/* One event after the other: the first events of a group. */
static void
add(struct site *s, uint64_t x, uint64_t address, uint32_t thread)
{
	if (s->thread == thread) {
		uint64_t step = x - s->last, stride = address - s->address;

		s->steady += s->steps && step == s->step;
		s->regular += s->steps && stride == s->stride;
		s->steps++;
		s->step = step;
		s->stride = stride;
	}
	if (s->values <= FEW)
		add_value(s, x);
	s->thread = thread;
	s->last = x;
	s->address = address;
	s->n++;
}

#ifdef __x86_64__
#define CLONES __attribute__((target_clones("avx2", "default")))
#else
#define CLONES
#endif

typedef uint64_t vector __attribute__((vector_size(32), aligned(8), may_alias));

/*
 * How many of n have the same distance to their predecessor as that has to its
 * own?
 */
static CLONES uint32_t
count_even(const uint64_t *x, uint32_t n, unsigned above)
{
	vector zero = { 0 }, sum = zero;
	uint64_t count = 0;
	uint32_t i = 2;

	for (; i + 4 <= n; i += 4) {
		const vector *a = (const vector *)(x + i - 2);
		const vector *b = (const vector *)(x + i - 1);
		const vector *c = (const vector *)(x + i);

		sum -= (vector)(((*c - *b) - (*b - *a)) << above == zero);
	}
	for (unsigned k = 0; k < 4; k++)
		count += sum[k];
	for (; i < n; i++)
		count += ((x[i] - x[i - 1]) - (x[i - 1] - x[i - 2])) << above ==
			 0;
	return (uint32_t)count;
}

static void
look(struct value *v, struct site *s, const struct memmon_group *g,
     uint32_t thread)
{
	unsigned above = memmon_bits_above(g->step->size);
	const uint64_t *x = g->value;
	uint32_t n = g->n;

	for (uint32_t i = 0; i < n && i < 2; i++)
		add(s, x[i] << above, memmon_group_address(g, i), thread);
	if (n <= 2)
		return;
	if (!g->fixed &&
	    (v->address != g->address || v->opened != v->groups.opened)) {
		v->regular = count_even(g->address, n, 0);
		v->address = g->address;
		v->opened = v->groups.opened;
	}
	s->regular += g->fixed ? n - 2 : v->regular;
	s->steady += count_even(x, n, above);
	for (uint32_t i = 2; i < n && s->values <= FEW; i++)
		if ((x[i] ^ x[i - 1]) << above)
			add_value(s, x[i] << above);
	s->last = x[n - 1] << above;
	s->step = s->last - (x[n - 2] << above);
	s->address = memmon_group_address(g, n - 1);
	s->stride = s->address - memmon_group_address(g, n - 2);
	s->steps += n - 2;
	s->n += n - 2;
}

static void
look_at_group(struct value *v, const struct memmon_group *g)
{
	if (g->step->kind <= MEMMON_EVENT_STORE && memmon_has_value(g->step))
		look(v, &v->site[g->step->index], g, g->thread + 1);
}

static void
events(void *state, const struct memmon_batch *b)
{
	struct value *v = state;

	memmon_each_group (g, &v->groups, b)
		look_at_group(v, &g);
}

static void
merge(void *to, void *from)
{
	struct value *t = to, *f = from;

	memmon_each_rest (g, &f->groups)
		look_at_group(f, &g);
	for (uint32_t i = 0; i < t->host->places(t->host); i++)
		if (f->site[i].n)
			t->site[i] = f->site[i];
}

static const struct memmon_column columns[] = {
	{ "instruction", MEMMON_PLACE, "that loads or stores" },
	{ "kind", MEMMON_TEXT, "load or store" },
	{ "count", MEMMON_COUNT, "how often" },
	{ "pattern", MEMMON_TEXT,
	  "of its values: constant; linear: each is "
	  "the one before and the same step; few: at "
	  "most 8 different ones; or varied" },
	{ "value", MEMMON_TEXT, "it, or the first one and the step; signed" },
	{ "values", MEMMON_COUNT, "different ones, if they are few" },
	{ "steady", MEMMON_RATIO,
	  "steps of the value that are as the one "
	  "before" },
	{ "stride", MEMMON_TEXT,
	  "bytes from each address to the next, where "
	  "that is always the same" },
	{ "regular", MEMMON_RATIO, "strides that are as the one before" },
};
static const struct memmon_table tables[] = {
	{ "values", "VALUES OF LOADS AND STORES", columns, 9 },
};

/* A share of the steps that have a step before them. */
static double
share(uint64_t n, uint64_t steps)
{
	return steps > 1 ? (double)n / (double)(steps - 1) : -1;
}

static void
finish(void *state, struct memmon_host *h)
{
	struct value *v = state;

	memmon_each_rest (g, &v->groups)
		look_at_group(v, &g);
	for (uint32_t i = 1; i < h->places(h); i++) {
		const struct site *s = &v->site[i];
		bool linear, even = s->steps && s->regular == s->steps - 1;
		char value[64] = "", stride[24] = "";
		struct memmon_where w;
		unsigned above;

		if (!s->n || !h->place(h, memmon_place(i), &w))
			continue;
		above = memmon_bits_above(w.size);
		linear = s->steps > 1 && s->steady == s->steps - 1 &&
			 s->steps + 1 == s->n && !w.is_float && s->values > 1;
		if (s->values == 1 || linear)
			memmon_value_text(&w, s->value[0] >> above, value);
		if (linear)
			memmon_step_text(value,
					 (uint64_t)((int64_t)s->step >> above));
		if (even)
			memmon_step_text(stride, s->stride);
		memmon_row(h, 0, { .n = memmon_place(i) },
			   { .text = memmon_access_text(w.kind) },
			   { .n = s->n },
			   { .text = s->values == 1	? "constant"
				     : linear		? "linear"
				     : s->values <= FEW ? "few"
							: "varied" },
			   { .text = value },
			   { .n = s->values <= FEW ? s->values
						   : MEMMON_UNKNOWN },
			   { .real = share(s->steady, s->steps) },
			   { .text = stride },
			   { .real = share(s->regular, s->steps) });
	}
}

MEMMON_MODULE("value", "Which values instructions load and store.",
	      MEMMON_BY_PLACE, tables, struct value, init, events, merge,
	      finish);
