/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The blocks that always run before a block, without a call on the way: its
 * dominators, one after the other, up to a call.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"

#define REGION_MAX 64 /* blocks to search for calls */
#define CLIMB_MAX 12 /* blocks to go up */

static unsigned
count_calls(basic_block bb)
{
	gimple_stmt_iterator gsi;
	unsigned n = 0;

	for (gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
		n += access_ends_group(gsi_stmt(gsi));
	return n;
}

/* Looks at all blocks; needs gcc's dominators. */
regions::regions(function *fun)
{
	auto_vec<int> list;
	basic_block bb;
	int n;

	calls.safe_grow_cleared(last_basic_block_for_fn(fun));
	order.safe_grow_cleared(last_basic_block_for_fn(fun));
	list.safe_grow_cleared(n_basic_blocks_for_fn(fun));
	FOR_EACH_BB_FN(bb, fun)
	calls[bb->index] = count_calls(bb);
	n = pre_and_rev_post_order_compute_fn(fun, NULL, list.address(), false);
	for (int i = 0; i < n; i++)
		order[list[i]] = i;
	calculate_dominance_info(CDI_DOMINATORS);
}

climb::climb(const regions *r, basic_block from)
    : top(from), rounds(false), all(r), bottom(from), steps(0), blocks(0)
{
}

/*
 * Goes one block up.  false: it is the first block, or a way from there
 * contains a call.  A way on which a block runs twice sets `rounds'.
 */
bool
climb::up()
{
	basic_block next = get_immediate_dominator(CDI_DOMINATORS, top);
	auto_vec<basic_block> work;

	if (++steps > CLIMB_MAX || next == NULL ||
	    next->index < NUM_FIXED_BLOCKS ||
	    (top != bottom && all->calls[top->index]))
		return false;
	work.safe_push(top);
	while (!work.is_empty()) {
		basic_block at = work.pop();
		edge e;
		edge_iterator ei;

		FOR_EACH_EDGE(e, ei, at->preds)
		{
			if (e->flags & (EDGE_ABNORMAL | EDGE_EH))
				return false;
			if (all->order[e->src->index] >= all->order[at->index])
				rounds = true;
			if (e->src == next ||
			    !bitmap_set_bit(seen, e->src->index))
				continue;
			if (e->src->index < NUM_FIXED_BLOCKS ||
			    all->calls[e->src->index] || ++blocks > REGION_MAX)
				return false;
			work.safe_push(e->src);
		}
	}
	top = next;
	return true;
}

/* May `top' run several times before the bottom block runs? */
bool
climb::comes_again() const
{
	auto_vec<basic_block> work;
	auto_bitmap met;

	work.safe_push(top);
	while (!work.is_empty()) {
		edge e;
		edge_iterator ei;

		FOR_EACH_EDGE(e, ei, work.pop()->succs)
		{
			if (e->dest == top || work.length() > REGION_MAX)
				return true;
			if (e->dest != bottom &&
			    bitmap_set_bit(met, e->dest->index))
				work.safe_push(e->dest);
		}
	}
	return false;
}
