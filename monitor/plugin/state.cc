/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the thread's pointers, and its `now', are loaded into registers.
 *
 * Pointers that live across calls would cost registers that each function has
 * to save, or spills; loading them again takes three instructions.  So code
 * between two calls loads them once: at an event, or further up if that runs
 * less often (before a loop) and no call can come between.  Later events before
 * the next call use the same registers.  `now' isn't kept across a loop, which
 * may run long.
 *
 * A program that was compiled for samples loads only the state here.  The code
 * behind a guard, which runs rarely, loads the rest.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"

struct pointers {
	tree state, cells;
	tree now; /* NULL: not loaded */
};

struct block_state {
	bool known;	   /* `out' is right at the block's end */
	pointers out;
	auto_vec<group *> groups;
};

struct placement {
	vec<block_state *> blocks; /* by index */
	const regions *all;
};

static block_state *
state_of(placement *p, basic_block bb)
{
	return p->blocks[bb->index];
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

/* Loads what the events of a block share. */
static pointers
load(gimple_seq *seq)
{
	pointers got = {};

	got.state = code_state(seq);
	if (!options.sample)
		got.cells = code_cells(seq, got.state);
	return got;
}

static pointers
load_at_end(basic_block bb)
{
	gimple_stmt_iterator gsi = gsi_last_bb(bb);
	gimple_seq seq = NULL;
	pointers got = load(&seq);

	if (!gsi_end_p(gsi) && stmt_ends_bb_p(gsi_stmt(gsi)))
		gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
	else
		gsi_insert_seq_after(&gsi, seq, GSI_CONTINUE_LINKING);
	return got;
}

static pointers
load_before(gimple *stmt)
{
	gimple_seq seq = NULL;
	pointers got = load(&seq);

	code_insert(stmt, seq);
	return got;
}

static tree
load_now(gimple *before, tree state)
{
	gimple_seq seq = NULL;
	tree now = code_now(&seq, state, gimple_location(before));

	code_insert(before, seq);
	return now;
}

/* The pointers for the events of `bb' before its first call. */
static pointers
find_or_load(placement *p, basic_block bb, gimple *first)
{
	climb c(p->all, bb);
	basic_block best = bb;

	while (c.up()) {
		if (state_of(p, c.top)->known) {
			pointers got = state_of(p, c.top)->out;

			if (c.rounds)
				got.now = NULL_TREE;
			return got;
		}
		if (may_end_with_load(c.top) &&
		    frequency(c.top) < frequency(best))
			best = c.top;
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

	FOR_EACH_VEC_ELT(state->groups, i, g)
	{
		if (g->segment != segment)
			have = false;
		if (!have)
			now = g->segment == 0 && optimize
				      ? find_or_load(p, bb, g->first.stmt)
				      : load_before(g->first.stmt);
		if (now.now == NULL && !options.sample)
			now.now = load_now(g->first.stmt, now.state);
		have = true;
		segment = g->segment;
		g->state = now.state;
		g->cells = now.cells;
		g->now = now.now;
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

/* Gives each group its pointers.  Groups of a block are in the block's
 * order. */
void
state_place(function *fun, const regions *all, vec<group *> *groups)
{
	placement p = { vNULL, all };
	basic_block bb;
	unsigned i;
	block_state *state;
	group *g;

	p.blocks.safe_grow_cleared(last_basic_block_for_fn(fun));
	FOR_EACH_BB_FN(bb, fun)
	p.blocks[bb->index] = new block_state();
	FOR_EACH_VEC_ELT(*groups, i, g)
	if (!covered_all(g))
		state_of(&p, gimple_bb(g->first.stmt))->groups.safe_push(g);
	if (optimize)
		place_below(&p, ENTRY_BLOCK_PTR_FOR_FN(fun));
	else
		FOR_EACH_BB_FN(bb, fun)
	place_block(&p, bb);
	FOR_EACH_VEC_ELT(p.blocks, i, state)
	delete state;
	p.blocks.release();
}
