/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds the pieces of the code that is added.  The thread's words and pointers
 * never alias with the program's own memory, and the plugin tells gcc this.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"

#define NOW_OFFSET 8

/* A type of its own for the monitor's words. */
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

/* Is it memory that only the plugin's code accesses? */
bool
code_is_ours(tree ref)
{
	return (TREE_CODE(ref) == MEM_REF || TREE_CODE(ref) == TARGET_MEM_REF) &&
	       shared[SHARED_CELL_POINTER] &&
	       TREE_TYPE(TREE_OPERAND(ref, 1)) == shared[SHARED_CELL_POINTER];
}

/* The type of half a word. */
tree
code_half_type(void)
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
			  get_identifier(MEMMON_STATE_NAME),
			  code_cell_pointer());
	DECL_EXTERNAL(decl) = 1;
	TREE_PUBLIC(decl) = 1;
	TREE_READONLY(decl) = 1;
	DECL_ARTIFICIAL(decl) = 1;
	DECL_IGNORED_P(decl) = 1;
	set_decl_tls_model(decl, TLS_MODEL_INITIAL_EXEC);
	shared[SHARED_HERE] = decl;
	return decl;
}

/* Declares a function of the monitor. */
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
			gimple_build_assign(make_ssa_name(type), NOP_EXPR,
					    value),
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

/* Adds statements before another in its block. */
void
code_insert(gimple *before, gimple_seq seq)
{
	gimple_stmt_iterator gsi = gsi_for_stmt(before);

	gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
}

/* A cursor right before a statement. */
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

/* A cursor for code that runs on an edge. */
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
 * Ends the cursor's block with a branch to a new one, which is taken, with this
 * probability, if `value' isn't `other' (NE_EXPR) or is below it (LT_EXPR).
 * Both blocks continue at the cursor.
 */
static basic_block
branch(cursor *c, tree_code code, tree value, tree other,
       profile_probability taken)
{
	basic_block next = split_edge(c->out), side = create_empty_bb(c->bb);
	gimple *cond =
		gimple_build_cond(code, value, other, NULL_TREE, NULL_TREE);
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

/* Puts a statement behind another; it runs if `value' isn't 0. */
void
code_if(tree value, gimple *behind, gimple *stmt)
{
	gimple_stmt_iterator gsi;
	cursor c;
	basic_block side;

	c.where = gimple_location(behind);
	c.out = split_block(gimple_bb(behind), behind);
	c.bb = c.out->src;
	side = branch(&c, NE_EXPR, value, build_zero_cst(TREE_TYPE(value)),
		      profile_probability::even());
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

tree
code_part(tree type, tree pointer, HOST_WIDE_INT off)
{
	tree ref = build2(MEM_REF, type, pointer,
			  build_int_cst(code_cell_pointer(), off));

	TREE_THIS_NOTRAP(ref) = 1;
	return ref;
}

/* A word, or half of one, `off' bytes from its start. */
tree
code_cell(tree type, tree cells, const word_place &word, HOST_WIDE_INT off)
{
	tree ref =
		build5(TARGET_MEM_REF, type, cells,
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

/* The declaration of __memmon_range(). */
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

/* Tells gcc that no other pointer points to the memory of `pointer'. */
static void
set_private(tree pointer)
{
	tree object = create_tmp_var_raw(code_cell_type());

	pt_solution_set_var(&get_ptr_info(pointer)->pt, object);
}

/* Loads the pointer to the thread's state. */
tree
code_state(gimple_seq *seq)
{
	tree state = make_ssa_name(code_cell_pointer());

	if (!target_state(seq, state))
		code_add(seq, gimple_build_assign(state, state_variable()),
			 UNKNOWN_LOCATION);
	set_private(state);
	return state;
}

/* Loads the pointer to the words. */
tree
code_cells(gimple_seq *seq, tree state)
{
	tree ref = build2(MEM_REF, code_cell_pointer(), state,
			  build_int_cst(code_cell_pointer(), 0));
	tree cells;

	TREE_THIS_NOTRAP(ref) = 1;
	cells = code_load(seq, ref, UNKNOWN_LOCATION);
	set_private(cells);
	return cells;
}

/* Loads the upper half of the thread's `now'. */
tree
code_now(gimple_seq *seq, tree state, location_t where)
{
	tree ref = code_part(code_half_type(), state, NOW_OFFSET + UPPER);

	TREE_THIS_VOLATILE(ref) = 1;
	return code_load(seq, ref, where);
}

/*
 * A branch to code that runs, with this probability, if `value' isn't `other'
 * (NULL: 0).
 */
cursor
code_branch(cursor *c, tree value, tree other, profile_probability taken)
{
	if (other == NULL)
		other = build_zero_cst(TREE_TYPE(value));
	return cursor_in(branch(c, NE_EXPR, value, other, taken), c->where);
}

/*
 * A branch to code that runs if `value' is below `limit': usually, unless the
 * program was compiled for samples.
 */
cursor
code_below(cursor *c, tree value, tree limit)
{
	profile_probability taken =
		options.sample ? profile_probability::very_unlikely()
			       : profile_probability::likely();

	return cursor_in(branch(c, LT_EXPR, value, limit, taken), c->where);
}

/* The same, for code that rarely runs. */
cursor
code_side(cursor *c, tree value)
{
	return code_branch(c, value, NULL_TREE,
			   profile_probability::very_unlikely());
}
