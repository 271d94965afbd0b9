/* SPDX-License-Identifier: MIT */
/*
 * Events grouped by instruction, for modules that analyze each instruction
 * separately: this is faster than going from event to event.  Part of
 * memmon_module.h.
 */
#ifndef MEMMON_MODULE_GROUPS_H
#define MEMMON_MODULE_GROUPS_H

#include "monitor/module/api.h"

/* At most this many events of an instruction are in a group. */
#define MEMMON_GROUP 64u
/* Words from one column to the next: columns spread over cache lines. */
#define MEMMON_GROUP_STEP 72u

/* Collected events of a block, a column per word, MEMMON_GROUP in each. */
struct memmon_rows {
	uint64_t *column, head;
	uint32_t n;
	bool listed; /* in `first' */
};

struct memmon_groups {
	struct memmon_host *host;
	struct memmon_rows *rows; /* by block */
	uint32_t *first;	  /* the n blocks that have events */
	uint32_t n, i;
	uint32_t thread; /* the thread of these events */
	bool flush;	 /* process the collected events before others come */
	struct memmon_batch rest; /* an empty one, with all blocks */
	const uint64_t *at;	  /* the next words of the batch */
	/* The block that is being returned: */
	const struct memmon_decoded *step, *last;
	const uint64_t *column;
	uint64_t head;
	uint32_t events;
	uint64_t opened; /* how many were opened so far */
	struct memmon_decoded plain;
	uint64_t
		/* Of an event outside of blocks. */
		words[2 * MEMMON_GROUP_STEP];
};

/* Events of one instruction, in order. */
struct memmon_group {
	const struct memmon_decoded *step; /* kind, where, index, size */
	/*
	 * One per event; `fixed': all addresses are address[0].  delta is
	 * added.
	 */
	const uint64_t *address, *value;
	uint32_t n, thread;
	bool fixed;
};

static inline bool
memmon_groups_init(struct memmon_groups *s, struct memmon_host *h)
{
	s->host = h;
	s->rows = (struct memmon_rows *)h->map(h, MEMMON_PLACES / 2 *
							  sizeof(*s->rows));
	s->first = (uint32_t *)h->map(h, MEMMON_PLACES / 2 * 4ul);
	return s->rows && s->first;
}

/* False: out of memory. */
static __attribute__((noinline, unused)) bool
memmon_groups_list(struct memmon_groups *s, struct memmon_rows *r,
		   uint64_t head)
{
	unsigned words = memmon_block_words(head);

	if (!r->column)
		r->column =
			(uint64_t *)s->host->map(s->host,
						 (words < 4 ? 4ul : words) *
							 MEMMON_GROUP_STEP * 8);
	if (!r->column)
		return false;
	r->head = head;
	r->listed = true;
	s->first[s->n++] = (uint32_t)head;
	return true;
}

/* Return the events of a block next, and forget them then. */
static inline void
memmon_groups_open(struct memmon_groups *s, const struct memmon_batch *b,
		   struct memmon_rows *r)
{
	s->step = b->blocks[(uint32_t)r->head].step;
	s->last = b->blocks[(uint32_t)r->head].last;
	s->column = r->column;
	s->head = r->head;
	s->events = r->n;
	r->n = 0;
	s->opened++;
}

static inline void
memmon_groups_plain(struct memmon_groups *s, const uint64_t *at)
{
	memmon_plain(&s->plain, *at);
	s->words[0] = at[1];
	s->words[MEMMON_GROUP_STEP] = at[2];
	s->column = s->words;
	s->head = *at;
	s->events = 1;
	s->opened++;
	s->step = &s->plain;
	s->last = s->step + 1;
}

/*
 * Read on until some events of this worker are collected.  False: at the end.
 */
static inline bool
memmon_groups_fill(struct memmon_groups *s, const struct memmon_batch *b)
{
	const uint64_t *p = s->at, *w;
	uint32_t others = b->workers - 1;

	while (p < b->end) {
		const uint64_t *at = p + 1;
		uint64_t head = *p, *to;
		uint32_t number = (uint32_t)head;
		struct memmon_rows *r;

		w = p + 1;
		if (__builtin_expect(!memmon_is_block(head), 0)) {
			p = w + (head >> MEMMON_EVENT_ADDRESS_SHIFT & 1) +
			    (head >> MEMMON_EVENT_VALUE_SHIFT & 1);
			if (!head || !memmon_mine_place(b, number))
				continue;
			memmon_groups_plain(s, w - 1);
			s->at = p;
			return true;
		}
		p = w + memmon_block_words(head);
		if ((number & others) != b->worker || number >= b->nblocks)
			continue;
		r = &s->rows[number];
		if (__builtin_expect(!r->listed, 0) &&
		    !memmon_groups_list(s, r, head))
			continue;
		/*
		 * There are usually at most four words; a loop is hard to
		 * predict.
		 */
		to = r->column + r->n;
		to[0] = w[0];
		to[MEMMON_GROUP_STEP] = w[1];
		to[2 * MEMMON_GROUP_STEP] = w[2];
		to[3 * MEMMON_GROUP_STEP] = w[3];
		for (w += 4; __builtin_expect(w < p, 0); w++)
			to[(w - at) * MEMMON_GROUP_STEP] = *w;
		if (++r->n < MEMMON_GROUP)
			continue;
		memmon_groups_open(s, b, r);
		s->at = p;
		return true;
	}
	s->at = p;
	return false;
}

static inline struct memmon_group
memmon_groups_start(struct memmon_groups *s, const struct memmon_batch *b)
{
	s->at = b->words;
	s->step = s->last = NULL;
	s->flush = b == &s->rest || (s->n && s->thread != b->thread);
	s->thread = s->n ? s->thread : b->thread;
	s->rest.blocks = b->blocks;
	return (struct memmon_group){ NULL, NULL, NULL, 0, 0, false };
}

/* Open the next block that has events. */
static inline void
memmon_groups_flush(struct memmon_groups *s, const struct memmon_batch *b)
{
	struct memmon_rows *r;

	if (s->i < s->n) {
		r = &s->rows[s->first[s->i++]];
		r->listed = false;
		if (r->n)
			memmon_groups_open(s, b, r);
		return;
	}
	s->n = s->i = 0;
	s->thread = b->thread;
	s->flush = false;
}

static inline bool
memmon_groups_next(struct memmon_groups *s, const struct memmon_batch *b,
		   struct memmon_group *g)
{
	while (s->step == s->last) {
		if (s->flush)
			memmon_groups_flush(s, b);
		else if (!memmon_groups_fill(s, b))
			return false;
	}
	g->step = s->step++;
	g->n = s->events;
	g->thread = s->thread;
	g->fixed = g->step->address < 0;
	g->address = g->fixed
			     ? &s->head
			     : s->column + g->step->address * MEMMON_GROUP_STEP;
	g->value = g->step->value < 0
			   ? NULL
			   : s->column + g->step->value * MEMMON_GROUP_STEP;
	return true;
}

/*
 * for each group g of this worker, collected in s.  Some events stay in s when
 * the batch ends: call memmon_each_rest() for these at the end.
 */
#define memmon_each_group(g, s, b) \
	for (struct memmon_group g = memmon_groups_start(s, b); \
	     memmon_groups_next(s, b, &g);)
#define memmon_each_rest(g, s) memmon_each_group (g, s, &(s)->rest)

/* The address, the value of event i of a group. */
static inline __attribute__((always_inline)) uint64_t
memmon_group_address(const struct memmon_group *g, uint32_t i)
{
	return g->address[g->fixed ? 0 : i] + g->step->delta;
}

static inline __attribute__((always_inline)) uint64_t
memmon_group_value(const struct memmon_group *g, uint32_t i)
{
	return g->value[i];
}

#endif
