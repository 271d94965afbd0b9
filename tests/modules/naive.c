/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A module that lists each event as it comes, for oracle.pl. */
#include "monitor/module/memmon_module.h"

MEMMON_EVENTS("load:address,value store:address,value pointer:address "
	      "alloc:address,value free:address stack_alloc:address,value "
	      "stack_free:address global:address,value entry:address "
	      "exit:address loop:address iteration loop_exit resume:address");

struct naive {
	struct memmon_host *host;
	uint64_t (*event)[7];
	uint64_t n;
};
#define MOST (1ul << 24)

static bool
init(void *state, struct memmon_host *h)
{
	struct naive *x = state;

	x->host = h;
	x->event = h->map(h, MOST * sizeof(*x->event));
	return x->event;
}

static void
events(void *state, const struct memmon_batch *b)
{
	struct naive *x = state;

	memmon_each_step (s, w, b) {
		struct memmon_event e = memmon_event(w, s);
		uint64_t *to = x->event[x->n < MOST - 1 ? x->n++ : x->n];

		to[0] = b->thread;
		to[1] = e.kind;
		to[2] = e.where;
		to[3] = e.address;
		to[4] = e.size;
		to[5] = e.value;
		to[6] = memmon_has_value(s);
	}
}

static const struct memmon_column columns[] = {
	{ "thread", MEMMON_COUNT, "from 0" },
	{ "kind", MEMMON_COUNT, "of the event" },
	{ "where", MEMMON_PLACE, "its place" },
	{ "address", MEMMON_COUNT, "or else anything" },
	{ "size", MEMMON_COUNT, "in bytes" },
	{ "value", MEMMON_COUNT, "or else anything" },
	{ "has_value", MEMMON_COUNT, "1, or 0" },
};
static const struct memmon_table tables[] = {
	{ "events", "EVENTS", columns, 7 },
};

static void
finish(void *state, struct memmon_host *h)
{
	const struct naive *x = state;

	for (uint64_t i = 0; i < x->n; i++) {
		union memmon_cell cell[7];

		for (int k = 0; k < 7; k++)
			cell[k].n = x->event[i][k];
		h->row(h, 0, cell);
	}
}

MEMMON_MODULE("naive", "Each event.", MEMMON_ALONE, tables, struct naive, init,
	      events, NULL, finish);
