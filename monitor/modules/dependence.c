/* SPDX-License-Identifier: MIT */
/*
 * Which instruction reads a value that another instruction stored, in which
 * iteration of which loop: memmon-modules(7).  Options: anti, output.  With
 * -DCONTEXT an instruction counts separately in each calling context.
 */
#include "monitor/module/memmon_module.h"

#define EVENTS \
	"load:address,size store:address,size alloc:address,value " \
	"loop:address iteration loop_exit resume:address"
#ifdef CONTEXT
MEMMON_EVENTS(EVENTS " entry:address exit:address");
#else
MEMMON_EVENTS(EVENTS);
#endif

#define TIME ((1ull << MEMMON_TIME_BITS) - 1)
#define NODES MEMMON_CONTEXTS
#define THREADS MEMMON_LOOPS /* instead of a loop */

enum kind { FLOW, ANTI, OUTPUT, KINDS };

/* The pair found last: its source and loop, and its words. */
struct recent {
	uint64_t key, *w;
};

struct dependence {
	struct memmon_host *host;
	struct memmon_contexts contexts;
	/* Node << 40 | time of the last access. */
	struct memmon_bytes stores, loads;
	struct memmon_map
		pairs; /* source << 42 | sink << 20 | loop << 2 | kind:
				    spread of distances */
	struct recent *recent[KINDS]; /* of each sink */
	bool anti, output;
};

static bool
init(void *state, struct memmon_host *h)
{
	struct dependence *d = state;

	d->host = h;
	d->anti = h->option(h, "anti");
	d->output = h->option(h, "output");
	for (int k = 0; k < KINDS; k++)
		d->recent[k] = h->map(h, NODES * sizeof(*d->recent[k]));
	return d->recent[FLOW] && d->recent[ANTI] && d->recent[OUTPUT] &&
	       memmon_contexts_init(&d->contexts, h) &&
	       memmon_bytes_init(&d->stores, h) &&
	       memmon_bytes_init(&d->loads, h) &&
	       memmon_map_init(&d->pairs, h, MEMMON_SPREAD);
}

#ifdef CONTEXT
#define NODE(c, s) memmon_point(c, (s)->where)
#else
#define NODE(c, s) ((uint64_t)(s)->index)
#endif

/* `sink' accesses memory whose last access was `old'. */
static inline __attribute__((always_inline)) void
found(struct dependence *d, struct memmon_context *c, enum kind kind,
      uint64_t old, uint64_t sink)
{
	struct recent *r = &d->recent[kind][sink];
	struct memmon_active *l = NULL;
	uint64_t loop = 0, key;

	if (__builtin_expect(d->contexts.threads > 1, 0) &&
	    memmon_context_foreign(c, old & TIME))
		loop = THREADS;
	else if ((l = memmon_context_carrier(c, old & TIME)))
		loop = l->index;
	key = (old & ~TIME) | loop;
	if (__builtin_expect(r->key != key, 0))
		*r = (struct recent){
			key,
			memmon_map_add(&d->pairs, old >> 40 << 42 | sink << 20 |
							  loop << 2 | kind)
		};
	if (l)
		memmon_spread_add(r->w, memmon_context_distance(l, old & TIME));
	else
		++*r->w;
}

/* The same for all bytes of an access. */
static __attribute__((noinline)) void
look_at_runs(struct dependence *d, const struct memmon_batch *b,
	     struct memmon_context *c, enum kind kind, uint64_t at,
	     uint64_t size, uint64_t sink)
{
	struct memmon_bytes *s = kind == ANTI ? &d->loads : &d->stores;

	memmon_each_mine (r, s, b, at, size)
		found(d, c, kind, r.word, sink);
}

static __attribute__((noinline)) void
any_access(struct dependence *d, const struct memmon_batch *b,
	   struct memmon_context *c, bool store, uint64_t at, uint64_t size,
	   uint64_t node)
{
	uint64_t now = node << 40 | c->now;

	if (!store)
		look_at_runs(d, b, c, FLOW, at, size, node);
	else if (d->anti)
		look_at_runs(d, b, c, ANTI, at, size, node);
	if (store && d->output)
		look_at_runs(d, b, c, OUTPUT, at, size, node);
	if (store)
		memmon_set_mine(&d->stores, b, at, size, now);
	if (d->anti)
		memmon_set_mine(&d->loads, b, at, size, store ? 0 : now);
}

/* The same for an aligned access: its bytes usually were accessed together. */
static inline __attribute__((always_inline)) void
look(struct dependence *d, const struct memmon_batch *b,
     struct memmon_context *c, enum kind kind, uint64_t at, unsigned n,
     uint64_t sink)
{
	uint64_t old =
		memmon_bytes_aligned(kind == ANTI ? &d->loads : &d->stores, at,
				     n);

	if (__builtin_expect(old == MEMMON_SPLIT, 0))
		look_at_runs(d, b, c, kind, at, n, sink);
	else if (old)
		found(d, c, kind, old, sink);
}

static inline __attribute__((always_inline)) void
access(struct dependence *d, const struct memmon_batch *b,
       struct memmon_context *c, bool store, uint64_t at, unsigned n, bool all,
       uint64_t node)
{
	uint64_t now = node << 40 | c->now;

	if (!store)
		look(d, b, c, FLOW, at, n, node);
	else if (all && d->anti)
		look(d, b, c, ANTI, at, n, node);
	if (store && all && d->output)
		look(d, b, c, OUTPUT, at, n, node);
	if (store)
		memmon_bytes_set_aligned(&d->stores, at, n, now);
	if (all && d->anti)
		memmon_bytes_set_aligned(&d->loads, at, n, store ? 0 : now);
}

/* All events except loads and stores. */
static __attribute__((noinline)) void
other(struct dependence *d, struct memmon_context *c,
      const struct memmon_decoded *s, const uint64_t *w)
{
	struct memmon_event e = memmon_event(w, s);

	if (memmon_context_event(c, &e) || e.kind != MEMMON_EVENT_ALLOC)
		return;
	memmon_bytes_clear(&d->stores, e.address, e.value);
	memmon_bytes_clear(&d->loads, e.address, e.value);
}

static inline __attribute__((always_inline)) void
batch(struct dependence *d, const struct memmon_batch *b, bool one, bool all)
{
	struct memmon_context *c = memmon_context_of(&d->contexts, b->thread);

	memmon_each_step (s, w, b) {
		bool store = s->kind == MEMMON_EVENT_STORE;
		uint64_t at = memmon_address(w, s);

		if (s->kind > MEMMON_EVENT_STORE) {
			if (s->kind == MEMMON_EVENT_ITERATION)
				memmon_context_iteration(c, s->where);
			else
				other(d, c, s, w);
		} else if (!memmon_is_aligned(s, at) ||
			   (!one && memmon_at_edge(b, at, s->size))) {
			any_access(d, b, c, store, at, memmon_size(w, s),
				   NODE(c, s));
		} else if (one || memmon_mine_address(b, at)) {
			if (store)
				access(d, b, c, true, at, s->size, all,
				       NODE(c, s));
			else
				access(d, b, c, false, at, s->size, all,
				       NODE(c, s));
		}
	}
}

static void
events(void *state, const struct memmon_batch *b)
{
	struct dependence *d = state;

	if (d->anti || d->output)
		batch(d, b, false, true);
	else if (b->workers == 1)
		batch(d, b, true, false);
	else
		batch(d, b, false, false);
}

static void
merge(void *to, void *from)
{
	struct dependence *d = to, *f = from;
	uint32_t *at = NULL;

	if (!memmon_contexts_merge(&d->contexts, &f->contexts, &at))
		return;
	memmon_map_each (w, &f->pairs) {
		uint64_t key = w[-1];
#ifdef CONTEXT
		key = (uint64_t)at[key >> 42] << 42 |
		      (uint64_t)at[key >> 20 & (NODES - 1)] << 20 |
		      (key & 0xfffff);
#endif
		memmon_spread_merge_one(memmon_map_add(&d->pairs, key), w);
	}
}

static const struct memmon_column pair_columns[] = {
	{ "kind", MEMMON_TEXT,
	  "flow: a load reads bytes that a store wrote; "
	  "anti: a store changes bytes that a load "
	  "read; output: a store changes bytes that a "
	  "store wrote" },
	{ "source", MEMMON_PLACE, "what came first" },
	{ "sink", MEMMON_PLACE, "what depends on it" },
	{ "loop", MEMMON_PLACE,
	  "whose earlier iteration the first was in; "
	  "none: both in the same iteration of all "
	  "loops, or outside" },
	{ "count", MEMMON_COUNT, "how often" },
	{ "least", MEMMON_COUNT, "iterations between them, at least," },
	{ "most", MEMMON_COUNT, "at most, and" },
	{ "distances", MEMMON_HISTOGRAM, "how often 0, 1, 2-3, 4-7 ..." },
	{ "from", MEMMON_TEXT, "context of the source, or \"another thread\"" },
	{ "to", MEMMON_TEXT, "context of the sink" },
};
static const struct memmon_column loop_columns[] = {
	{ "loop", MEMMON_PLACE, "where it begins" },
	{ "entered", MEMMON_COUNT, "from outside" },
	{ "iterations", MEMMON_COUNT, "of all of these" },
	{ "carried", MEMMON_COUNT, "flow dependences on an earlier iteration" },
	{ "pairs", MEMMON_COUNT, "of different instructions" },
	{ "verdict", MEMMON_TEXT, "what that means" },
	{ "source", MEMMON_PLACE, "of those, what most come from" },
	{ "sink", MEMMON_PLACE, "and what they are to" },
};
static const struct memmon_table tables[] = {
	{ "dependences", "DEPENDENCES", pair_columns, 10 },
	{ "loops", "LOOPS", loop_columns, 8 },
};

static uint32_t
place(const struct dependence *d, uint64_t node, char *context, size_t n)
{
#ifdef CONTEXT
	uint64_t key = memmon_point_key(&d->contexts, (uint32_t)node);

	memmon_context_text(&d->contexts, key >> 32, context, n);
	return (uint32_t)key;
#else
	(void)d, (void)context, (void)n;
	return memmon_place((uint32_t)node);
#endif
}

/* carried: of each loop count, pairs; count, source, sink of one. */
static void
loops(struct dependence *d, struct memmon_host *h, struct memmon_map *carried)
{
	for (uint32_t i = 1; i < d->contexts.loops; i++) {
		const struct memmon_loop_total *l = &d->contexts.loop[i];
		uint64_t *t = memmon_map_add(carried, i);

		memmon_row(h, 1, { .n = l->where }, { .n = l->entered },
			   { .n = l->iterations }, { .n = t[0] }, { .n = t[1] },
			   { .text = t[0] ? "depends on earlier iterations"
					  : "no loop-carried flow "
					    "dependence seen" },
			   { .n = t[3] }, { .n = t[4] });
	}
}

static void
finish(void *state, struct memmon_host *h)
{
	static const char *const kinds[] = { "flow", "anti", "output" };
	struct dependence *d = state;
	struct memmon_map carried;
	char from[4096] = "", to[4096] = "";

	if (!memmon_map_init(&carried, h, 5))
		return;
	memmon_map_each (w, &d->pairs) {
		uint64_t key = w[-1], loop = key >> 2 & 0x3ffff, *t;
		uint32_t source = place(d, key >> 42, from, sizeof(from));
		uint32_t sink =
			place(d, key >> 20 & (NODES - 1), to, sizeof(to));
		uint64_t least, most, n = memmon_spread_count(w);
		bool known = memmon_spread_range(w, &least, &most);

		memmon_row(h, 0, { .text = kinds[key & 3] }, { .n = source },
			   { .n = sink },
			   { .n = loop == THREADS
					  ? 0
					  : d->contexts.loop[loop].where },
			   { .n = n }, { .n = known ? least : MEMMON_UNKNOWN },
			   { .n = known ? most : MEMMON_UNKNOWN },
			   { .histogram = known ? w + 3 : NULL },
			   { .text = loop == THREADS ? "another thread"
						     : from },
			   { .text = to });
		if (!loop || loop == THREADS || (key & 3) != FLOW)
			continue;
		t = memmon_map_add(&carried, loop);
		t[0] += n;
		t[1]++;
		if (n > t[2] ||
		    (n == t[2] &&
		     (source < t[3] || (source == t[3] && sink < t[4])))) {
			t[2] = n;
			t[3] = source;
			t[4] = sink;
		}
	}
	loops(d, h, &carried);
}

MEMMON_MODULE(
	"dependence",
	"The instructions that depend on others, also on an earlier iteration "
	"of a loop.",
	MEMMON_BY_ADDRESS, tables, struct dependence, init, events, merge,
	finish);
