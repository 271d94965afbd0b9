/* SPDX-License-Identifier: MIT */
/*
 * Accesses become events: those of one basic block through one root form a
 * group (see grouping.h).
 */
#include "monitor/pass/pass.h"

bool
group_same_root(const counted *a, const counted *b)
{
	return a->at.root == b->at.root && a->at.parts == b->at.parts &&
	       a->size >= 0 && b->size >= 0;
}

static bool
is_computed(const Value *pointer)
{
	return isa<GetElementPtrInst>(pointer);
}

/*
 * Is the root likely the start of a block?  Not if it was computed: elements of
 * an array have random alignment.
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
add_events(std::vector<event> *events, const counted &a, unsigned align,
	   unsigned base)
{
	grouping_access(events, { a.at.off, a.size, a.reads, a.writes }, align,
			base, options.merge);
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
		add_events(&g->events, a, align, base);
	if (align == GRANULE || !options.merge || !w->optimize ||
	    g->members.size() < 2 || !may_be_start(&g->first))
		return;
	for (const counted &a : g->members)
		add_events(&g->aligned, a, GRANULE, 0);
	g->test_align = grouping_is_worth_test(g);
}

/* Adds an access to the groups from `from' on. */
void
group_add(work *w, std::vector<group *> *groups, size_t from, unsigned segment,
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

/* Makes the group count this many times at once. */
void
group_repeat(work *w, group *g, Value *times)
{
	plan(w, g);
	g->times = times;
	/* It needs no other event's check, and no other event may use its
	 * check. */
	for (event &e : g->events)
		e.sum = MEMMON_ADD_MAX;
	for (event &e : g->aligned)
		e.sum = MEMMON_ADD_MAX;
}

/* Adds all groups of a function: block by block, in the blocks' order. */
void
group_collect(work *w, std::vector<group *> *groups)
{
	size_t first = groups->size();
	std::vector<counted> accesses;

	for (BasicBlock &bb : w->f) {
		size_t from = groups->size();
		unsigned segment = 0;

		for (Instruction &i : bb) {
			accesses.clear();
			access_collect(w, &i, &accesses);
			for (const counted &a : accesses)
				group_add(w, groups, from, segment, a);
			if (access_ends_group(&i)) {
				from = groups->size();
				segment++;
			}
		}
	}
	for (size_t i = first; i < groups->size(); i++)
		plan(w, (*groups)[i]);
}
