/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads that always get the same value. */
#include <memmon_module.h>

MEMMON_EVENTS("load:value");

static bool
init(void *state, struct memmon_host *h)
{
	return memmon_map_init(state, h, 2);
}

static void
events(void *state, const struct memmon_batch *b)
{
	memmon_each (e, b)
		if (e.kind == MEMMON_EVENT_LOAD && e.has_value &&
		    memmon_mine_place(b, e.where))
			memmon_constant_add(state, e.where, e.value);
}

static void
merge(void *to, void *from)
{
	memmon_constant_merge(to, from);
}

static const struct memmon_column columns[] = {
	{ "instruction", MEMMON_PLACE, "that loads" },
	{ "value", MEMMON_TEXT, "that it gets each time" },
};
static const struct memmon_table tables[] = {
	{ "constants", "CONSTANT LOADS", columns, 2 },
};

static void
finish(void *state, struct memmon_host *h)
{
	struct memmon_map *values = state;
	struct memmon_where where;
	char text[32];

	memmon_map_each (w, values) {
		if (w[0] != 1 || !h->place(h, (uint32_t)w[-1], &where))
			continue;
		memmon_value_text(&where, w[1], text);
		memmon_row(h, 0, { .n = w[-1] }, { .text = text });
	}
}

MEMMON_MODULE("constants", "Constant loads.", MEMMON_BY_PLACE, tables,
	      struct memmon_map, init, events, merge, finish);
