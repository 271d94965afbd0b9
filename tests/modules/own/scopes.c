/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks that live and die within a call, a loop, or an iteration of it. */
#include <memmon_module.h>

MEMMON_EVENTS("alloc:address,value free:address loop:address,calls "
	      "iteration:calls loop_exit:calls entry:address,calls "
	      "exit:address,calls resume:address");

/* The block that begins at an address. */
struct block {
	struct memmon_moment made;
	uint64_t size;
	uint32_t site;
	enum { NONE, LIVE, FREED } is; /* FREED: before it was made known */
};

struct scopes {
	struct memmon_contexts contexts;
	struct memmon_shadow blocks;
	struct memmon_map counts; /* by site, scope, its place: blocks, bytes */
};

#define SIZE sizeof(struct block)

static bool
init(void *state, struct memmon_host *h)
{
	struct scopes *s = state;

	return memmon_contexts_init(&s->contexts, h) &&
	       memmon_shadow_init(&s->blocks, h, SIZE, 4) &&
	       memmon_map_init(&s->counts, h, 2);
}

/* Counts a block in a scope; n is -1 to take it back. */
static void
count(struct scopes *s, const struct block *b, uint64_t kind, uint32_t where,
      uint64_t n)
{
	uint64_t *w = memmon_map_add(&s->counts, (uint64_t)b->site << 32 |
							 kind << 24 |
							 memmon_index(where));

	w[0] += n;
	w[1] += n * b->size;
}

static void
made(struct scopes *s, struct memmon_context *c, const struct memmon_event *e)
{
	struct block *b = memmon_shadow_at(&s->blocks, e->address, SIZE, 4);
	struct block old = *b;

	*b = (struct block){ memmon_context_moment(c), e->value, e->index,
			     LIVE };
	if (old.is == FREED && old.made.thread != c->thread) {
		count(s, b, MEMMON_SCOPE_THREAD, 0, 1);
		b->is = NONE;
	} else {
		count(s, b, MEMMON_SCOPE_LIVE, 0, 1);
	}
}

static void
freed(struct scopes *s, struct memmon_context *c, const struct memmon_event *e)
{
	struct block *b = memmon_shadow_at(&s->blocks, e->address, SIZE, 4);
	struct memmon_scope scope = memmon_context_scope(c, &b->made);

	if (b->is == LIVE) {
		count(s, b, MEMMON_SCOPE_LIVE, 0, -1ull);
		count(s, b, scope.kind, scope.where, 1);
	}
	b->is = b->is == NONE ? FREED : NONE;
	b->made.thread = c->thread;
}

static void
events(void *state, const struct memmon_batch *b)
{
	struct scopes *s = state;
	struct memmon_context *c = memmon_context_of(&s->contexts, b->thread);

	memmon_each (e, b)
		if (memmon_context_event(c, &e))
			continue;
		else if (e.kind == MEMMON_EVENT_ALLOC)
			made(s, c, &e);
		else if (e.kind == MEMMON_EVENT_FREE)
			freed(s, c, &e);
}

static const struct memmon_column columns[] = {
	{ "site", MEMMON_PLACE, "what allocates" },
	{ "scope", MEMMON_TEXT, "the innermost that they lived and died in" },
	{ "where", MEMMON_PLACE, "that loop or function" },
	{ "blocks", MEMMON_COUNT, "that did" },
	{ "bytes", MEMMON_BYTES, "of these" },
};
static const struct memmon_table tables[] = {
	{ "scopes", "SCOPES OF BLOCKS", columns, 5 },
};

static void
finish(void *state, struct memmon_host *h)
{
	struct scopes *s = state;

	memmon_map_each (w, &s->counts)
		if (w[0])
			memmon_row(h, 0, { .n = memmon_place(w[-1] >> 32) },
				   { .text = memmon_scope_text(w[-1] >> 24 &
							       7) },
				   { .n = memmon_place(w[-1] & 0xffffff) },
				   { .n = w[0] }, { .n = w[1] });
}

MEMMON_MODULE("scopes", "Scopes of blocks.", MEMMON_ALONE, tables,
	      struct scopes, init, events, NULL, finish);
