/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds events that need no check, because an earlier event has just checked
 * their granule.  The earlier event has the same root and is in a block that
 * always runs before theirs, with no call and no loop between the two.  Nothing
 * that the check looks for can have happened since, except for a tick of the
 * clock, which may also come between the accesses of one event.  If the later
 * block also always runs after the earlier one, its events join those of the
 * earlier group.  If a loop is between the two, or the granule is another one,
 * the index of the word is still valid.
 *
 * In a program that was compiled for samples, events only join: a covered one
 * would have to add even if the block isn't a sample.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"

/* The groups of each block, by index. */
typedef vec<vec<group *>> block_groups;

/* Finds what covers g's events; true: no event is left. */
static bool
cover(const regions *all, const block_groups &blocks, group *g)
{
	basic_block bb = gimple_bb(g->first.stmt);
	climb c(all, bb);

	while (g->segment == 0 && c.up()) {
		const vec<group *> &groups = blocks[c.top->index];
		bool joins = dominated_by_p(CDI_POST_DOMINATORS, c.top, bb) &&
			     !c.comes_again();

		for (unsigned i = 0; i < groups.length(); i++) {
			group *by = groups[i];

			if (by->gone || (options.sample && !joins) ||
			    by->segment != all->calls[c.top->index] ||
			    !group_same_root(&by->first, &g->first))
				continue;
			covered_from(g, by, !c.rounds, joins);
		}
	}
	return covered_is_gone(g, options.sample, &figures.joined);
}

/*
 * Finds covered events.  `groups' is then in an order where a group comes
 * before those that it covers; groups without events are freed.
 */
void
covered_find(function *fun, const regions *all, vec<group *> *groups)
{
	block_groups blocks = vNULL;
	auto_vec<group *> gone;
	auto_vec<basic_block> work;
	unsigned i;
	group *g;

	calculate_dominance_info(CDI_POST_DOMINATORS);
	blocks.safe_grow_cleared(last_basic_block_for_fn(fun));
	FOR_EACH_VEC_ELT(*groups, i, g)
	blocks[gimple_bb(g->first.stmt)->index].safe_push(g);
	groups->truncate(0);
	work.safe_push(ENTRY_BLOCK_PTR_FOR_FN(fun));
	while (!work.is_empty()) {
		basic_block bb = work.pop(), son;

		FOR_EACH_VEC_ELT(blocks[bb->index], i, g)
		(cover(all, blocks, g) ? &gone : groups)->safe_push(g);
		for (son = first_dom_son(CDI_DOMINATORS, bb); son;
		     son = next_dom_son(CDI_DOMINATORS, son))
			work.safe_push(son);
	}
	group_free(&gone);
	for (i = 0; i < blocks.length(); i++)
		blocks[i].release();
	blocks.release();
}
