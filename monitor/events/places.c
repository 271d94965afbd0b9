/* SPDX-License-Identifier: MIT */
/* The meaning of numbers of places and blocks, from the program's lists. */
#include "monitor/events/places.h"

#include <string.h>
#include <sys/mman.h>

#include "monitor/base/internal.h"

void *
mmi_places_map(const struct driver *d, size_t size)
{
	long p = arch_syscall(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
			      0);

	if (p < 0 && p > -4096)
		return NULL;
	if (d->mapped)
		d->mapped((void *)p, size);
	return (void *)p;
}

static const struct memmon_places *
list_at(const struct driver *d, uint32_t i)
{
	return (const void *)((const char *)d->h + d->h->list[i].at);
}

static bool
place_code(const struct driver *d, uint32_t where, struct memmon_where *w)
{
	const uint64_t *callers =
		(const void *)((const char *)d->h + d->h->callers_at);

	w->kind = MEMMON_EVENT_ALLOC;
	w->code = callers[where % STREAM_CALLERS];
	w->file = w->name = "";
	return w->code != 0;
}

bool
mmi_places_find(const struct driver *d, uint32_t where, struct memmon_where *w)
{
	uint32_t low = 0, high = LOAD_ACQ(&d->h->nlists), first;
	const struct memmon_places *l;
	const struct memmon_place *p;
	const char *strings;

	memset(w, 0, sizeof(*w));
	if (where >= MEMMON_CALLERS)
		return place_code(d, where, w);
	while (high - low > 1) {
		uint32_t mid = (low + high) / 2;

		if (d->h->list[mid].first <= where)
			low = mid;
		else
			high = mid;
	}
	if (!high || where < (first = d->h->list[low].first))
		return false;
	l = list_at(d, low);
	if (where - first >= l->n)
		return false;
	p = (const struct memmon_place *)(l + 1) + (where - first);
	strings = (const char *)l + l->strings;
	w->kind = p->kind;
	w->line = p->line;
	w->column = p->column;
	w->ordinal = p->ordinal;
	w->size = p->size;
	w->file = strings + p->file;
	w->name = strings + p->name;
	w->function = p->function == MEMMON_NO_PLACE ? 0 : first + p->function;
	w->loop = p->loop == MEMMON_NO_PLACE ? 0 : first + p->loop;
	w->is_float = p->flags & MEMMON_PLACE_FLOAT;
	w->is_signed = p->flags & MEMMON_PLACE_SIGNED;
	w->is_pointer = p->flags & MEMMON_PLACE_POINTER;
	return true;
}

bool
mmi_places_restriction(const struct driver *d, uint32_t list, uint32_t i,
		       struct restriction *x)
{
	const struct memmon_places *l = list_at(d, list);
	const char *strings = (const char *)l + l->strings;
	const struct memmon_place *p =
		(const struct memmon_place *)(l + 1) + l->n - 1 - i;

	if (i >= l->n || p->kind != MEMMON_EVENT_START)
		return false;
	*x = (struct restriction){ .name = strings + p->name,
				   .file = strings + p->file,
				   .line = p->line,
				   .found = p->flags & MEMMON_PLACE_FOUND };
	return true;
}

/* Decode a step.  A fixed address becomes a difference from the first word. */
static struct memmon_decoded
decode(const struct memmon_step *s, uint32_t first, uint64_t head,
       const uint64_t *addresses, uint32_t n)
{
	unsigned kind =
		s->event >> MEMMON_EVENT_KIND_SHIFT & MEMMON_EVENT_KIND_MASK;
	struct memmon_decoded to = { .delta = (uint64_t)(int64_t)s->delta,
				     .where = (uint32_t)s->event + first,
				     .index = (uint32_t)s->event + first,
				     .size = s->event >>
						     MEMMON_EVENT_SIZE_SHIFT &
					     MEMMON_EVENT_SIZE_MAX,
				     .address = (int16_t)s->address,
				     .value = (int16_t)s->value,
				     .kind = (uint8_t)kind,
				     .long_size = true };

	if (s->address == MEMMON_STEP_FIXED) {
		uint32_t i = (uint32_t)s->delta;

		to.delta = (i < n ? addresses[i] : 0) - head;
		to.address = -1;
	}
	/*
	 * An argument that the event lacks reads the first word: a meaningless
	 * value.
	 */
	if (!(s->event >> MEMMON_EVENT_ADDRESS_SHIFT & 1))
		to.address = -1;
	if (!(s->event >> MEMMON_EVENT_VALUE_SHIFT & 1)) {
		to.value = -1;
		to.long_size = false;
	}
	to.long_size &= to.size == MEMMON_EVENT_SIZE_MAX;
	to.above = (uint8_t)memmon_bits_above(to.size);
	to.mask = to.size == 1 || to.size == 2 || to.size == 4 || to.size == 8
			  ? (int32_t)to.size - 1
			  : -1;
	return to;
}

void
mmi_places_add(struct driver *d, uint32_t i)
{
	const struct memmon_places *l = list_at(d, i);
	const struct memmon_block *b =
		(const void *)((const char *)l + l->blocks);
	const struct memmon_step *s =
		(const void *)((const char *)l + l->steps);
	const uint64_t *addresses =
		(const void *)((const char *)l + ((l->size + 7u) & ~7u));
	uint32_t first = d->h->list[i].first;
	struct memmon_decoded *to;

	if (!l->n_blocks || first + d->h->list[i].n > MEMMON_PLACES / 2)
		return;
	to = mmi_places_map(d, l->n_steps * sizeof(*to) + 1);
	if (!to)
		return;
	for (uint32_t k = 0; k < l->n_blocks; k++, b++) {
		uint64_t head = (first + k) |
				(uint64_t)b->words << MEMMON_EVENT_SIZE_SHIFT |
				(uint64_t)MEMMON_EVENT_BLOCK
					<< MEMMON_EVENT_KIND_SHIFT;

		if (b->step + b->n > l->n_steps)
			continue;
		for (uint32_t j = b->step; j < b->step + b->n; j++)
			to[j] = decode(&s[j], first, head, addresses,
				       l->n_addresses);
		d->blocks[first + k].step = to + b->step;
		d->blocks[first + k].last = to + b->step + b->n;
	}
	d->nblocks = first + l->n_blocks;
}
