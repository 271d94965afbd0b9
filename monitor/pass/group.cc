/* SPDX-License-Identifier: MIT */
/*
 * Accesses become events.  Those of one basic block through one root form a
 * group; in it, what is in one granule for sure becomes one event.  What is
 * sure depends on what is known of the root's alignment: of a pointer to a
 * struct of 8-byte members, that it is a multiple of 8.  Blocks of malloc are
 * multiples of 16, so a struct's start mostly is: where that would save enough
 * events, the code tests for it, and has both ways.
 */
#include "monitor/pass/pass.h"

/* What an event costs, about, in instructions. */
static const int event_costs[] = { 8, 12, 25 };
#define COST_OF_TEST 2

static bool
same_root(const counted *a, const counted *b)
{
	return a->at.root == b->at.root && a->at.parts == b->at.parts &&
	       a->size >= 0 && b->size >= 0;
}

static void
add_event(std::vector<event> *events, const event &e)
{
	for (event &old : *events)
		if (options.merge && old.kind == e.kind &&
		    old.window == e.window && old.more == e.more &&
		    e.kind != EVENT_RANGE &&
		    old.reads + e.reads <= MEMMON_ADD_MAX &&
		    old.writes + e.writes <= MEMMON_ADD_MAX) {
			old.reads += e.reads;
			old.writes += e.writes;
			return;
		}
	events->push_back(e);
}

/* Adds the events of one access; the root is `base' modulo `align'. */
static void
add_events(std::vector<event> *events, const counted *a, unsigned align,
	   unsigned base)
{
	int64_t off = a->at.off, end = off + a->size;
	int64_t at = off + base, window = at & -(int64_t)align;
	event e = { EVENT_ONE, off, 0, 0, a->reads, a->writes };

	if (a->size < 0 || a->size > INLINE_MAX) {
		e.kind = EVENT_RANGE;
		e.more = a->size;
		e.window = off;
	} else if (at + a->size <= window + align) {
		e.window = window;
	} else if (align == GRANULE) {
		for (; window < at + a->size; window += GRANULE) {
			e.off = (window > at ? window : at) - base;
			e.window = window;
			add_event(events, e);
		}
		return;
	} else {
		for (; off + GRANULE < end; off += GRANULE) {
			e.off = off;
			e.window = (off + base) & -(int64_t)align;
			add_event(events, e);
		}
		e.kind = EVENT_PAIR;
		e.off = off;
		e.window = off;
		e.more = end - off;
	}
	add_event(events, e);
}

static int
cost(const std::vector<event> &events)
{
	int sum = 0;

	for (const event &e : events)
		sum += event_costs[e.kind];
	return sum;
}

static bool
is_computed(const Value *pointer)
{
	return isa<GetElementPtrInst>(pointer);
}

/*
 * Is the root likely a block's start?  Not if it was computed: elements of an
 * array are multiples of 16 at random.
 */
static bool
may_be_start(const counted *a)
{
	if (!a->at.parts.empty() || is_computed(a->at.root))
		return false;
	if (const auto *phi = dyn_cast<PHINode>(a->at.root))
		for (const Value *v : phi->incoming_values())
			if (is_computed(v->stripPointerCasts()))
				return false;
	return true;
}

static void
plan(work *w, group *g)
{
	unsigned align = 1, base = 0;

	for (const counted &a : g->members)
		if (a.align > align) {
			align = a.align;
			base = (unsigned)-a.at.off & (align - 1);
		}
	for (const counted &a : g->members)
		add_events(&g->events, &a, align, base);
	if (align == GRANULE || !options.merge || !w->optimize ||
	    g->members.size() < 2 || !may_be_start(&g->first))
		return;
	for (const counted &a : g->members)
		add_events(&g->aligned, &a, GRANULE, 0);
	g->test_align = cost(g->aligned) + COST_OF_TEST < cost(g->events);
}

static void
add(work *w, std::vector<group *> *groups, size_t from, unsigned segment,
    const counted &a)
{
	if (options.merge && w->optimize)
		for (size_t i = from; i < groups->size(); i++)
			if (same_root(&(*groups)[i]->first, &a)) {
				(*groups)[i]->members.push_back(a);
				return;
			}
	auto *g = new group();

	g->first = a;
	g->segment = segment;
	g->members.push_back(a);
	groups->push_back(g);
}

/* All groups of a function: block by block, in their order. */
std::vector<group *>
group_collect(work *w)
{
	std::vector<group *> groups;
	std::vector<counted> accesses;

	for (BasicBlock &bb : w->f) {
		size_t from = groups.size();
		unsigned segment = 0;

		for (Instruction &i : bb) {
			accesses.clear();
			access_collect(w, &i, &accesses);
			for (const counted &a : accesses)
				add(w, &groups, from, segment, a);
			if (access_ends_group(&i)) {
				from = groups.size();
				segment++;
			}
		}
	}
	for (group *g : groups)
		plan(w, g);
	return groups;
}
