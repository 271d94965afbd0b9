/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects on the stack: where the life of one begins and ends.  gcc says where
 * it ends, by clobbers.  It begins at a block before all statements that
 * mention the object, in the loop that it dies in.  An object without a clobber
 * lives from the function's start to its end.  Memory of alloca() dies with the
 * function.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/events.h"

struct object {
	tree decl;
	basic_block top;	    /* runs before all blocks that mention it */
	auto_vec<basic_block> ends; /* blocks where it dies */
};

struct objects {
	basic_block bb; /* the block at work */
	std::vector<object *> all;
	hash_map<tree, object *> known;
};

static bool
is_object(function *fun, tree decl)
{
	tree size = DECL_SIZE_UNIT(decl);

	return (VAR_P(decl) || TREE_CODE(decl) == PARM_DECL) &&
	       decl_function_context(decl) == fun->decl &&
	       !is_global_var(decl) && access_is_in_memory(decl) &&
	       !DECL_HAS_VALUE_EXPR_P(decl) && size && tree_fits_uhwi_p(size) &&
	       !integer_zerop(size);
}

/* May the function have some? */
bool
events_has_stack(const events_function *f)
{
	unsigned i;
	tree decl;

	for (decl = DECL_ARGUMENTS(f->fun->decl); decl; decl = DECL_CHAIN(decl))
		if (is_object(f->fun, decl))
			return true;
	FOR_EACH_LOCAL_DECL(f->fun, i, decl)
	if (is_object(f->fun, decl))
		return true;
	return false;
}

/* Does an object die here? */
static bool
is_end(gimple *stmt)
{
	if (!gimple_clobber_p(stmt) || !DECL_P(gimple_assign_lhs(stmt)))
		return false;
#if GCCPLUGIN_VERSION >= 14000
	return CLOBBER_KIND(gimple_assign_rhs1(stmt)) == CLOBBER_STORAGE_END;
#elif GCCPLUGIN_VERSION >= 12000
	return CLOBBER_KIND(gimple_assign_rhs1(stmt)) == CLOBBER_EOL;
#else
	return true;
#endif
}

static tree
mention(tree *tp, int *, void *data)
{
	objects *o = static_cast<objects *>(
		static_cast<walk_stmt_info *>(data)->info);
	object **known = DECL_P(*tp) ? o->known.get(*tp) : NULL;

	if (known && (*known)->top)
		(*known)->top = nearest_common_dominator(CDI_DOMINATORS,
							 (*known)->top, o->bb);
	else if (known)
		(*known)->top = o->bb;
	return NULL_TREE;
}

static void
find_mentions(events_function *f, objects *o)
{
	walk_stmt_info info = {};
	basic_block bb;

	info.info = o;
	FOR_EACH_BB_FN(bb, f->fun)
	{
		edge e;
		edge_iterator ei;

		o->bb = bb;
		for (gimple_stmt_iterator gsi = gsi_start_bb(bb);
		     !gsi_end_p(gsi); gsi_next(&gsi)) {
			gimple *stmt = gsi_stmt(gsi);
			object **known =
				is_end(stmt)
					? o->known.get(gimple_assign_lhs(stmt))
					: NULL;

			if (known)
				(*known)->ends.safe_push(bb);
			else if (!is_gimple_debug(stmt) &&
				 !gimple_clobber_p(stmt))
				walk_gimple_op(stmt, mention, &info);
		}
		FOR_EACH_EDGE(e, ei, bb->succs)
		for (gphi_iterator psi = gsi_start_phis(e->dest);
		     !gsi_end_p(psi); gsi_next(&psi))
			walk_tree(gimple_phi_arg_def_ptr(psi.phi(),
							 e->dest_idx),
				  mention, &info, NULL);
	}
}

/* The object lives in the innermost loop that it dies in. */
static basic_block
birth_place(const object *o)
{
	basic_block top = o->top;
	class loop *l = top->loop_father;

	while (loop_outer(l)) {
		bool dies = false;

		for (unsigned i = 0; i < o->ends.length(); i++)
			dies |= flow_bb_inside_loop_p(l, o->ends[i]);
		if (dies)
			break;
		top = get_immediate_dominator(CDI_DOMINATORS, l->header);
		l = top->loop_father;
	}
	return top;
}

static gimple *
first_mention(basic_block bb, object *o)
{
	walk_stmt_info info = {};
	objects one;

	one.bb = bb;
	info.info = &one;
	one.known.put(o->decl, o);
	for (gimple_stmt_iterator gsi = gsi_start_nondebug_after_labels_bb(bb);
	     !gsi_end_p(gsi); gsi_next_nondebug(&gsi)) {
		o->top = NULL;
		walk_gimple_op(gsi_stmt(gsi), mention, &info);
		if (o->top)
			return gsi_stmt(gsi);
	}
	return NULL;
}

static events_draft
draft(events_function *f, unsigned kind, tree decl)
{
	events_draft d = {};

	d.kind = kind;
	d.place = f->objects[decl];
	d.size = tree_to_uhwi(DECL_SIZE_UNIT(decl));
	if (kind == MEMMON_EVENT_STACK_ALLOC &&
	    d.size >= MEMMON_EVENT_SIZE_MAX && wanted.has(kind, EVENTS_SIZE))
		d.value = size_int(d.size);
	if (wanted.has(kind, EVENTS_ADDRESS) && access_place(&d.at, decl))
		d.source = FROM_ACCESS;
	return d;
}

static void
add_free(events_function *f, basic_block bb, const object *o)
{
	gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb);

	if (o->ends.is_empty() && wanted.has(MEMMON_EVENT_STACK_FREE) &&
	    !gsi_end_p(gsi) && gimple_code(gsi_stmt(gsi)) == GIMPLE_RETURN)
		f->end_of(bb).insert(f->end_of(bb).begin(),
				     draft(f, MEMMON_EVENT_STACK_FREE,
					   o->decl));
}

/* Gives an object its place, and the statement where its life begins. */
static void
add_object(events_function *f, basic_block first, object *o)
{
	basic_block top = o->ends.is_empty() ? first : birth_place(o), bb;
	gimple *stmt = top == first ? NULL : first_mention(top, o);

	if (!events_in_scope(f, top, DECL_SOURCE_LOCATION(o->decl)))
		return;
	f->objects[o->decl] =
		events_place(f, MEMMON_EVENT_STACK_ALLOC, top,
			     DECL_SOURCE_LOCATION(o->decl), o->decl,
			     tree_to_uhwi(DECL_SIZE_UNIT(o->decl)));
	if (wanted.has(MEMMON_EVENT_STACK_ALLOC)) {
		events_draft d = draft(f, MEMMON_EVENT_STACK_ALLOC, o->decl);

		if (top == first)
			f->start_of(top).push_back(d);
		else if (stmt)
			f->born_before[stmt].push_back(d);
		else
			f->end_of(top).push_back(d);
	}
	FOR_EACH_BB_FN(bb, f->fun)
	add_free(f, bb, o);
}

/* Adds events behind the function's entry and before its returns. */
void
events_find_stack(events_function *f)
{
	basic_block first = ENTRY_BLOCK_PTR_FOR_FN(f->fun)->next_bb;
	objects o;
	unsigned i;
	tree decl;

	for (decl = DECL_ARGUMENTS(f->fun->decl); decl; decl = DECL_CHAIN(decl))
		if (is_object(f->fun, decl))
			o.all.push_back(new object{ decl, NULL, {} });
	FOR_EACH_LOCAL_DECL(f->fun, i, decl)
	if (is_object(f->fun, decl))
		o.all.push_back(new object{ decl, NULL, {} });
	for (object *one : o.all)
		o.known.put(one->decl, one);
	find_mentions(f, &o);
	for (object *one : o.all) {
		if (one->top)
			add_object(f, first, one);
		delete one;
	}
}

/* Adds a statement's events of objects. */
void
events_add_stack(events_function *f, gimple *stmt, events_made *m)
{
	auto born = f->born_before.find(stmt);
	events_draft d = {};

	if (born != f->born_before.end())
		m->before = born->second;
	if (is_end(stmt) && wanted.has(MEMMON_EVENT_STACK_FREE) &&
	    f->objects.count(gimple_assign_lhs(stmt)))
		m->before.push_back(draft(f, MEMMON_EVENT_STACK_FREE,
					  gimple_assign_lhs(stmt)));
	if (!gimple_call_builtin_p(stmt, BUILT_IN_NORMAL) ||
	    !ALLOCA_FUNCTION_CODE_P(
		    DECL_FUNCTION_CODE(gimple_call_fndecl(stmt))) ||
	    !gimple_call_lhs(stmt) || !wanted.has(MEMMON_EVENT_STACK_ALLOC))
		return;
	d.kind = MEMMON_EVENT_STACK_ALLOC;
	d.size = MEMMON_EVENT_SIZE_MAX;
	d.place =
		events_place(f, d.kind, gimple_bb(stmt), gimple_location(stmt),
			     TREE_TYPE(TREE_TYPE(gimple_call_lhs(stmt))), 0);
	if (wanted.has(d.kind, EVENTS_ADDRESS)) {
		d.source = FROM_VALUE;
		d.pointer = gimple_call_lhs(stmt);
	}
	if (wanted.has(d.kind, EVENTS_SIZE))
		d.value = gimple_call_arg(stmt, 0);
	m->behind.push_back(d);
}
