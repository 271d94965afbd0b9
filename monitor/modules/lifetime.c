/* SPDX-License-Identifier: MIT */
/*
 * Which blocks are allocated and freed within a function, a loop, or an
 * iteration of a loop: memmon-modules(7).
 */
#include "monitor/module/memmon_module.h"

MEMMON_EVENTS("alloc:address,value free:address loop:address,calls "
	      "iteration:calls loop_exit:calls entry:address,calls "
	      "exit:address,calls resume:address");

struct block {
	uint64_t size;
	struct memmon_moment made;
	uint32_t site, next; /* next: in the list of free ones */
	bool gone;	     /* another thread's free of it came first */
};

/* How a site's last block was counted, and its words. */
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

/* Count a block in that scope, which is at `where'. */
static void
count(struct lifetime *l, const struct block *b, unsigned scope, uint32_t where)
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

/* Forget the block whose number is in *at. */
static void
drop(struct lifetime *l, uint32_t *at)
{
	l->block[*at] = (struct block){ .next = l->unused };
	l->unused = *at;
	*at = 0;
}

static void
made(struct lifetime *l, struct memmon_context *c, uint64_t address,
     uint64_t size, uint32_t site)
{
	uint32_t *at = memmon_shadow_at(&l->live, address, 4, 4);
	uint32_t i = *at ? *at : l->unused;
	struct block b = { .size = size,
			   .made = memmon_context_moment(c),
			   .site = site };

	if (*at && l->block[*at].gone &&
	    l->block[*at].made.thread != c->thread) {
		count(l, &b, MEMMON_SCOPE_THREAD, 0);
		drop(l, at);
		return;
	}
	if (i && !*at)
		l->unused = l->block[i].next;
	else if (!i && l->blocks < BLOCKS - 1)
		i = ++l->blocks;
	*at = i;
	l->block[i] = b;
}

static void
gone(struct lifetime *l, struct memmon_context *c, uint64_t address)
{
	uint32_t *at = memmon_shadow_at(&l->live, address, 4, 4);
	struct memmon_scope s;

	if (!*at) {
		made(l, c, address, 0, 0);
		l->block[*at].gone = true;
		return;
	}
	s = memmon_context_scope(c, &l->block[*at].made);
	if (!l->block[*at].gone)
		count(l, &l->block[*at], s.kind, s.where);
	drop(l, at);
}

static void
events(void *state, const struct memmon_batch *b)
{
	struct lifetime *l = state;
	struct memmon_context *c = memmon_context_of(&l->contexts, b->thread);

	memmon_each (e, b) {
		if (memmon_context_event(c, &e))
			continue;
		if (e.kind == MEMMON_EVENT_ALLOC)
			made(l, c, e.address, e.value, e.index);
		else if (e.kind == MEMMON_EVENT_FREE)
			gone(l, c, e.address);
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
		"outlive all calls and loops", "freed by another thread",
		"die within a call: stack",    "die within a loop: arena",
		"die within an iteration: stack", "live at the end"
	};
	struct lifetime *l = state;

	for (uint32_t i = 1; i <= l->blocks; i++)
		if (l->block[i].site)
			count(l, &l->block[i], MEMMON_SCOPE_LIVE, 0);
	memmon_map_each (w, &l->sites)
		memmon_row(h, 0, { .n = memmon_place((uint32_t)w[-1]) },
			   { .n = w[0] }, { .n = w[1] },
			   { .text = w[2] ? "differ" : verdicts[w[3] >> 24] },
			   { .n = w[2] ? 0 : memmon_place(w[3] & 0xffffff) });
	memmon_map_each (w, &l->found)
		memmon_row(h, 1, { .n = memmon_place(w[-1] >> 32) },
			   { .text = memmon_scope_text(w[-1] >> 24 & 7) },
			   { .n = memmon_place(w[-1] & 0xffffff) },
			   { .n = w[0] }, { .n = w[1] });
}

MEMMON_MODULE("lifetime", "Which blocks live and die within a scope.",
	      MEMMON_ALONE, tables, struct lifetime, init, events, NULL,
	      finish);
