/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which objects each pointer pointed to, what made them, in which context. */
#include <memmon_module.h>

MEMMON_EVENTS("pointer:address alloc:address,value free:address "
	      "stack_alloc:address,value stack_free:address "
	      "global:address,value entry:address,calls exit:address,calls "
	      "resume:address");

struct pointees {
	struct memmon_contexts contexts; /* its points are the objects */
	struct memmon_bytes owners; /* size << 22 | object, 0: none */
	struct memmon_map pairs;    /* pointer << 32 | object: how often */
	uint8_t *kind;		    /* of each object: enum kind */
};

enum kind { UNKNOWN, HEAP, STACK, GLOBAL, ZERO };
#define NOTHING 0			   /* no object */
#define NULL_POINTER (MEMMON_CONTEXTS - 1) /* the object of NULL */

static bool
init(void *state, struct memmon_host *h)
{
	struct pointees *p = state;

	p->kind = h->map(h, MEMMON_CONTEXTS);
	if (p->kind)
		p->kind[NULL_POINTER] = ZERO;
	return p->kind && memmon_contexts_init(&p->contexts, h) &&
	       memmon_bytes_init(&p->owners, h) &&
	       memmon_map_init(&p->pairs, h, 1);
}

/* An object of `size' bytes begins. */
static void
begins(struct pointees *p, struct memmon_context *c,
       const struct memmon_event *e, uint64_t size, enum kind kind)
{
	uint32_t object = memmon_point(c, e->where);

	size += !size; /* it has an address, too */
	p->kind[object] = kind;
	memmon_bytes_set(&p->owners, e->address, size, size << 22 | object);
}

/* The object that begins there ends. */
static void
ends(struct pointees *p, uint64_t address)
{
	uint64_t owner = memmon_bytes_get(&p->owners, address);

	memmon_bytes_clear(&p->owners, address, owner >> 22);
}

static void
points(struct pointees *p, uint32_t pointer, uint64_t address)
{
	uint64_t object = NULL_POINTER;

	if (address)
		object = memmon_bytes_get(&p->owners, address) &
			 (MEMMON_CONTEXTS - 1);
	memmon_count_add(&p->pairs, (uint64_t)pointer << 32 | object, 1);
}

static void
events(void *state, const struct memmon_batch *b)
{
	struct pointees *p = state;
	struct memmon_context *c = memmon_context_of(&p->contexts, b->thread);

	memmon_each (e, b) {
		switch (e.kind) {
		case MEMMON_EVENT_POINTER:
			points(p, e.index, e.address);
			break;
		case MEMMON_EVENT_ALLOC:
			begins(p, c, &e, e.value, HEAP);
			break;
		case MEMMON_EVENT_STACK_ALLOC:
			begins(p, c, &e, e.size, STACK);
			break;
		case MEMMON_EVENT_GLOBAL:
			begins(p, c, &e, e.value, GLOBAL);
			break;
		case MEMMON_EVENT_FREE:
		case MEMMON_EVENT_STACK_FREE:
			ends(p, e.address);
			break;
		case MEMMON_EVENT_ENTRY:
		case MEMMON_EVENT_EXIT:
		case MEMMON_EVENT_RESUME:
			/* Contexts of functions only, without loops. */
			memmon_context_event(c, &e);
			break;
		}
	}
}

static const struct memmon_column columns[] = {
	{ "pointer", MEMMON_PLACE, "the instruction that makes it" },
	{ "object", MEMMON_PLACE, "what made the object" },
	{ "kind", MEMMON_TEXT, "heap, stack, global, null or unknown" },
	{ "count", MEMMON_COUNT, "how often it pointed there" },
	{ "context", MEMMON_TEXT, "in which the object was made" },
};
static const struct memmon_table tables[] = {
	{ "pointees", "WHAT POINTERS POINT TO", columns, 5 },
};

static void
finish(void *state, struct memmon_host *h)
{
	static const char *const kinds[] = { "unknown", "heap", "stack",
					     "global", "null" };
	struct pointees *p = state;
	char text[4096];

	memmon_map_each (w, &p->pairs) {
		uint32_t object = (uint32_t)w[-1];
		uint64_t key = 0;

		if (object != NULL_POINTER)
			key = memmon_point_key(&p->contexts, object);
		memmon_context_text(&p->contexts, key >> 32, text,
				    sizeof(text));
		memmon_row(h, 0, { .n = memmon_place(w[-1] >> 32) },
			   { .n = (uint32_t)key },
			   { .text = kinds[p->kind[object]] }, { .n = w[0] },
			   { .text = text });
	}
}

MEMMON_MODULE("pointees", "Objects of pointers.", MEMMON_ALONE, tables,
	      struct pointees, init, events, NULL, finish);
