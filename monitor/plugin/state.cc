/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the thread's pointers are loaded into registers.
 *
 * Kept over calls they would cost registers that each function has to save, or
 * spills; loading them again is three instructions.  So they are loaded once
 * between calls: at an event, or further up where that runs less often (before
 * a loop), if no call can come between; later events without a call between
 * use the same.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"

#define REGION_MAX 64 /* blocks that are looked at for calls */
#define CLIMB_MAX 12 /* blocks to go up */

struct pointers {
	tree state, cells;
};

struct block_state {
	bool calls;	   /* something in it ends groups */
	bool known;	   /* `out' is right at its end */
	pointers out;
	auto_vec<group *> groups;
};

struct placement {
	vec<block_state *> blocks; /* by index */
};

static block_state *
state_of(placement *p, basic_block bb)
{
	return p->blocks[bb->index];
}

static bool
has_calls(basic_block bb)
{
	gimple_stmt_iterator gsi;

	for (gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
		if (access_ends_group(gsi_stmt(gsi)))
			return true;
	return false;
}

/* Is every way from the end of `top', which dominates, to `bb' free of calls?*/
static bool
is_free_between(placement *p, basic_block top, basic_block bb)
{
	auto_vec<basic_block> work;
	auto_bitmap seen;
	unsigned n = 0;

	work.safe_push(bb);
	while (!work.is_empty()) {
		basic_block at = work.pop();
		edge e;
		edge_iterator ei;

		FOR_EACH_EDGE (e, ei, at->preds) {
			if (e->src == top ||
			    !bitmap_set_bit(seen, e->src->index))
				continue;
			if ((e->flags & (EDGE_ABNORMAL | EDGE_EH)) ||
			    e->src->index < NUM_FIXED_BLOCKS ||
			    state_of(p, e->src)->calls || ++n > REGION_MAX)
				return false;
			work.safe_push(e->src);
		}
	}
	return true;
}

static double
frequency(basic_block bb)
{
	if (bb->count.initialized_p())
		return bb->count.to_frequency(cfun) + 1;
	return bb->loop_father ? 1 + 10 * bb_loop_depth(bb) : 1;
}

static bool
may_end_with_load(basic_block bb)
{
	gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb);

	return gsi_end_p(gsi) || !stmt_ends_bb_p(gsi_stmt(gsi)) ||
	       gimple_code(gsi_stmt(gsi)) == GIMPLE_COND ||
	       gimple_code(gsi_stmt(gsi)) == GIMPLE_SWITCH;
}

static pointers
load_at_end(basic_block bb)
{
	gimple_stmt_iterator gsi = gsi_last_bb(bb);
	bool before = !gsi_end_p(gsi) && stmt_ends_bb_p(gsi_stmt(gsi));
	pointers got;

	got.state = code_state(&gsi, !before, &got.cells);
	return got;
}

static pointers
load_before(gimple *stmt)
{
	gimple_stmt_iterator gsi = gsi_for_stmt(stmt);
	pointers got;

	got.state = code_state(&gsi, false, &got.cells);
	return got;
}

/* The pointers for the events of `bb' before its first call. */
static pointers
find_or_load(placement *p, basic_block bb, gimple *first)
{
	basic_block top = bb, best = bb;

	for (int i = 0; i < CLIMB_MAX; i++) {
		top = get_immediate_dominator(CDI_DOMINATORS, top);
		if (top == NULL || top->index < NUM_FIXED_BLOCKS ||
		    !is_free_between(p, top, bb))
			break;
		if (state_of(p, top)->known)
			return state_of(p, top)->out;
		if (may_end_with_load(top) && frequency(top) < frequency(best))
			best = top;
		if (state_of(p, top)->calls)
			break;
	}
	if (best == bb)
		return load_before(first);
	state_of(p, best)->out = load_at_end(best);
	state_of(p, best)->known = true;
	return state_of(p, best)->out;
}

static void
place_block(placement *p, basic_block bb)
{
	block_state *state = state_of(p, bb);
	unsigned segment = 0, i;
	bool have = false;
	pointers now = {};
	group *g;

	FOR_EACH_VEC_ELT (state->groups, i, g) {
		if (g->segment != segment)
			have = false;
		if (!have)
			now = g->segment == 0 && optimize
				      ? find_or_load(p, bb, g->first.stmt)
				      : load_before(g->first.stmt);
		have = true;
		segment = g->segment;
		g->state = now.state;
		g->cells = now.cells;
	}
	if (!have || !optimize)
		return;
	/* Any call behind the last event? */
	gimple_stmt_iterator gsi =
		gsi_for_stmt(state->groups.last()->first.stmt);

	for (; !gsi_end_p(gsi); gsi_next(&gsi))
		if (access_ends_group(gsi_stmt(gsi)))
			return;
	state->known = true;
	state->out = now;
}

static void
place_below(placement *p, basic_block top)
{
	auto_vec<basic_block> work;

	work.safe_push(top);
	while (!work.is_empty()) {
		basic_block bb = work.pop(), son;

		if (bb->index >= NUM_FIXED_BLOCKS)
			place_block(p, bb);
		for (son = first_dom_son(CDI_DOMINATORS, bb); son;
		     son = next_dom_son(CDI_DOMINATORS, son))
			work.safe_push(son);
	}
}

/* Gives each group its pointers.  Groups of a block come in its order. */
void
state_place(function *fun, vec<group *> *groups)
{
	placement p = { vNULL };
	basic_block bb;
	unsigned i;
	block_state *state;
	group *g;

	p.blocks.safe_grow_cleared(last_basic_block_for_fn(fun));
	FOR_EACH_BB_FN (bb, fun) {
		p.blocks[bb->index] = new block_state();
		p.blocks[bb->index]->calls = has_calls(bb);
	}
	FOR_EACH_VEC_ELT (*groups, i, g)
		state_of(&p, gimple_bb(g->first.stmt))->groups.safe_push(g);
	if (optimize) {
		calculate_dominance_info(CDI_DOMINATORS);
		place_below(&p, ENTRY_BLOCK_PTR_FOR_FN(fun));
	} else {
		FOR_EACH_BB_FN (bb, fun)
			place_block(&p, bb);
	}
	FOR_EACH_VEC_ELT (p.blocks, i, state)
		delete state;
	p.blocks.release();
}
