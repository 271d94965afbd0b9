/* SPDX-License-Identifier: MIT */
/*
 * Which objects each pointer pointed to, and which pointers of a function
 * pointed to objects of one place: memmon-modules(7).  Option: sites, without
 * calling contexts.
 */
#include "monitor/module/memmon_module.h"

MEMMON_EVENTS("pointer:address alloc:address,value free:address "
	      "stack_alloc:address,value stack_free:address "
	      "global:address,value entry:address exit:address "
	      "resume:address");

#define PAGE 4096u
#define LIVES (1u << 28)

/* In place of an object's number, which is below. */
#define NOTHING (MEMMON_CONTEXTS - 1) /* memory of nobody known */
#define ZERO (MEMMON_CONTEXTS - 2)    /* a null pointer */

/* Objects are numbered by place and context; `live' has their sizes. */
struct live {
	uint64_t size;
	uint32_t object, next; /* next: of the free ones */
};

struct points_to {
	struct memmon_host *host;
	struct memmon_contexts contexts; /* its points are the objects */
	struct memmon_shadow pages;	 /* number of what has all of a page */
	struct memmon_bytes bytes;	 /* or of what has a byte */
	struct live *live;
	uint32_t lives, unused;
	struct memmon_map pairs; /* pointer << 32 | object: count */
	uint64_t **recent;	 /* of each pointer */
	struct memmon_map
		kinds; /* object: kind of the event, how many, bytes */
	bool sites;
};

static bool
init(void *state, struct memmon_host *h)
{
	struct points_to *p = state;

	p->host = h;
	p->sites = h->option(h, "sites");
	p->live = h->map(h, LIVES * sizeof(*p->live));
	p->recent = h->map(h, MEMMON_PLACES * sizeof(*p->recent));
	return p->live && p->recent && memmon_contexts_init(&p->contexts, h) &&
	       memmon_shadow_init(&p->pages, h, 4, 12) &&
	       memmon_bytes_init(&p->bytes, h) &&
	       memmon_map_init(&p->pairs, h, 1) &&
	       memmon_map_init(&p->kinds, h, 3);
}

/* All of [at, end) is `live', or nobody's: 0. */
static void
cover(struct points_to *p, uint64_t at, uint64_t end, uint32_t live)
{
	uint64_t from = (at + PAGE - 1) & ~(uint64_t)(PAGE - 1);
	uint64_t to = end & ~(uint64_t)(PAGE - 1);

	if (from >= to) {
		memmon_bytes_set_some(&p->bytes, at, (unsigned)(end - at),
				      live);
		return;
	}
	if (at < from)
		memmon_bytes_set_some(&p->bytes, at, (unsigned)(from - at),
				      live);
	for (uint64_t a = from; a < to; a += PAGE)
		*(uint32_t *)memmon_shadow_at(&p->pages, a, 4, 12) = live;
	if (to < end)
		memmon_bytes_set_some(&p->bytes, to, (unsigned)(end - to),
				      live);
}

/* What has a byte; 0: nothing known. */
static inline uint32_t
owner(struct points_to *p, uint64_t address)
{
	uint32_t page =
		*(uint32_t *)memmon_shadow_at(&p->pages, address, 4, 12);

	return page ? page : (uint32_t)memmon_bytes_get(&p->bytes, address);
}

static void
gone(struct points_to *p, uint64_t address)
{
	uint32_t i = owner(p, address);

	if (!i)
		return;
	cover(p, address, address + p->live[i].size, 0);
	p->live[i] = (struct live){ .next = p->unused };
	p->unused = i;
}

static void
made(struct points_to *p, struct memmon_context *c,
     const struct memmon_event *e, uint64_t size)
{
	uint32_t context = p->sites ? 0 : memmon_context_number(c);
	uint32_t object = memmon_point_at(&p->contexts, context, e->where);
	uint32_t i = p->unused;
	uint64_t *kind;

	if (i)
		p->unused = p->live[i].next;
	else if (p->lives < LIVES - 1)
		i = ++p->lives;
	p->live[i] = (struct live){ size ? size : 1, object, 0 };
	cover(p, e->address, e->address + (size ? size : 1), i);
	kind = memmon_map_add(&p->kinds, object);
	kind[0] = e->kind;
	kind[1]++;
	kind[2] += size;
}

static inline void
pointed(struct points_to *p, const struct memmon_event *e)
{
	uint32_t i = e->address < PAGE ? 0 : owner(p, e->address);
	uint64_t object = i ? p->live[i].object : e->address ? NOTHING : ZERO;
	uint64_t pointer = e->index;
	uint64_t key = pointer << 32 | object;
	uint64_t **w = &p->recent[pointer];

	if (!*w || (*w)[-1] != key)
		*w = memmon_map_add(&p->pairs, key);
	++**w;
}

static void
events(void *state, const struct memmon_batch *b)
{
	struct points_to *p = state;
	struct memmon_context *c = memmon_context_of(&p->contexts, b->thread);

	memmon_each(e, b) switch (e.kind)
	{
	case MEMMON_EVENT_POINTER:
		pointed(p, &e);
		break;
	case MEMMON_EVENT_STACK_ALLOC:
		made(p, c, &e, e.size);
		break;
	case MEMMON_EVENT_ALLOC:
	case MEMMON_EVENT_GLOBAL:
		made(p, c, &e, e.value);
		break;
	case MEMMON_EVENT_FREE:
	case MEMMON_EVENT_STACK_FREE:
		gone(p, e.address);
		break;
	default:
		memmon_context_event(c, &e);
	}
}

static const struct memmon_column pair_columns[] = {
	{ "pointer", MEMMON_PLACE, "the instruction that makes it" },
	{ "object", MEMMON_PLACE, "what made the object" },
	{ "kind", MEMMON_TEXT,
	  "heap, stack, global; null: the pointer is; "
	  "unknown: no object that events told of" },
	{ "count", MEMMON_COUNT, "how often it pointed there" },
	{ "context", MEMMON_TEXT, "of the object" },
};
static const struct memmon_column object_columns[] = {
	{ "object", MEMMON_PLACE, "what made it" },
	{ "kind", MEMMON_TEXT, "heap, stack or global" },
	{ "made", MEMMON_COUNT, "how often" },
	{ "bytes", MEMMON_BYTES, "of these" },
	{ "pointers", MEMMON_COUNT, "that pointed to one" },
	{ "context", MEMMON_TEXT, "in which it was made" },
};
static const struct memmon_column alias_columns[] = {
	{ "one", MEMMON_PLACE, "a pointer" },
	{ "other", MEMMON_PLACE, "another one of the same function" },
	{ "object", MEMMON_PLACE, "that both pointed to, or others of it" },
	{ "context", MEMMON_TEXT, "of the object" },
};
static const struct memmon_table tables[] = {
	{ "pointers", "POINTERS AND WHAT THEY POINT TO", pair_columns, 5 },
	{ "objects", "OBJECTS", object_columns, 6 },
	{ "aliases", "POINTERS THAT MAY BE THE SAME", alias_columns, 4 },
};

static const char *
kind_of(const struct points_to *p, uint64_t object)
{
	const uint64_t *k = memmon_map_find(&p->kinds, object);

	return object == ZERO	      ? "null"
	       : object == NOTHING || !k ? "unknown"
	       : *k == MEMMON_EVENT_ALLOC ? "heap"
	       : *k == MEMMON_EVENT_GLOBAL ? "global"
					   : "stack";
}

/* The place of an object; its context in text[n]. */
static uint32_t
object_place(const struct points_to *p, uint64_t object, char *text, size_t n)
{
	uint64_t key = object >= ZERO ? 0
				      : memmon_point_key(&p->contexts,
							 (uint32_t)object);

	memmon_context_text(&p->contexts, key >> 32, text, n);
	return (uint32_t)key;
}

/*
 * Pairs of pointers of one function, by an object: `in' has them by object and
 * function, each with the one before it.
 */
#define ALIASES 100000u

static void
aliases(struct points_to *p, struct memmon_host *h)
{
	struct memmon_map last; /* object << 32 | function: pointer's number */
	uint64_t *before = h->map(h, (p->pairs.n + 1) * 8), i = 0, rows = 0;
	char text[2048];

	if (!before || !memmon_map_init(&last, h, 1))
		return;
	memmon_map_each(w, &p->pairs)
	{
		uint64_t object = w[-1] & 0xffffffff, *l;
		struct memmon_where at;

		i++;
		if (object >= ZERO ||
		    !h->place(h, memmon_place(w[-1] >> 32), &at))
			continue;
		l = memmon_map_add(&last, object << 32 | at.function);
		before[i] = *l;
		*l = i;
		for (uint64_t k = before[i]; k; k = before[k]) {
			if (rows++ == ALIASES) {
				h->note(h, "more pairs of pointers aren't "
					   "listed");
				return;
			}
			h->row(h, 2,
			       (union memmon_cell[]){
				       { .n = memmon_place(
						 memmon_map_at(&p->pairs,
							       k - 1)[-1] >>
						 32) },
				       { .n = memmon_place(w[-1] >> 32) },
				       { .n = object_place(p, object, text,
							   sizeof(text)) },
				       { .text = text } });
		}
	}
}

static void
finish(void *state, struct memmon_host *h)
{
	struct points_to *p = state;
	struct memmon_map pointers;
	char text[2048];

	if (!memmon_map_init(&pointers, h, 1))
		return;
	memmon_map_each(w, &p->pairs)
	{
		uint64_t object = w[-1] & 0xffffffff;

		memmon_count_add(&pointers, object, 1);
		h->row(h, 0,
		       (union memmon_cell[]){
			       { .n = memmon_place(w[-1] >> 32) },
			       { .n = object_place(p, object, text,
						   sizeof(text)) },
			       { .text = kind_of(p, object) },
			       { .n = w[0] },
			       { .text = text } });
	}
	memmon_map_each(k, &p->kinds)
		h->row(h, 1,
		       (union memmon_cell[]){
			       { .n = object_place(p, k[-1], text,
						   sizeof(text)) },
			       { .text = kind_of(p, k[-1]) },
			       { .n = k[1] },
			       { .n = k[2] },
			       { .n = *memmon_map_add(&pointers, k[-1]) },
			       { .text = text } });
	aliases(p, h);
}

const struct memmon_module memmon_module = {
	MEMMON_MODULE_VERSION,
	MEMMON_ALONE,
	"points_to",
	"Which objects pointers point to.",
	tables,
	3,
	sizeof(struct points_to),
	init,
	events,
	NULL,
	finish,
};
