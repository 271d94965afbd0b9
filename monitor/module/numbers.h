/* SPDX-License-Identifier: MIT */
/*
 * Numbers of contexts, and of places in contexts, and what they mean.  Part of
 * memmon_module.h.
 */
#ifndef MEMMON_MODULE_NUMBERS_H
#define MEMMON_MODULE_NUMBERS_H

#include "monitor/module/context.h"

/* The key of a context, or of a point. */
static inline uint64_t
memmon_context_key(const struct memmon_contexts *a, uint32_t number)
{
	return number ? memmon_map_at(&a->numbers, number - 1)[-1] : 0;
}

static inline uint64_t
memmon_point_key(const struct memmon_contexts *a, uint32_t point)
{
	return point ? memmon_map_at(&a->points, point - 1)[-1] : 0;
}

/* A number for place `where' in context `number'; 0: no context. */
static inline uint32_t
memmon_context_below(struct memmon_contexts *a, uint32_t number, uint32_t where)
{
	uint64_t key = (uint64_t)number << 32 | where, *v;

	/* A function that calls itself keeps its context. */
	if (number && (uint32_t)memmon_context_key(a, number) == where)
		return number;
	v = memmon_map_find(&a->numbers, key);
	if (v)
		return (uint32_t)*v;
	if (a->numbers.n + 1 >= MEMMON_CONTEXTS)
		return number;
	v = memmon_map_add(&a->numbers, key);
	return (uint32_t)(*v = a->numbers.n);
}

/* The number of the innermost of the first `frames' frames, `loops' loops. */
static inline uint32_t
memmon_context_number_at(struct memmon_context *c, uint32_t frames,
			 uint32_t loops)
{
	uint32_t number = 0, f = frames, l = loops, fi, li;

	/* From the innermost outwards to one whose number is known. */
	while (f || l) {
		uint32_t known;

		if (f && c->frame[f].loops >= l)
			known = c->frame[f--].number;
		else
			known = c->loop[l--].number;
		if (known) {
			number = known;
			if (f + l + 1 == frames + loops)
				return number;
			break;
		}
	}
	/* The loop has stepped over that one: inwards again, from that one. */
	for (fi = f, li = l; fi + li < frames + loops;) {
		bool frame = fi < frames &&
			     (li == loops || c->frame[fi + 1].loops <= li);
		uint32_t *at =
			frame ? &c->frame[++fi].number : &c->loop[++li].number;

		if (!*at)
			*at = memmon_context_below(c->all, number,
						   frame ? c->frame[fi].where
							 : c->loop[li].where);
		number = *at;
	}
	return number;
}

/*
 * A number for the thread's present context: those of the functions and loops
 * around it that have events.  0: none.
 */
static inline uint32_t
memmon_context_number(struct memmon_context *c)
{
	return memmon_context_number_at(c, c->frames, c->depth);
}

/* A number, from 1 on, for a place in a context; at most MEMMON_CONTEXTS. */
static inline uint32_t
memmon_point_at(struct memmon_contexts *a, uint32_t context, uint32_t where)
{
	uint64_t key = (uint64_t)context << 32 | where, *v;

	if (a->points.n + 1 >= MEMMON_CONTEXTS &&
	    !memmon_map_find(&a->points, key))
		return 0;
	v = memmon_map_add(&a->points, key);
	if (!*v)
		*v = a->points.n;
	return (uint32_t)*v;
}

/* The same for a place in the thread's present context. */
static inline uint32_t
memmon_point(struct memmon_context *c, uint32_t where)
{
	uint64_t *p = &c->all->point[memmon_index(where)];
	uint32_t context = memmon_context_number(c);

	if (!(uint32_t)*p || *p >> 32 != context)
		*p = (uint64_t)context << 32 |
		     memmon_point_at(c->all, context, where);
	return (uint32_t)*p;
}

/*
 * Add the contexts, points and loops of another worker.  Unless `at' is NULL,
 * *at gets, in the host's memory, the number here of each point there.  The
 * totals of loops aren't added: all workers see all loops.
 */
static inline bool
memmon_contexts_merge(struct memmon_contexts *to,
		      const struct memmon_contexts *from, uint32_t **at)
{
	uint32_t *c =
		(uint32_t *)to->host->map(to->host, (from->numbers.n + 1) * 4);
	uint64_t i = 0;

	*at = (uint32_t *)to->host->map(to->host, (from->points.n + 1) * 4);
	if (!c || !*at)
		return false;
	memmon_map_each (w, &from->numbers) {
		i++;
		c[i] = memmon_context_below(to, c[w[-1] >> 32],
					    (uint32_t)w[-1]);
	}
	i = 0;
	memmon_map_each (w, &from->points) {
		i++;
		(*at)[i] = memmon_point_at(to, c[w[-1] >> 32], (uint32_t)w[-1]);
	}
	return true;
}

/* "main > a.c:12 > f": at most n bytes, with the 0. */
static inline void
memmon_context_text(const struct memmon_contexts *a, uint32_t number, char *to,
		    size_t n)
{
	uint32_t step[64];
	struct memmon_where w;
	unsigned k = 0;
	size_t at = 0;

	for (; number && k < 64; number = memmon_context_key(a, number) >> 32)
		step[k++] = (uint32_t)memmon_context_key(a, number);
	to[0] = '\0';
	while (k--) {
		char text[2048];
		size_t len;

		if (!a->host->place(a->host, step[k], &w))
			continue;
		len = memmon_where_text(&w, text, sizeof(text));
		if (at + len + 4 >= n)
			break;
		if (at) {
			memcpy(to + at, " > ", 3);
			at += 3;
		}
		memcpy(to + at, text, len + 1);
		at += len;
	}
}

#endif
