/* SPDX-License-Identifier: MIT */
/*
 * How many other lines of memory are accessed between two accesses to a line:
 * memmon-modules(7).  Option: every=N analyzes one line in N.
 */
#include "monitor/module/memmon_module.h"

MEMMON_EVENTS("load:address store:address");

#define LINE 6	    /* 64 bytes */
#define TIMES (1u << 22) /* until lines get new times */

/*
 * Each line has the time of its last access; a Fenwick tree counts the lines
 * whose time is at or after a given time.
 */
struct locality {
	struct memmon_map lines; /* line to time */
	uint32_t *tree, *at;	 /* at: by time: line + 1, or 0 */
	uint64_t **of;		 /* by place and kind: its words in `found' */
	struct memmon_map found; /* a spread; without a value: first accesses */
	uint64_t now, last, every;
};

/* The option every=N; 0: not given, or zero. */
static uint64_t
every_of(struct memmon_host *h)
{
	const char *s = h->option(h, "every");
	uint64_t n = 0;

	for (; s && *s >= '0' && *s <= '9' && n < 1ull << 32; s++)
		n = n * 10 + (uint64_t)(*s - '0');
	return s && !*s ? n : 0;
}

static bool
init(void *state, struct memmon_host *h)
{
	struct locality *l = state;

	l->every = every_of(h);
	if (!l->every)
		l->every = 64;
	l->tree = h->map(h, (TIMES + 1) * sizeof(*l->tree));
	l->at = h->map(h, TIMES * sizeof(*l->at));
	l->of = h->map(h, 2ul * MEMMON_PLACES * sizeof(*l->of));
	l->last = UINT64_MAX;
	return l->tree && l->at && l->of && memmon_map_init(&l->lines, h, 1) &&
	       memmon_map_init(&l->found, h, MEMMON_SPREAD);
}

static inline void
count(struct locality *l, uint64_t time, uint32_t n)
{
	for (uint64_t i = time + 1; i <= TIMES; i += i & -i)
		l->tree[i] += n;
}

/* How many lines have a time below `time'. */
static inline uint64_t
below(const struct locality *l, uint64_t time)
{
	uint64_t n = 0;

	for (uint64_t i = time; i; i -= i & -i)
		n += l->tree[i];
	return n;
}

/* All times are used: give the lines the first times, in the same order. */
static void
renew(struct locality *l)
{
	uint64_t n = 0;

	memset(l->tree, 0, (TIMES + 1) * sizeof(*l->tree));
	for (uint64_t t = 0; t < TIMES; t++) {
		uint32_t line = l->at[t];

		/* There are more lines than times: forget the oldest lines. */
		if (!line || l->lines.n - n > TIMES / 2)
			continue;
		l->at[t] = 0;
		l->at[n] = line;
		*memmon_map_at(&l->lines, line - 1) = n + 1;
		count(l, n++, 1);
	}
	memset(l->at + n, 0, (TIMES - n) * sizeof(*l->at));
	l->now = n;
}

static void
touched(struct locality *l, uint64_t line, uint32_t access)
{
	uint64_t *t = memmon_map_add(&l->lines, line), n = l->lines.n, **w;
	uint64_t distance;

	w = &l->of[access];
	if (!*w)
		*w = memmon_map_add(&l->found, access);
	if (*t) {
		distance = below(l, l->now) - below(l, *t);
		memmon_spread_add(*w, distance * l->every);
		count(l, *t - 1, -1u);
		n = l->at[*t - 1];
		l->at[*t - 1] = 0;
	} else {
		++(*w)[0];
	}
	count(l, l->now, 1);
	l->at[l->now] = (uint32_t)n;
	*t = ++l->now;
	if (l->now == TIMES)
		renew(l);
}

static void
events(void *state, const struct memmon_batch *b)
{
	struct locality *l = state;

	memmon_each (e, b) {
		uint64_t line = e.address >> LINE;
		uint64_t hash = (line * 0x9e3779b97f4a7c15u) >> 32;

		if (e.kind <= MEMMON_EVENT_STORE && hash % l->every == 0)
			touched(l, line,
				e.index << 1 | (e.kind == MEMMON_EVENT_STORE));
	}
}

static const struct memmon_column columns[] = {
	{ "accesses", MEMMON_COUNT,
	  "accesses to the lines that are sampled; of these" },
	{ "cold", MEMMON_COUNT, "are the first of their line" },
	{ "beyond_32K", MEMMON_RATIO,
	  "of the others, with at least 32 KiB of "
	  "other lines between, or" },
	{ "beyond_1M", MEMMON_RATIO, "1 MiB" },
	{ "distances", MEMMON_HISTOGRAM,
	  "lines between, how often none, 1, "
	  "2-3, 4-7 ..." },
	{ "kind", MEMMON_TEXT, "load or store" },
	{ "place", MEMMON_PLACE, "the instruction" },
};
static const struct memmon_table tables[] = {
	{ "reuse", "REUSE OF LINES", columns, 7 },
};

static double
beyond(const uint64_t *h, unsigned from)
{
	uint64_t all = 0, far = 0;

	for (unsigned i = 0; i < MEMMON_HISTOGRAM_SIZE; i++) {
		all += h[i];
		far += i >= from ? h[i] : 0;
	}
	return all ? (double)far / (double)all : 0;
}

static void
finish(void *state, struct memmon_host *h)
{
	struct locality *l = state;

	if (h->option(h, "every") && !every_of(h))
		h->note(h, "the option every isn't a number from 1 on: one "
			   "line in 64 is looked at");
	memmon_map_each (w, &l->found)
		memmon_row(h, 0, { .n = memmon_spread_count(w) }, { .n = w[0] },
			   { .real = beyond(w + 3, 10) },
			   { .real = beyond(w + 3, 15) },
			   { .histogram = w + 3 },
			   { .text = memmon_access_text(
				     w[-1] & 1 ? MEMMON_EVENT_STORE
					       : MEMMON_EVENT_LOAD) },
			   { .n = memmon_place((uint32_t)w[-1] >> 1) });
}

MEMMON_MODULE("locality", "How soon lines of memory are used again.",
	      MEMMON_ALONE, tables, struct locality, init, events, NULL,
	      finish);
