/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An event's code, as in monitor/access/inline.h:
 *
 *	index = address >> 4 & cells[-1]
 *	if (upper half of cells[index] != that of state->now)
 *		touch(&cells[index])		(out of line)
 *	cells[index] += add
 *
 * Of places of one root that are a multiple of 16 bytes apart only the first
 * has an index of its own, if it is in reach.  `now' is read anew time and again (state.cc):
 * another thread changes it.  Nothing of this aliases with the program's own memory, and gcc
 * is told so.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"

#define UPPER 4 /* where the upper half of a word is */
#define NOW_OFFSET 8
#define MASK_OFFSET -8 /* from the words */

/* A type of its own for words of ours. */
tree
code_cell_type(void)
{
	if (shared[SHARED_CELL_TYPE] == NULL) {
		tree type =
			build_distinct_type_copy(long_long_unsigned_type_node);

		TYPE_ALIAS_SET(type) = new_alias_set();
		shared[SHARED_CELL_TYPE] = type;
		shared[SHARED_CELL_POINTER] = build_pointer_type(type);
	}
	return shared[SHARED_CELL_TYPE];
}

tree
code_cell_pointer(void)
{
	code_cell_type();
	return shared[SHARED_CELL_POINTER];
}

/* Is it memory that only code of the plugin's own accesses? */
bool
code_is_ours(tree ref)
{
	return (TREE_CODE(ref) == MEM_REF || TREE_CODE(ref) == TARGET_MEM_REF) &&
	       shared[SHARED_CELL_POINTER] &&
	       TREE_TYPE(TREE_OPERAND(ref, 1)) == shared[SHARED_CELL_POINTER];
}

/* Of the half of a word. */
static tree
half_type(void)
{
	if (shared[SHARED_HALF_TYPE] == NULL) {
		tree type = build_distinct_type_copy(unsigned_type_node);

		TYPE_ALIAS_SET(type) = TYPE_ALIAS_SET(code_cell_type());
		shared[SHARED_HALF_TYPE] = type;
	}
	return shared[SHARED_HALF_TYPE];
}

static tree
state_variable(void)
{
	tree decl = shared[SHARED_HERE];

	if (decl)
		return decl;
	decl = build_decl(UNKNOWN_LOCATION, VAR_DECL,
			  get_identifier(MEMMON_STATE_NAME), code_cell_pointer());
	DECL_EXTERNAL(decl) = 1;
	TREE_PUBLIC(decl) = 1;
	TREE_READONLY(decl) = 1;
	DECL_ARTIFICIAL(decl) = 1;
	DECL_IGNORED_P(decl) = 1;
	set_decl_tls_model(decl, TLS_MODEL_INITIAL_EXEC);
	shared[SHARED_HERE] = decl;
	return decl;
}

/* A function of the runtime. */
tree
code_function(const char *name, tree type)
{
	tree decl = build_fn_decl(name, type);

	TREE_NOTHROW(decl) = 1;
	DECL_ARTIFICIAL(decl) = 1;
	return decl;
}

tree
code_add(gimple_seq *seq, gimple *stmt, location_t where)
{
	gimple_set_location(stmt, where);
	gimple_seq_add_stmt(seq, stmt);
	return gimple_get_lhs(stmt);
}

tree
code_binary(gimple_seq *seq, tree_code code, tree a, tree b, location_t where)
{
	tree to = make_ssa_name(TREE_TYPE(a));

	return code_add(seq, gimple_build_assign(to, code, a, b), where);
}

tree
code_convert(gimple_seq *seq, tree type, tree value, location_t where)
{
	if (TREE_TYPE(value) == type)
		return value;
	return code_add(seq,
		      gimple_build_assign(make_ssa_name(type), NOP_EXPR, value),
		      where);
}

/* The address of an access plus delta, as an integer. */
tree
code_address(const deref *a, HOST_WIDE_INT delta, gimple_seq *seq)
{
	location_t where = gimple_location(a->stmt);
	gimple_seq some = NULL;
	tree at;

	delta += a->disp;
	if (TREE_CODE(a->ref) == SSA_NAME) {
		at = a->ref;
	} else if (TREE_CODE(a->ref) == MEM_REF) {
		at = TREE_OPERAND(a->ref, 0);
		delta += access_offset(TREE_OPERAND(a->ref, 1));
	} else {
		at = build1(ADDR_EXPR, ptr_type_node, unshare_expr(a->ref));
		at = force_gimple_operand(at, &some, true, NULL_TREE);
		gimple_seq_add_seq(seq, some);
	}
	at = code_convert(seq, sizetype, at, where);
	if (a->var) {
		tree var =
			force_gimple_operand(fold_convert(sizetype,
							  unshare_expr(a->var)),
					     &some, true, NULL_TREE);

		gimple_seq_add_seq(seq, some);
		at = code_binary(seq, PLUS_EXPR, at, var, where);
	}
	if (delta == 0)
		return at;
	return code_binary(seq, PLUS_EXPR, at, size_int(delta), where);
}

/* Opens a place for code right before a statement. */
cursor
code_before(gimple *stmt)
{
	cursor c;
	gimple_stmt_iterator gsi = gsi_for_stmt(stmt);
	gimple *nop = gimple_build_nop();

	c.where = gimple_location(stmt);
	gsi_insert_before(&gsi, nop, GSI_SAME_STMT);
	c.out = split_block(gimple_bb(nop), nop);
	c.bb = c.out->src;
	gsi = gsi_for_stmt(nop);
	gsi_remove(&gsi, true);
	return c;
}

/* The same for code that runs on an edge. */
cursor
code_on(edge e, location_t where)
{
	basic_block bb = split_edge(e);
	cursor c = { bb, single_succ_edge(bb), where };

	return c;
}

void
code_append(cursor *c, gimple_seq seq)
{
	gimple_stmt_iterator gsi = gsi_last_bb(c->bb);

	gsi_insert_seq_after(&gsi, seq, GSI_CONTINUE_LINKING);
}

/*
 * Ends the cursor's block with a branch to a new one, taken as often as said,
 * if `value' isn't `other'.  Both go on at the cursor.
 */
static basic_block
branch_on(cursor *c, tree value, tree other, profile_probability taken)
{
	basic_block next = split_edge(c->out), side = create_empty_bb(c->bb);
	gimple *cond = gimple_build_cond(NE_EXPR, value, other, NULL_TREE,
					 NULL_TREE);
	gimple_stmt_iterator gsi = gsi_last_bb(c->bb);
	edge to_next = find_edge(c->bb, next), to_side;

	gimple_set_location(cond, c->where);
	gsi_insert_after(&gsi, cond, GSI_NEW_STMT);
	to_next->flags &= ~EDGE_FALLTHRU;
	to_next->flags |= EDGE_FALSE_VALUE;
	to_next->probability = taken.invert();
	to_side = make_edge(c->bb, side, EDGE_TRUE_VALUE);
	to_side->probability = taken;
	side->count = c->bb->count.apply_probability(taken);
	make_single_succ_edge(side, next, EDGE_FALLTHRU);
	if (current_loops)
		add_bb_to_loop(side, next->loop_father);
	c->bb = next;
	c->out = single_succ_edge(next);
	return side;
}

static basic_block
branch(cursor *c, tree value, profile_probability taken)
{
	return branch_on(c, value, build_zero_cst(TREE_TYPE(value)), taken);
}

/* Rare enough to be put out of the way. */
static profile_probability
slightly(void)
{
	return profile_probability::from_reg_br_prob_base(REG_BR_PROB_BASE /
							  50);
}

/* Puts a statement behind another, to be run if `value' isn't 0. */
void
code_if(tree value, gimple *behind, gimple *stmt)
{
	gimple_stmt_iterator gsi;
	cursor c;
	basic_block side;

	c.where = gimple_location(behind);
	c.out = split_block(gimple_bb(behind), behind);
	c.bb = c.out->src;
	side = branch(&c, value, profile_probability::even());
	gsi = gsi_last_bb(side);
	gsi_insert_after(&gsi, stmt, GSI_NEW_STMT);
	free_dominance_info(CDI_DOMINATORS);
	free_dominance_info(CDI_POST_DOMINATORS);
}

static cursor
cursor_in(basic_block bb, location_t where)
{
	cursor c = { bb, single_succ_edge(bb), where };

	return c;
}

static tree
part_at(tree type, tree pointer, HOST_WIDE_INT off)
{
	tree ref = build2(MEM_REF, type, pointer,
			  build_int_cst(code_cell_pointer(), off));

	TREE_THIS_NOTRAP(ref) = 1;
	return ref;
}

/* A word, or the half of one, `off' bytes from its start. */
static tree
cell_at(tree type, tree cells, const word_place &word, HOST_WIDE_INT off)
{
	tree ref = build5(TARGET_MEM_REF, type, cells,
			  build_int_cst(code_cell_pointer(), 8 * word.words + off),
			  word.index, size_int(8), NULL_TREE);

	TREE_THIS_NOTRAP(ref) = 1;
	return ref;
}

tree
code_load(gimple_seq *seq, tree ref, location_t where)
{
	tree to = make_ssa_name(TREE_TYPE(ref));

	return code_add(seq, gimple_build_assign(to, ref), where);
}

/* touch() where the CPU has no better way: an ordinary call. */
static void
call_touch(cursor *c, tree cell, tree ref)
{
	gimple_seq seq = NULL;
	gimple *call;

	if (shared[SHARED_TOUCH] == NULL)
		shared[SHARED_TOUCH] =
			code_function("__memmon_touch",
				      build_function_type_list(code_cell_type(),
							       code_cell_pointer(),
							       NULL_TREE));
	call = gimple_build_call(shared[SHARED_TOUCH], 1, cell);
	gimple_call_set_lhs(call, make_ssa_name(code_cell_type()));
	code_add(&seq, call, c->where);
	code_add(&seq, gimple_build_assign(ref, gimple_call_lhs(call)), c->where);
	code_append(c, seq);
}

/* Where events of a group get code: the cursor, and what is known there. */
struct emission {
	cursor c;
	const group *g;
	tree index[GRANULE]; /* as the group's */

	emission(const cursor &at, const group *of) : c(at), g(of), index()
	{
		for (const group *b = of->before; b; b = b->before)
			for (unsigned i = 0; i < GRANULE; i++)
				if (index[i] == NULL)
					index[i] = b->index[i];
	}
};

/* Which word is that of an address. */
static word_place
word_of(gimple_seq *seq, const group *g, tree address, location_t where)
{
	tree mask, index;

	index = code_binary(seq, RSHIFT_EXPR, address,
			    build_int_cst(integer_type_node,
					  MEMMON_GRANULE_SHIFT),
			    where);
	mask = code_load(seq, part_at(code_cell_type(), g->cells, MASK_OFFSET),
			 where);
	index = code_binary(seq, BIT_AND_EXPR, index,
			    code_convert(seq, sizetype, mask, where), where);
	return { index, 0 };
}

/* Which word an event counts in that is in one granule. */
static word_place
word_of_event(gimple_seq *seq, emission *m, const event &e)
{
	const deref *a = &m->g->first;
	HOST_WIDE_INT rest = e.from & (GRANULE - 1);
	HOST_WIDE_INT words = (e.from - rest) / GRANULE;
	location_t where = m->c.where;

	if (e.kind != EVENT_ONE || !IN_RANGE(words, 0, MEMMON_BESIDE))
		return word_of(seq, m->g, code_address(a, e.off - a->off, seq),
			       where);
	if (m->index[rest] == NULL)
		m->index[rest] = word_of(seq, m->g,
					 code_address(a, rest - a->off, seq),
					 where)
					 .index;
	return { m->index[rest], words };
}

/* Adds to a word that needs no check. */
static void
add_to(gimple_seq *seq, tree cells, const word_place &word, const event &e,
       location_t where)
{
	unsigned HOST_WIDE_INT add =
		(unsigned HOST_WIDE_INT)e.reads * MEMMON_READ +
		(unsigned HOST_WIDE_INT)e.writes * MEMMON_WRITE;
	tree x = code_load(seq, cell_at(code_cell_type(), cells, word, 0), where);

	x = code_binary(seq, PLUS_EXPR, x, build_int_cst(code_cell_type(), add),
			where);
	code_add(seq, gimple_build_assign(cell_at(code_cell_type(), cells, word, 0),
					x),
	       where);
}

/* touch() for a word, on the way that is taken if it doesn't fit. */
static void
emit_touch(cursor side, tree cells, const word_place &word)
{
	tree pointer = make_ssa_name(code_cell_pointer()), at;
	gimple_seq seq = NULL;

	at = code_binary(&seq, MULT_EXPR, word.index, size_int(8), side.where);
	if (word.words)
		at = code_binary(&seq, PLUS_EXPR, at, size_int(8 * word.words),
				 side.where);
	code_add(&seq,
	       gimple_build_assign(pointer, POINTER_PLUS_EXPR, cells, at),
	       side.where);
	code_append(&side, seq);
	if (target_has_touch())
		target_touch(&side, pointer, part_at(code_cell_type(), pointer, 0));
	else
		call_touch(&side, pointer, part_at(code_cell_type(), pointer, 0));
}

/* Counts in a word, behind the code that finds it. */
static void
emit_one(emission *m, gimple_seq seq, const word_place &word, const event &e)
{
	cursor *c = &m->c;
	tree cells = m->g->cells, half;

	figures.events++;
	half = code_load(&seq, cell_at(half_type(), cells, word, UPPER),
			 c->where);
	code_append(c, seq);
	emit_touch(cursor_in(branch_on(c, half, m->g->now,
				       profile_probability::very_unlikely()),
			     c->where),
		   cells, word);
	seq = NULL;
	add_to(&seq, cells, word, e, c->where);
	code_append(c, seq);
}

/* The same for the last byte's granule, if it isn't the first's. */
static void
emit_other(emission *m, tree first, const event &e)
{
	cursor *c = &m->c;
	gimple_seq seq = NULL;
	tree last, x;
	word_place word;
	emission side = *m;

	last = code_binary(&seq, PLUS_EXPR, first, size_int(e.more - 1),
			   c->where);
	x = code_binary(&seq, BIT_XOR_EXPR, first, last, c->where);
	x = code_binary(&seq, RSHIFT_EXPR, x,
			build_int_cst(integer_type_node, MEMMON_GRANULE_SHIFT),
			c->where);
	code_append(c, seq);
	side.c = cursor_in(branch(c, x, slightly()), c->where);
	seq = NULL;
	word = word_of(&seq, m->g, last, c->where);
	emit_one(&side, seq, word, e);
}

/* __memmon_range(), for a call of it. */
tree
code_range(void)
{
	if (shared[SHARED_RANGE] == NULL)
		shared[SHARED_RANGE] = code_function(
			"__memmon_range",
			build_function_type_list(void_type_node, ptr_type_node,
						 sizetype, uint32_type_node,
						 uint32_type_node, NULL_TREE));
	figures.ranges++;
	return shared[SHARED_RANGE];
}

void
code_call_range(cursor *c, tree address, tree size, unsigned reads,
		unsigned writes)
{
	gimple_seq seq = NULL, some = NULL;
	tree pointer;

	pointer = code_convert(&seq, ptr_type_node, address, c->where);
	size = force_gimple_operand(fold_convert(sizetype, unshare_expr(size)),
				    &some, true, NULL_TREE);
	gimple_seq_add_seq(&seq, some);
	code_add(&seq,
	       gimple_build_call(code_range(), 4, pointer, size,
				 build_int_cst(uint32_type_node, reads),
				 build_int_cst(uint32_type_node, writes)),
	       c->where);
	code_append(c, seq);
}

/* An event whose granule needs no check. */
static void
add_covered(gimple_seq *seq, emission *m, const event &e)
{
	figures.covered++;
	if (covered_index(&e))
		add_to(seq, e.covering->cells, e.cover->word, e, m->c.where);
	else
		add_to(seq, m->g->cells, word_of_event(seq, m, e), e,
		       m->c.where);
}

static void
emit_event(emission *m, event *e)
{
	const deref *a = &m->g->first;
	gimple_seq seq = NULL;
	tree at;

	switch (e->kind) {
	case EVENT_RANGE:
		at = code_address(a, e->off - a->off, &seq);
		code_append(&m->c, seq);
		code_call_range(&m->c, at,
				e->more < 0 ? a->length : size_int(e->more),
				e->reads, e->writes);
		break;
	case EVENT_PAIR:
		at = code_address(a, e->off - a->off, &seq);
		e->word = word_of(&seq, m->g, at, m->c.where);
		emit_one(m, seq, e->word, *e);
		emit_other(m, at, *e);
		break;
	case EVENT_ONE:
		e->word = word_of_event(&seq, m, *e);
		emit_one(m, seq, e->word, *e);
		break;
	}
}

/* Leaves the cursor behind them. */
static void
emit_events(cursor *c, group *g, vec<event> *events)
{
	emission m(*c, g);

	for (unsigned i = 0; i < events->length(); i++) {
		event *e = &(*events)[i];
		gimple_seq seq = NULL;

		if (e->cover) {
			add_covered(&seq, &m, *e);
			code_append(&m.c, seq);
		} else {
			emit_event(&m, e);
		}
	}
	*c = m.c;
	if (!g->test_align)
		memcpy(g->index, m.index, sizeof(g->index));
}

/* A group that needs no branch. */
static void
emit_all_covered(group *g)
{
	gimple_stmt_iterator gsi = gsi_for_stmt(g->first.stmt);
	emission m({ NULL, NULL, gimple_location(g->first.stmt) }, g);
	gimple_seq seq = NULL;

	for (unsigned i = 0; i < g->events.length(); i++)
		add_covered(&seq, &m, g->events[i]);
	gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
}

/* A group's events, in both ways if its root's alignment is tested. */
void
code_group(group *g)
{
	gimple_seq seq = NULL;
	cursor c, side;
	tree x;

	if (covered_all(g)) {
		emit_all_covered(g);
		return;
	}
	c = code_before(g->first.stmt);
	if (!g->test_align) {
		emit_events(&c, g, &g->events);
		return;
	}
	figures.checks++;
	x = code_address(&g->first, -g->first.off, &seq);
	x = code_binary(&seq, BIT_AND_EXPR, x, size_int(GRANULE - 1), c.where);
	code_append(&c, seq);
	side = cursor_in(branch(&c, x, slightly()), c.where);
	redirect_edge_succ(side.out, split_edge(c.out));
	c.out = single_succ_edge(c.bb);
	emit_events(&side, g, &g->events);
	emit_events(&c, g, &g->aligned);
}

/* gcc is to know that what `pointer' points to is nobody else's. */
static void
set_private(tree pointer)
{
	tree object = create_tmp_var_raw(code_cell_type());

	pt_solution_set_var(&get_ptr_info(pointer)->pt, object);
}

/* Loads the thread's pointers before or behind a statement. */
tree
code_state(gimple_stmt_iterator *gsi, bool after, tree *cells)
{
	tree state = make_ssa_name(code_cell_pointer());
	gimple_seq seq = NULL;
	tree ref;

	code_add(&seq, gimple_build_assign(state, state_variable()),
	       UNKNOWN_LOCATION);
	set_private(state);
	ref = build2(MEM_REF, code_cell_pointer(), state,
		     build_int_cst(code_cell_pointer(), 0));
	TREE_THIS_NOTRAP(ref) = 1;
	*cells = code_load(&seq, ref, UNKNOWN_LOCATION);
	set_private(*cells);
	if (after)
		gsi_insert_seq_after(gsi, seq, GSI_CONTINUE_LINKING);
	else
		gsi_insert_seq_before(gsi, seq, GSI_SAME_STMT);
	return state;
}

/* The upper half of the thread's `now', as it is before a statement. */
tree
code_now(gimple *before, tree state)
{
	gimple_stmt_iterator gsi = gsi_for_stmt(before);
	tree ref = part_at(half_type(), state, NOW_OFFSET + UPPER), now;
	gimple_seq seq = NULL;

	TREE_THIS_VOLATILE(ref) = 1;
	now = code_load(&seq, ref, gimple_location(before));
	gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
	return now;
}

/* A place for code that runs, seldom, if `value' isn't 0. */
cursor
code_side(cursor *c, tree value)
{
	return cursor_in(branch(c, value, profile_probability::very_unlikely()),
			 c->where);
}
