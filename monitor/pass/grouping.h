/* SPDX-License-Identifier: MIT */
/*
 * Which events a group of accesses through one root makes.  gcc's plugin, which
 * knows trees, and clang's pass, which knows instructions, share this file.
 * Include it after their headers, and after <vector>.
 *
 * Accesses that are certainly in one granule become one event.  This depends on
 * what is known about the root's alignment: for example, a pointer to a struct
 * of 8-byte members is a multiple of 8.  Blocks of malloc are multiples of 16,
 * and so are most starts of structs.  If it would save enough events, the code
 * tests for that alignment and contains both versions.
 */
#ifndef MEMMON_PASS_GROUPING_H
#define MEMMON_PASS_GROUPING_H

#define MEMMON_ABI_NAMES_ONLY
#include "monitor/abi.h"

#define GRANULE 16
#define INLINE_MAX 64 /* largest access counted inline, bytes */

struct group;

/* What one event counts: accesses from root + `off' on. */
enum event_kind {
	EVENT_ONE,  /* in the granule of off */
	EVENT_PAIR, /* and in that of off + more - 1, if different */
	EVENT_RANGE /* in all of [off, off + more) */
};
template <class place> struct event_of {
	event_kind kind;
	int64_t off, more, window;
	unsigned reads, writes;
	int64_t low, high; /* bytes accessed, from the root; high: end */
	int64_t from, to;  /* bytes certainly in the same granule */
	unsigned sum;	   /* largest sum with the events it covers */
	event_of *cover, *also; /* see covered.cc; NULL: it has a check */
	struct group *covering; /* group of `cover' */
	bool joins;		/* `cover' adds for this one, too */
	bool covers;		/* it is the `cover' of another event */
	place word;		/* set when it has code */
};

/* An access of `size' bytes (negative: unknown) at the root + off. */
struct grouped {
	int64_t off, size;
	unsigned reads, writes;
};

/* ---------------------------------------------------------- one access -- */

template <class event>
void
grouping_add(std::vector<event> *events, const event &e, bool merge)
{
	if (merge)
		for (event &old : *events)
			if (old.kind == e.kind && old.window == e.window &&
			    old.more == e.more && e.kind != EVENT_RANGE &&
			    old.reads + e.reads <= MEMMON_ADD_MAX &&
			    old.writes + e.writes <= MEMMON_ADD_MAX) {
				old.reads += e.reads;
				old.writes += e.writes;
				old.sum += e.sum;
				old.low = std::min(old.low, e.low);
				old.high = std::max(old.high, e.high);
				return;
			}
	events->push_back(e);
}

template <class event>
void
grouping_window(event *e, int64_t window, unsigned align, unsigned base)
{
	e->window = window;
	e->from = window - base;
	e->to = e->from + align;
}

/* Adds the events of one access; the root is `base' modulo `align'. */
template <class event>
void
grouping_access(std::vector<event> *events, const grouped &a, unsigned align,
		unsigned base, bool merge)
{
	int64_t off = a.off, end = off + a.size;
	int64_t at = off + base, window = at & -(int64_t)align;
	event e = event();

	e.kind = EVENT_ONE;
	e.off = e.low = off;
	e.high = end;
	e.reads = a.reads;
	e.writes = a.writes;
	e.sum = std::max(e.reads, e.writes);
	if (a.size < 0 || a.size > INLINE_MAX) {
		e.kind = EVENT_RANGE;
		e.more = a.size;
		e.window = off;
	} else if (at + a.size <= window + align) {
		grouping_window(&e, window, align, base);
	} else if (align == GRANULE) {
		for (; window < at + a.size; window += GRANULE) {
			grouping_window(&e, window, align, base);
			e.off = e.low = std::max(e.from, off);
			e.high = std::min(e.to, end);
			grouping_add(events, e, merge);
		}
		return;
	} else {
		for (; off + GRANULE < end; off += GRANULE) {
			e.off = e.low = off;
			e.high = off + 1;
			grouping_window(&e, (off + base) & -(int64_t)align,
					align, base);
			grouping_add(events, e, merge);
		}
		e.kind = EVENT_PAIR;
		e.off = e.low = off;
		e.high = end;
		e.window = off;
		e.more = end - off;
	}
	grouping_add(events, e, merge);
}

/* ------------------------------------------------------------ its price -- */

/* Does the event know the index of the word from its cover? */
template <class event>
bool
covered_index(const event &e)
{
	return e.cover && !e.covering->test_align;
}

/* An estimate, in instructions. */
template <class event>
int
grouping_cost(const std::vector<event> &events)
{
	enum { ADD = 1, WORD = 3 }; /* of a covered event; to find the word */
	static const int kinds[] = { 4, 11, 25 };
	unsigned known = 0;
	int sum = 0;

	for (const event &e : events) {
		unsigned place = 1u << (e.from & (GRANULE - 1));

		sum += e.cover ? (int)ADD : kinds[e.kind];
		if (e.kind == EVENT_RANGE || covered_index(e))
			continue;
		/* Places that are multiples of 16 apart need this once. */
		if (e.kind != EVENT_ONE || !(known & place))
			sum += WORD;
		if (e.kind == EVENT_ONE)
			known |= place;
	}
	return sum;
}

template <class group>
bool
grouping_is_worth_test(const group *g)
{
	enum { TEST = 2 };

	return grouping_cost(g->aligned) + TEST < grouping_cost(g->events);
}

/* --------------------------------------------------- what covers events -- */

/* The checked event in whose granule all accesses of `e' are, or NULL. */
template <class event>
event *
covered_by(std::vector<event> *events, const event &e)
{
	for (event &by : *events)
		if (by.kind == EVENT_ONE && !by.cover && by.from <= e.low &&
		    e.high <= by.to && by.sum + e.sum <= MEMMON_ADD_MAX)
			return &by;
	return NULL;
}

/* Finds the events that `by' covers; `also', if any, must cover them too. */
template <class event>
void
covered_events(std::vector<event> *events, group *by, std::vector<event> *from,
	       std::vector<event> *also, bool joins)
{
	for (event &e : *events) {
		event *one, *other = NULL;

		if (e.cover || e.kind == EVENT_RANGE)
			continue;
		one = covered_by(from, e);
		if (also)
			other = covered_by(also, e);
		if (!one || (also && !other))
			continue;
		one->sum += e.sum;
		if (other)
			other->sum += e.sum;
		e.cover = one;
		one->covers = true;
		e.also = other;
		e.covering = by;
		e.joins = joins;
	}
}

/* The same for g's events, where both groups may have two versions. */
template <class group>
void
covered_group(group *g, group *by, bool joins)
{
	covered_events(&g->events, by, &by->events,
		       by->test_align ? &by->aligned : NULL, joins);
	if (g->test_align)
		covered_events(&g->aligned, by,
			       by->test_align ? &by->aligned : &by->events,
			       (decltype(&by->events))NULL, joins);
}

/* Are all events of the group covered? */
template <class group>
bool
covered_all(const group *g)
{
	if (g->test_align)
		return false;
	for (const auto &e : g->events)
		if (!covered_index(e))
			return false;
	return true;
}

template <class event>
bool
covered_all_join(const std::vector<event> &events)
{
	for (const event &e : events)
		if (!e.joins)
			return false;
	return true;
}

template <class event>
void
covered_join(const std::vector<event> &events, bool both)
{
	for (const event &e : events) {
		e.cover->reads += e.reads;
		e.cover->writes += e.writes;
		if (both && e.also) {
			e.also->reads += e.reads;
			e.also->writes += e.writes;
		}
	}
}

/*
 * What an earlier group of the same root does for g; `near': no loop is
 * between.
 */
template <class group>
void
covered_from(group *g, group *by, bool near, bool joins)
{
	if (near)
		covered_group(g, by, joins);
	if (!g->before)
		g->before = by;
}

/*
 * Events that would have to find their word's index, or all, get a check again.
 */
template <class event>
void
covered_undo(std::vector<event> *events, bool all)
{
	for (event &e : *events)
		if (all || !covered_index(e))
			e.cover = e.also = NULL;
}

/*
 * Is no event of g left, because those that cover its events add for them?
 * Adds the number of such events to *joined.  `only_so': if any are left, all
 * get a check again.
 */
template <class group>
bool
covered_is_gone(group *g, bool only_so, unsigned long *joined)
{
	bool tested = g->test_align;

	g->test_align = tested && grouping_is_worth_test(g);
	if (!covered_all_join(g->events) ||
	    (g->test_align && !covered_all_join(g->aligned))) {
		covered_undo(&g->events, only_so);
		covered_undo(&g->aligned, only_so);
		if (only_so)
			g->before = NULL;
		g->test_align = tested && grouping_is_worth_test(g);
		return false;
	}
	covered_join(g->events, !g->test_align);
	*joined += g->events.size();
	if (g->test_align) {
		covered_join(g->aligned, false);
		*joined += g->aligned.size();
	}
	return g->gone = true;
}

#endif
