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

/* What an event costs, about, in instructions, but to find its word. */
static const int event_costs[] = { 4, 11, 25 };
#define COST_OF_TEST 2
#define COST_OF_ADD 1 /* of a covered one */
#define COST_OF_WORD 3

bool
group_same_root(const counted *a, const counted *b)
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
			old.sum += e.sum;
			old.low = std::min(old.low, e.low);
			old.high = std::max(old.high, e.high);
			return;
		}
	events->push_back(e);
}

static void
set_window(event *e, int64_t window, unsigned align, unsigned base)
{
	e->window = window;
	e->from = window - base;
	e->to = e->from + align;
}

/* Adds the events of one access; the root is `base' modulo `align'. */
static void
add_events(std::vector<event> *events, const counted *a, unsigned align,
	   unsigned base)
{
	int64_t off = a->at.off, end = off + a->size;
	int64_t at = off + base, window = at & -(int64_t)align;
	event e = event();

	e.kind = EVENT_ONE;
	e.off = e.low = off;
	e.high = end;
	e.reads = a->reads;
	e.writes = a->writes;
	e.sum = std::max(e.reads, e.writes);
	if (a->size < 0 || a->size > INLINE_MAX) {
		e.kind = EVENT_RANGE;
		e.more = a->size;
		e.window = off;
	} else if (at + a->size <= window + align) {
		set_window(&e, window, align, base);
	} else if (align == GRANULE) {
		for (; window < at + a->size; window += GRANULE) {
			set_window(&e, window, align, base);
			e.off = e.low = std::max(e.from, off);
			e.high = std::min(e.to, end);
			add_event(events, e);
		}
		return;
	} else {
		for (; off + GRANULE < end; off += GRANULE) {
			e.off = e.low = off;
			e.high = off + 1;
			set_window(&e, (off + base) & -(int64_t)align, align,
				   base);
			add_event(events, e);
		}
		e.kind = EVENT_PAIR;
		e.off = e.low = off;
		e.high = end;
		e.window = off;
		e.more = end - off;
	}
	add_event(events, e);
}

static int
cost(const std::vector<event> &events)
{
	unsigned known = 0;
	int sum = 0;

	for (const event &e : events) {
		unsigned place = 1u << (e.from & (GRANULE - 1));

		sum += e.cover ? COST_OF_ADD : event_costs[e.kind];
		if (e.kind == EVENT_RANGE || covered_index(e))
			continue;
		/* Multiples of 16 apart, they need it once. */
		if (e.kind != EVENT_ONE || !(known & place))
			sum += COST_OF_WORD;
		if (e.kind == EVENT_ONE)
			known |= place;
	}
	return sum;
}

bool
group_is_worth_test(const group *g)
{
	return cost(g->aligned) + COST_OF_TEST < cost(g->events);
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
	g->test_align = group_is_worth_test(g);
}

static void
add(work *w, std::vector<group *> *groups, size_t from, unsigned segment,
    const counted &a)
{
	if (options.merge && w->optimize)
		for (size_t i = from; i < groups->size(); i++)
			if (group_same_root(&(*groups)[i]->first, &a)) {
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
