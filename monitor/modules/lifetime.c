/* SPDX-License-Identifier: MIT */
/*
 * Which blocks live and die within a function, a loop, or an iteration of it:
 * memmon-modules(7).
 */
#include "monitor/module/memmon_module.h"

MEMMON_EVENTS("alloc:address,value free:address loop:address,calls "
	      "iteration:calls loop_exit:calls entry:address,calls "
	      "exit:address,calls resume:address");

enum scope { LIVE, OUTSIDE, THREAD, FUNCTION, LOOP, ITERATION };
static const char *const scopes[] = { "not freed", "none", "another thread",
				      "function", "loop", "iteration" };

struct block {
	uint64_t size, time, serial; /* when it was made: c->now, c->serial */
	uint32_t site, thread, next; /* next: of the free ones */
	bool gone; /* another thread was heard of first, which freed it */
};

/* What a site's last block was counted as, and the words for it. */
struct recent {
	uint64_t key, *found, *site;
};

struct lifetime {
	struct memmon_contexts contexts;
	struct memmon_shadow live; /* number of the block, by 16 bytes */
	struct block *block;
	uint32_t blocks, unused;
	struct memmon_map found; /* site << 32 | scope << 24 and place: count,
				    bytes; sites: the same, and scopes */
	struct memmon_map sites;
	struct recent *recent; /* of each site */
};

#define BLOCKS (1u << 28)

static bool
init(void *state, struct memmon_host *h)
{
	struct lifetime *l = state;

	l->block = h->map(h, BLOCKS * sizeof(*l->block));
	l->recent = h->map(h, MEMMON_PLACES * sizeof(*l->recent));
	return l->block && l->recent && memmon_contexts_init(&l->contexts, h) &&
	       memmon_shadow_init(&l->live, h, 4, 4) &&
	       memmon_map_init(&l->found, h, 2) &&
	       memmon_map_init(&l->sites, h, 4);
}

/* A block goes in that scope, which is at `where'. */
static void
count(struct lifetime *l, const struct block *b, enum scope scope,
      uint32_t where)
{
	uint64_t key = (uint64_t)scope << 24 | memmon_index(where);
	struct recent *r = &l->recent[b->site];

	if (!r->found || r->key != key) {
		r->key = key;
		r->found = memmon_map_add(&l->found,
					  (uint64_t)b->site << 32 | key);
		r->site = memmon_map_add(&l->sites, b->site);
		r->site[2] |= r->site[0] && r->site[3] != key; /* several */
		r->site[3] = key;
	}
	r->found[0]++;
	r->found[1] += b->size;
	r->site[0]++;
	r->site[1] += b->size;
}

/* The innermost of what goes on that did so, too, when the block was made. */
static void
gone(struct lifetime *l, struct memmon_context *c, const struct block *b)
{
	uint32_t f = c->frames, k = c->depth;

	if (b->thread != c->thread) {
		count(l, b, THREAD, 0);
		return;
	}
	while (f && c->frame[f].serial > b->serial)
		f--;
	while (k && c->loop[k].first > b->time)
		k--;
	if (k && c->loop[k].frames >= f)
		count(l, b, c->loop[k].last <= b->time ? ITERATION : LOOP,
		      c->loop[k].where);
	else if (f)
		count(l, b, FUNCTION, c->frame[f].where);
	else
		count(l, b, OUTSIDE, 0);
}

/* The block whose number stands there isn't known any more. */
static void
drop(struct lifetime *l, uint32_t *at)
{
	l->block[*at] = (struct block){ .next = l->unused };
	l->unused = *at;
	*at = 0;
}

static void
made(struct lifetime *l, struct memmon_context *c, const struct memmon_event *e)
{
	uint32_t *at = memmon_shadow_at(&l->live, e->address, 4, 4);
	uint32_t i = *at ? *at : l->unused;
	bool gone =
		*at && l->block[*at].gone && l->block[*at].thread != c->thread;
	struct block b = { .size = e->value,
			   .time = c->now,
			   .serial = c->serial,
			   .site = e->index,
			   .thread = c->thread };

	if (gone)
		count(l, &b, THREAD, 0);
	if (gone)
		drop(l, at);
	if (gone)
		return;
	if (i && !*at)
		l->unused = l->block[i].next;
	else if (!i && l->blocks < BLOCKS - 1)
		i = ++l->blocks;
	*at = i;
	l->block[i] = b;
}

static void
events(void *state, const struct memmon_batch *b)
{
	struct lifetime *l = state;
	struct memmon_context *c = memmon_context_of(&l->contexts, b->thread);
	uint32_t *at;

	memmon_each(e, b)
	{
		if (memmon_context_event(c, &e))
			continue;
		if (e.kind == MEMMON_EVENT_ALLOC)
			made(l, c, &e);
		if (e.kind != MEMMON_EVENT_FREE)
			continue;
		at = memmon_shadow_at(&l->live, e.address, 4, 4);
		if (!*at) {
			made(l, c, &e);
			l->block[*at].gone = true;
			l->block[*at].site = 0;
			continue;
		}
		if (!l->block[*at].gone)
			gone(l, c, &l->block[*at]);
		drop(l, at);
	}
}

static const struct memmon_column found_columns[] = {
	{ "site", MEMMON_PLACE, "what allocates" },
	{ "scope", MEMMON_TEXT,
	  "the innermost that they lived and died in: an "
	  "iteration, a loop, a call of a function" },
	{ "where", MEMMON_PLACE, "that loop or function" },
	{ "blocks", MEMMON_COUNT, "that did" },
	{ "bytes", MEMMON_BYTES, "of these" },
};
static const struct memmon_column site_columns[] = {
	{ "site", MEMMON_PLACE, "what allocates" },
	{ "blocks", MEMMON_COUNT, "that it allocated" },
	{ "bytes", MEMMON_BYTES, "of these" },
	{ "verdict", MEMMON_TEXT, "what all of them have in common" },
	{ "where", MEMMON_PLACE, "that loop or function" },
};
static const struct memmon_table tables[] = {
	{ "sites", "SHORT-LIVED BLOCKS", site_columns, 5 },
	{ "scopes", "SCOPES OF BLOCKS", found_columns, 5 },
};

static void
finish(void *state, struct memmon_host *h)
{
	static const char *const verdicts[] = {
		"live at the end", "outlive all calls and loops",
		"freed by another thread", "die within a call: stack",
		"die within a loop: arena", "die within an iteration: stack"
	};
	struct lifetime *l = state;

	for (uint32_t i = 1; i <= l->blocks; i++)
		if (l->block[i].site)
			count(l, &l->block[i], LIVE, 0);
	memmon_map_each(w, &l->sites) h->row(
		h, 0,
		(union memmon_cell[]){
			{ .n = memmon_place((uint32_t)w[-1]) },
			{ .n = w[0] },
			{ .n = w[1] },
			{ .text = !w[2] ? verdicts[w[3] >> 24] : "differ" },
			{ .n = !w[2] ? memmon_place(w[3] & 0xffffff) : 0 } });
	memmon_map_each(w, &l->found)
		h->row(h, 1,
		       (union memmon_cell[]){
			       { .n = memmon_place(w[-1] >> 32) },
			       { .text = scopes[w[-1] >> 24 & 7] },
			       { .n = memmon_place(w[-1] & 0xffffff) },
			       { .n = w[0] },
			       { .n = w[1] } });
}

const struct memmon_module memmon_module = {
	MEMMON_MODULE_VERSION,
	MEMMON_ALONE,
	"lifetime",
	"Which blocks live and die within a scope.",
	tables,
	2,
	sizeof(struct lifetime),
	init,
	events,
	NULL,
	finish,
};
