/* SPDX-License-Identifier: MIT */
/*
 * Events of a batch by the instruction that they are of: for modules that look
 * at each instruction for itself, which is quicker than one after the other.
 * Part of memmon_module.h.
 */
#ifndef MEMMON_MODULE_GROUPS_H
#define MEMMON_MODULE_GROUPS_H

#include "monitor/module/api.h"

/* So many words are looked at together. */
#define MEMMON_GROUP_WORDS 32768u
#define MEMMON_GROUP_PLAIN (1u << 31) /* with an offset: it isn't a block */

/* All that is needed to sort them; offsets are from `from'. */
struct memmon_groups {
	uint32_t *latest; /* of each block: offset of its latest event + 1 */
	uint32_t *next;	  /* of each offset that of the block's next event */
	uint32_t *first;  /* of each block that has any, n of them */
	const uint64_t **words;
	const uint64_t *from, *to;
	uint32_t n, i;
	const struct memmon_decoded *step, *last; /* of group i - 1 */
	struct memmon_decoded plain;
};

/* Events of one instruction, in their order. */
struct memmon_group {
	const struct memmon_decoded *step; /* kind, where, index, size */
	const uint64_t *const *words;
	uint32_t n;
};

static inline bool
memmon_groups_init(struct memmon_groups *s, struct memmon_host *h)
{
	s->latest = (uint32_t *)h->map(h, MEMMON_PLACES / 2 * 4ul);
	s->next = (uint32_t *)h->map(h, MEMMON_GROUP_WORDS * 4ul);
	s->first = (uint32_t *)h->map(h, MEMMON_GROUP_WORDS * 4ul);
	s->words = (const uint64_t **)h->map(h, MEMMON_GROUP_WORDS * 8ul);
	return s->latest && s->next && s->first && s->words;
}

/* Sort the next words of the batch, as far as they are this worker's. */
static inline void
memmon_groups_sort(struct memmon_groups *s, const struct memmon_batch *b)
{
	const uint64_t *p = s->to, *end = b->end;
	uint32_t others = b->workers - 1;

	s->from = p;
	s->n = s->i = 0;
	if (end - p > (ptrdiff_t)MEMMON_GROUP_WORDS)
		end = p + MEMMON_GROUP_WORDS;
	while (p < end) {
		uint32_t number = (uint32_t)*p, at = (uint32_t)(p - s->from);
		uint64_t head = *p++;

		if (__builtin_expect(!memmon_is_block(head), 0)) {
			if (head && memmon_mine_place(b, number))
				s->first[s->n++] = at | MEMMON_GROUP_PLAIN;
			p += (head >> MEMMON_EVENT_ADDRESS_SHIFT & 1) +
			     (head >> MEMMON_EVENT_VALUE_SHIFT & 1);
			continue;
		}
		p += memmon_block_words(head);
		if ((number & others) != b->worker || number >= b->nblocks)
			continue;
		if (s->latest[number])
			s->next[s->latest[number] - 1] = at;
		else
			s->first[s->n++] = at;
		s->latest[number] = at + 1;
	}
	s->to = p;
}

/* The words of all events of a block, or of one that isn't in a block. */
static inline void
memmon_groups_open(struct memmon_groups *s, const struct memmon_batch *b,
		   struct memmon_group *g)
{
	uint32_t at = s->first[s->i++], number, last;

	g->words = s->words;
	g->n = 0;
	if (at & MEMMON_GROUP_PLAIN) {
		at &= ~MEMMON_GROUP_PLAIN;
		memmon_plain(&s->plain, s->from[at]);
		s->words[g->n++] = s->from + at + 1;
		s->step = &s->plain;
		s->last = s->step + 1;
		return;
	}
	number = (uint32_t)s->from[at];
	last = s->latest[number] - 1;
	s->latest[number] = 0;
	s->step = b->blocks[number].step;
	s->last = b->blocks[number].last;
	while (at != last) {
		s->words[g->n++] = s->from + at + 1;
		at = s->next[at];
	}
	s->words[g->n++] = s->from + at + 1;
}

static inline struct memmon_group
memmon_groups_start(struct memmon_groups *s, const struct memmon_batch *b)
{
	s->to = b->words;
	s->n = s->i = 0;
	s->step = s->last = NULL;
	return (struct memmon_group){ NULL, NULL, 0 };
}

static inline bool
memmon_groups_next(struct memmon_groups *s, const struct memmon_batch *b,
		   struct memmon_group *g)
{
	while (s->step == s->last) {
		if (s->i < s->n)
			memmon_groups_open(s, b, g);
		else if (s->to < b->end)
			memmon_groups_sort(s, b);
		else
			return false;
	}
	g->step = s->step++;
	return true;
}

/* for each group g of a batch, of this worker's; sorted by s. */
#define memmon_each_group(g, s, b) \
	for (struct memmon_group g = memmon_groups_start(s, b); \
	     memmon_groups_next(s, b, &g);)

/* The address, the value of the i-th event of a group. */
static inline __attribute__((always_inline)) uint64_t
memmon_group_address(const struct memmon_group *g, uint32_t i)
{
	return g->words[i][g->step->address] + g->step->delta;
}

static inline __attribute__((always_inline)) uint64_t
memmon_group_value(const struct memmon_group *g, uint32_t i)
{
	return g->words[i][g->step->value];
}

#endif
