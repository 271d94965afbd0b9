/* SPDX-License-Identifier: MIT */
/*
 * Which parts of blocks, and which members of types, are loaded and stored:
 * memmon-modules(7).
 */
#include "monitor/module/memmon_module.h"

MEMMON_EVENTS("load:address store:address alloc:address,value free:address");

#define MOST 4096u /* distinguish at most this many bytes of a block */
#define BLOCKS (1u << 28)

struct block {
	uint64_t start, size;
	uint32_t site, next; /* next: in the list of free ones */
};

struct fields {
	struct memmon_host *host;
	struct memmon_shadow live; /* number of a block, by 16 bytes */
	struct block *block;
	uint32_t blocks, unused;
	struct memmon_map parts; /* site << 12 | offset: loads, stores */
	uint64_t (*count)[2];	 /* by instruction */
};

static bool
init(void *state, struct memmon_host *h)
{
	struct fields *f = state;

	f->host = h;
	f->block = h->map(h, BLOCKS * sizeof(*f->block));
	f->count = h->map(h, MEMMON_PLACES * sizeof(*f->count));
	return f->block && f->count && memmon_shadow_init(&f->live, h, 4, 4) &&
	       memmon_map_init(&f->parts, h, 2);
}

static void
cover(struct fields *f, const struct block *b, uint32_t number)
{
	for (uint64_t at = 0; at < b->size; at += 16)
		*(uint32_t *)memmon_shadow_at(&f->live, b->start + at, 4, 4) =
			number;
}

static void
gone(struct fields *f, uint64_t address)
{
	uint32_t i = *(uint32_t *)memmon_shadow_at(&f->live, address, 4, 4);

	if (!i || f->block[i].start != address)
		return;
	cover(f, &f->block[i], 0);
	f->block[i] = (struct block){ .next = f->unused };
	f->unused = i;
}

static void
made(struct fields *f, const struct memmon_event *e)
{
	uint32_t i = f->unused;

	/* The block before may have ended without an event. */
	gone(f, e->address);
	if (i)
		f->unused = f->block[i].next;
	else if (f->blocks < BLOCKS - 1)
		i = ++f->blocks;
	f->block[i] = (struct block){ e->address, e->value, e->index, 0 };
	cover(f, &f->block[i], i);
}

static inline void
touched(struct fields *f, const struct memmon_event *e)
{
	uint32_t i = *(uint32_t *)memmon_shadow_at(&f->live, e->address, 4, 4);
	bool store = e->kind == MEMMON_EVENT_STORE;
	uint64_t offset;

	f->count[e->index][store]++;
	if (!i || e->address - f->block[i].start >= f->block[i].size)
		return;
	offset = (e->address - f->block[i].start) % MOST & ~7ull;
	memmon_map_add(&f->parts,
		       (uint64_t)f->block[i].site << 12 | offset)[store]++;
}

static void
events(void *state, const struct memmon_batch *b)
{
	struct fields *f = state;

	memmon_each (e, b) {
		if (e.kind <= MEMMON_EVENT_STORE)
			touched(f, &e);
		else if (e.kind == MEMMON_EVENT_ALLOC)
			made(f, &e);
		else if (e.kind == MEMMON_EVENT_FREE)
			gone(f, e.address);
	}
}

static const struct memmon_column part_columns[] = {
	{ "accesses", MEMMON_COUNT, "loads and stores" },
	{ "offset", MEMMON_BYTES, "in a block, 8 bytes from there on" },
	{ "loads", MEMMON_COUNT, "of the accesses" },
	{ "stores", MEMMON_COUNT, "of the accesses" },
	{ "site", MEMMON_PLACE, "what allocates" },
};
static const struct memmon_column member_columns[] = {
	{ "accesses", MEMMON_COUNT, "loads and stores, and" },
	{ "loads", MEMMON_COUNT, "of these" },
	{ "stores", MEMMON_COUNT, "of these" },
	{ "member", MEMMON_TEXT,
	  "the member, object or type that is accessed" },
};
static const struct memmon_table tables[] = {
	{ "members", "MEMBERS", member_columns, 4 },
	{ "fields", "PARTS OF BLOCKS", part_columns, 5 },
};

/* Instructions by the accessed name: from a hash of its name to counts. */
static void
members(struct fields *f, struct memmon_host *h)
{
	struct memmon_map by; /* loads, stores, and one of the places */
	struct memmon_where w;

	if (!memmon_map_init(&by, h, 3))
		return;
	for (uint32_t i = 1; i < h->places(h); i++) {
		uint64_t sum = 0xcbf29ce484222325u, *t;

		if (!(f->count[i][0] | f->count[i][1]) ||
		    !h->place(h, memmon_place(i), &w))
			continue;
		for (const char *s = w.name; *s; s++)
			sum = (sum ^ (unsigned char)*s) * 0x100000001b3u;
		t = memmon_map_add(&by, sum >> 1);
		t[0] += f->count[i][0];
		t[1] += f->count[i][1];
		t[2] = memmon_place(i);
	}
	memmon_map_each (t, &by)
		if (h->place(h, (uint32_t)t[2], &w))
			memmon_row(h, 0, { .n = t[0] + t[1] }, { .n = t[0] },
				   { .n = t[1] }, { .text = w.name });
}

static void
finish(void *state, struct memmon_host *h)
{
	struct fields *f = state;

	members(f, h);
	memmon_map_each (w, &f->parts)
		memmon_row(h, 1, { .n = w[0] + w[1] },
			   { .n = w[-1] & (MOST - 1) }, { .n = w[0] },
			   { .n = w[1] },
			   { .n = memmon_place((uint32_t)(w[-1] >> 12)) });
}

MEMMON_MODULE("fields",
	      "Which parts of blocks, and which members of types, are used.",
	      MEMMON_ALONE, tables, struct fields, init, events, NULL, finish);
