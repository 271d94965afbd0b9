/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which load reads which store's value, in which iteration of which loop. */
#include <memmon_module.h>

MEMMON_EVENTS("load:address store:address alloc:address,value loop:address "
	      "iteration loop_exit resume:address");

struct flow {
	struct memmon_contexts contexts;
	struct memmon_bytes stores; /* index << 40 | time, of the last one */
	struct memmon_map pairs; /* by pair_key(): distances, or how many */
};

#define TIME ((1ull << MEMMON_TIME_BITS) - 1)
#define OTHER MEMMON_LOOPS /* another thread, in place of a loop */

static bool
init(void *state, struct memmon_host *h)
{
	struct flow *f = state;

	return memmon_contexts_init(&f->contexts, h) &&
	       memmon_bytes_init(&f->stores, h) &&
	       memmon_map_init(&f->pairs, h, MEMMON_SPREAD);
}

static uint64_t
pair_key(uint64_t source, uint64_t sink, uint64_t loop)
{
	return source << 40 | sink << 18 | loop;
}

/* An instruction loads the value of the store in `old'. */
static void
found(struct flow *f, struct memmon_context *c, uint64_t old, uint32_t sink)
{
	uint64_t source = old >> MEMMON_TIME_BITS, time = old & TIME, *w;
	struct memmon_active *l;

	if (memmon_context_foreign(c, time)) {
		w = memmon_map_add(&f->pairs, pair_key(source, sink, OTHER));
		w[0]++;
		return;
	}
	l = memmon_context_carrier(c, time);
	w = memmon_map_add(&f->pairs, pair_key(source, sink, l ? l->index : 0));
	if (l)
		memmon_spread_add(w, memmon_context_distance(l, time));
	else
		w[0]++;
}

static void
events(void *state, const struct memmon_batch *b)
{
	struct flow *f = state;
	struct memmon_context *c = memmon_context_of(&f->contexts, b->thread);

	memmon_each (e, b) {
		if (memmon_context_event(c, &e))
			continue;
		if (e.kind == MEMMON_EVENT_LOAD)
			memmon_each_mine (r, &f->stores, b, e.address, e.size)
				found(f, c, r.word, e.index);
		else if (e.kind == MEMMON_EVENT_STORE)
			memmon_set_mine(&f->stores, b, e.address, e.size,
					(uint64_t)e.index << MEMMON_TIME_BITS |
						c->now);
		else if (e.kind == MEMMON_EVENT_ALLOC)
			memmon_bytes_clear(&f->stores, e.address, e.value);
	}
}

static void
merge(void *to, void *from)
{
	struct flow *t = to, *f = from;

	memmon_spread_merge(&t->pairs, &f->pairs);
}

static const struct memmon_column columns[] = {
	{ "source", MEMMON_PLACE, "what stores" },
	{ "sink", MEMMON_PLACE, "what loads that" },
	{ "loop", MEMMON_PLACE, "which was in an earlier iteration then" },
	{ "count", MEMMON_COUNT, "how often" },
	{ "least", MEMMON_COUNT, "iterations between them, at least" },
	{ "most", MEMMON_COUNT, "and at most" },
	{ "from", MEMMON_TEXT, "another thread: the source was its" },
};
static const struct memmon_table tables[] = {
	{ "flow", "FLOW DEPENDENCES", columns, 7 },
};

static void
finish(void *state, struct memmon_host *h)
{
	struct flow *f = state;

	memmon_map_each (w, &f->pairs) {
		uint32_t source = memmon_place(w[-1] >> 40);
		uint32_t sink = memmon_place(w[-1] >> 18 & (MEMMON_PLACES - 1));
		uint32_t loop = w[-1] & MEMMON_LOOPS;
		uint64_t n = memmon_spread_count(w);
		uint64_t least = MEMMON_UNKNOWN, most = MEMMON_UNKNOWN;

		if (loop && loop != OTHER)
			memmon_spread_range(w, &least, &most);
		memmon_row(h, 0, { .n = source }, { .n = sink },
			   { .n = loop == OTHER
					  ? 0
					  : f->contexts.loop[loop].where },
			   { .n = n }, { .n = least }, { .n = most },
			   { .text = loop == OTHER ? "another thread" : "" });
	}
}

MEMMON_MODULE("flow", "Flow dependences.", MEMMON_BY_ADDRESS, tables,
	      struct flow, init, events, merge, finish);
