/* SPDX-License-Identifier: MIT */
/*
 * Which objects each pointer pointed to, and which pointers of a function
 * pointed to objects of one place: memmon-modules(7).  Option: sites, ignores
 * calling contexts.
 */
#include "monitor/module/memmon_module.h"

MEMMON_EVENTS("pointer:address alloc:address,value free:address "
	      "stack_alloc:address,value stack_free:address "
	      "global:address,value entry:address,calls exit:address,calls "
	      "resume:address");

#define PAGE 4096u
#define LIVES (1u << 28)

/* Instead of an object's number, which is lower. */
#define NOTHING (MEMMON_CONTEXTS - 1) /* memory of no known object */
#define ZERO (MEMMON_CONTEXTS - 2)    /* a null pointer */

/* Objects have a number by place and context; `live' has their sizes. */
struct live {
	uint64_t start, size;
	/*
	 * Time of the last change; of live[0], memory of no object: when an
	 * object began.
	 */
	uint64_t changed;
	uint64_t before;       /* `changed' before `gone' was set */
	uint32_t object, next; /* next: in the list of free ones */
	bool torn;	       /* other objects have some of its bytes */
	/* It has ended, and keeps all its bytes until others take them. */
	bool gone;
};

/* The object that a pointer pointed to last, unless that changed since. */
struct recent {
	uint64_t start, size, *w, since;
	const uint64_t *changed;
};

struct made {
	uint64_t kind, n, bytes; /* kind of the event */
};

struct points_to {
	struct memmon_host *host;
	struct memmon_contexts contexts; /* its points are the objects */
	/* Number of the object that has the whole page. */
	struct memmon_shadow pages;
	/* Else number of the object that has the byte. */
	struct memmon_bytes bytes;
	struct live *live;
	uint32_t lives, unused;
	uint64_t now;		 /* grows when an object begins or ends */
	uint64_t never;
	struct memmon_map pairs; /* pointer << 32 | object: count */
	struct recent *recent;	 /* by pointer; also of null pointers */
	struct made *made;	 /* by object */
	bool sites;
};

static bool
init(void *state, struct memmon_host *h)
{
	struct points_to *p = state;

	p->host = h;
	p->sites = h->option(h, "sites");
	p->live = h->map(h, LIVES * sizeof(*p->live));
	p->recent = h->map(h, MEMMON_PLACES * 2ul * sizeof(*p->recent));
	p->made = h->map(h, MEMMON_CONTEXTS * sizeof(*p->made));
	return p->live && p->recent && p->made &&
	       memmon_contexts_init(&p->contexts, h) &&
	       memmon_shadow_init(&p->pages, h, 4, 12) &&
	       memmon_bytes_init(&p->bytes, h) &&
	       memmon_map_init(&p->pairs, h, 1);
}

/* Make all of [at, end) belong to `live', or to no object: 0. */
static void
cover(struct points_to *p, uint64_t at, uint64_t end, uint32_t live)
{
	while (at < end) {
		uint64_t n = end - at;

		if (!(at & (PAGE - 1)) && n >= PAGE) {
			*(uint32_t *)memmon_shadow_at(&p->pages, at, 4, 12) =
				live;
			n = PAGE;
		} else {
			n = n < PAGE - (at & (PAGE - 1))
				    ? n
				    : PAGE - (at & (PAGE - 1));
			memmon_bytes_set(&p->bytes, at, (unsigned)n, live);
		}
		at += n;
	}
}

/* The number that has a byte; 0: unknown. */
static inline uint32_t
owner(struct points_to *p, uint64_t address)
{
	uint32_t page =
		*(uint32_t *)memmon_shadow_at(&p->pages, address, 4, 12);

	return page ? page : (uint32_t)memmon_bytes_get(&p->bytes, address);
}

/* The live object that has a byte; 0: none. */
static inline uint32_t
living(struct points_to *p, uint64_t address)
{
	uint32_t i = owner(p, address);

	return p->live[i].gone ? 0 : i;
}

/* Free the number of an object, and release its bytes. */
static void
bury(struct points_to *p, uint32_t i, uint64_t at)
{
	cover(p, at, at + p->live[i].size, 0);
	p->live[i] = (struct live){ .next = p->unused, .changed = ++p->now };
	p->unused = i;
}

/* Mark the objects that [at, end) belongs to: they lose some bytes. */
static void
tear(struct points_to *p, uint64_t at, uint64_t end)
{
	while (at < end) {
		uint64_t left = PAGE - (at & (PAGE - 1)), v;
		uint32_t page =
			*(uint32_t *)memmon_shadow_at(&p->pages, at, 4, 12);

		left = left < end - at ? left : end - at;
		if (page)
			v = page;
		else
			left = memmon_bytes_run(&p->bytes, at, (unsigned)left,
						&v);
		at += left;
		if (p->live[v].gone) {
			bury(p, (uint32_t)v, p->live[v].start);
		} else if (v) {
			p->live[v].torn = true;
			p->live[v].changed = ++p->now;
		}
	}
}

static void
gone(struct points_to *p, uint64_t address)
{
	uint32_t i = living(p, address);

	if (!i)
		return;
	if (!p->live[i].torn && p->live[i].start == address) {
		/* The next object there is often equal to this one. */
		p->live[i].gone = true;
		p->live[i].before = p->live[i].changed;
		p->live[i].changed = ++p->now;
		return;
	}
	tear(p, address, address + p->live[i].size);
	bury(p, i, address);
}

/* An object begins at a place that an equal one had, or still has. */
static void
again(struct points_to *p, struct live *l, uint32_t object)
{
	if (l->object != object)
		l->changed = ++p->now;
	else if (l->gone)
		l->changed = l->before;
	if (l->gone)
		p->live[0].changed = ++p->now;
	l->object = object;
	l->gone = false;
}

static void
made(struct points_to *p, struct memmon_context *c, unsigned kind,
     uint32_t where, uint64_t address, uint64_t size)
{
	uint32_t object = p->sites ? memmon_point_at(&p->contexts, 0, where)
				   : memmon_point(c, where);
	uint32_t old = owner(p, address), i = p->unused;

	p->made[object].kind = kind;
	p->made[object].n++;
	p->made[object].bytes += size;
	size += !size;
	if (old && p->live[old].start == address && p->live[old].size == size &&
	    !p->live[old].torn) {
		again(p, &p->live[old], object);
		return;
	}
	if (i)
		p->unused = p->live[i].next;
	else if (p->lives < LIVES - 1)
		i = ++p->lives;
	tear(p, address, address + size);
	p->live[i] = (struct live){ .start = address,
				    .size = size,
				    .object = object,
				    .changed = ++p->now };
	p->live[0].changed = p->now;
	cover(p, address, address + size, i);
}

/* The last result doesn't tell what the pointer points to now: look it up. */
static __attribute__((noinline)) void
find(struct points_to *p, struct recent *r, uint64_t pointer, uint64_t address)
{
	uint32_t i = address < PAGE ? 0 : living(p, address);
	uint64_t key = pointer << 32 | (i	  ? p->live[i].object
					: address ? NOTHING
						  : ZERO);

	if (!r->w || r->w[-1] != key)
		r->w = memmon_map_add(&p->pairs, key);
	r->start = address;
	r->size = 1;
	if (i && !p->live[i].torn) {
		r->start = p->live[i].start;
		r->size = p->live[i].size;
	}
	r->changed = address ? &p->live[i].changed : &p->never;
	r->since = *r->changed;
}

static inline __attribute__((always_inline)) void
pointed(struct points_to *p, uint32_t pointer, uint64_t address)
{
	struct recent *r = &p->recent[2 * (uint64_t)pointer + !address];

	if (__builtin_expect(address - r->start >= r->size ||
				     *r->changed != r->since,
			     0))
		find(p, r, pointer, address);
	++*r->w;
}

/* All events except pointers. */
static __attribute__((noinline)) void
other(struct points_to *p, struct memmon_context *c,
      const struct memmon_decoded *s, const uint64_t *w)
{
	struct memmon_event e = memmon_event(w, s);

	switch (e.kind) {
	case MEMMON_EVENT_STACK_ALLOC:
		made(p, c, e.kind, e.where, e.address, e.size);
		break;
	case MEMMON_EVENT_ALLOC:
	case MEMMON_EVENT_GLOBAL:
		made(p, c, e.kind, e.where, e.address, e.value);
		break;
	case MEMMON_EVENT_FREE:
	case MEMMON_EVENT_STACK_FREE:
		gone(p, e.address);
		break;
	case MEMMON_EVENT_ENTRY:
	case MEMMON_EVENT_EXIT:
	case MEMMON_EVENT_RESUME:
		/*
		 * The contexts have no loops, which other modules may request.
		 */
		memmon_context_event(c, &e);
	}
}

static void
events(void *state, const struct memmon_batch *b)
{
	struct points_to *p = state;
	struct memmon_context *c = memmon_context_of(&p->contexts, b->thread);

	memmon_each_step (s, w, b) {
		if (__builtin_expect(s->kind == MEMMON_EVENT_POINTER, 1))
			pointed(p, s->index, memmon_address(w, s));
		else
			other(p, c, s, w);
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
	uint64_t kind = p->made[object].kind;

	return object == ZERO		     ? "null"
	       : !kind			     ? "unknown"
	       : kind == MEMMON_EVENT_ALLOC  ? "heap"
	       : kind == MEMMON_EVENT_GLOBAL ? "global"
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
 * Pairs of pointers of one function that point to one object: `in' has the
 * pointers by object and function, each with the one before it.
 */
#define ALIASES 100000u

static void
aliases(struct points_to *p, struct memmon_host *h)
{
	struct memmon_map last; /* object << 32 | function: pointer's number */
	uint64_t *before = h->map(h, (p->pairs.n + 1) * 8), i = 0, rows = 0;
	char text[4096];

	if (!before || !memmon_map_init(&last, h, 1))
		return;
	memmon_map_each (w, &p->pairs) {
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
			memmon_row(h, 2,
				   { .n = memmon_place(
					     memmon_map_at(&p->pairs,
							   k - 1)[-1] >>
					     32) },
				   { .n = memmon_place(w[-1] >> 32) },
				   { .n = object_place(p, object, text,
						       sizeof(text)) },
				   { .text = text });
		}
	}
}

static void
finish(void *state, struct memmon_host *h)
{
	struct points_to *p = state;
	struct memmon_map pointers;
	char text[4096];

	if (!memmon_map_init(&pointers, h, 1))
		return;
	memmon_map_each (w, &p->pairs) {
		uint64_t object = w[-1] & 0xffffffff;

		memmon_count_add(&pointers, object, 1);
		memmon_row(h, 0, { .n = memmon_place(w[-1] >> 32) },
			   { .n = object_place(p, object, text, sizeof(text)) },
			   { .text = kind_of(p, object) }, { .n = w[0] },
			   { .text = text });
	}
	for (uint64_t i = 0; i <= p->contexts.points.n; i++)
		if (p->made[i].n)
			memmon_row(h, 1,
				   { .n = object_place(p, i, text,
						       sizeof(text)) },
				   { .text = kind_of(p, i) },
				   { .n = p->made[i].n },
				   { .n = p->made[i].bytes },
				   { .n = *memmon_map_add(&pointers, i) },
				   { .text = text });
	aliases(p, h);
}

MEMMON_MODULE("points_to", "Which objects pointers point to.", MEMMON_ALONE,
	      tables, struct points_to, init, events, NULL, finish);
