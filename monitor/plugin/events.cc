/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events for profiling modules.  This pass runs when the compiler has removed
 * redundant code and hasn't changed loops yet.  So accesses, loops and
 * iterations are those of the source, except those that were optimized away.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/events.h"

events_wanted wanted;
static std::string modules, workers;

std::string
events_modules(void)
{
	return modules + workers;
}

/* false: not an option of events. */
bool
events_option(const char *key, const char *value)
{
	std::string bad;

	if (strcmp(key, "modules") == 0 && value) {
		modules = value;
		return true;
	}
	if (strcmp(key, "workers") == 0 && value) {
		workers = " workers=";
		workers += value;
		return true;
	}
	if (strcmp(key, "only") == 0 && value) {
		scope.add_function(value);
		return true;
	}
	if (strcmp(key, "loop") == 0 && value) {
		if (!scope.add_loop(value))
			error("memmon: not FILE:LINE: %qs", value);
		return true;
	}
	if (strcmp(key, "events") != 0 || value == NULL)
		return false;
	bad = wanted.add(value);
	if (!bad.empty())
		error("memmon: no such event: %qs", bad.c_str());
	return true;
}

bool
events_are_wanted(void)
{
	return wanted.all() != 0;
}

/* ----------------------------------------------------------- statements -- */

/* Is it only an atomic load, or only an atomic store? */
static bool
is_atomic(gimple *stmt, bool stores)
{
	built_in_function first =
		stores ? BUILT_IN_ATOMIC_STORE_1 : BUILT_IN_ATOMIC_LOAD_1;
	int code;

	if (!gimple_call_builtin_p(stmt, BUILT_IN_NORMAL))
		return false;
	code = DECL_FUNCTION_CODE(gimple_call_fndecl(stmt));
	return code >= first && code <= first + 3;
}

/* The value that is stored or loaded. */
static tree
value_of(gimple *stmt, bool stores)
{
	tree value = NULL_TREE;

	if (!stores && stmt_ends_bb_p(stmt))
		return NULL_TREE;
	if (gimple_assign_single_p(stmt))
		value = stores ? gimple_assign_rhs1(stmt)
			       : gimple_assign_lhs(stmt);
	else if (is_atomic(stmt, stores))
		value = stores ? gimple_call_arg(stmt, 1)
			       : gimple_call_lhs(stmt);
	return value && events_has_value(value) ? value : NULL_TREE;
}

static tree
accessed(gimple *stmt, bool stores, const deref &a)
{
	if (gimple_assign_single_p(stmt))
		return stores ? gimple_assign_lhs(stmt)
			      : gimple_assign_rhs1(stmt);
	if (TREE_CODE(a.ref) == SSA_NAME)
		return TREE_TYPE(TREE_TYPE(a.ref));
	return a.ref;
}

static events_draft
draft_access(events_function *f, gimple *stmt, const deref &a, unsigned kind)
{
	bool stores = kind == MEMMON_EVENT_STORE;
	events_draft d = {};

	d.kind = kind;
	d.size = a.size < 0 ? MEMMON_EVENT_SIZE_MAX : a.size;
	d.place = events_place(f, kind, gimple_bb(stmt), gimple_location(stmt),
			       accessed(stmt, stores, a),
			       a.size < 0 ? 0 : a.size);
	if (wanted.has(kind, EVENTS_ADDRESS)) {
		d.source = FROM_ACCESS;
		d.at = a;
	}
	if (d.size >= MEMMON_EVENT_SIZE_MAX) {
		if (wanted.has(kind, EVENTS_SIZE))
			d.value = a.length ? a.length : size_int(a.size);
	} else if (wanted.has(kind, EVENTS_VALUE)) {
		d.value = value_of(stmt, stores);
		d.late_value = !stores;
	}
	return d;
}

static void
add_accesses(events_function *f, gimple *stmt, events_made *m)
{
	auto_vec<deref> all;
	unsigned i;
	deref *a;

	access_collect(stmt, &all);
	builtins_copies(stmt, &all);
	FOR_EACH_VEC_ELT(all, i, a)
	{
		/* A call writes its result when it returns. */
		bool late = is_gimple_call(stmt) && gimple_get_lhs(stmt) &&
			    a->ref == get_base_address(gimple_get_lhs(stmt));

		if (a->reads && wanted.has(MEMMON_EVENT_LOAD))
			m->before.push_back(
				draft_access(f, stmt, *a, MEMMON_EVENT_LOAD));
		if (a->writes && wanted.has(MEMMON_EVENT_STORE))
			(late ? m->behind : m->before)
				.push_back(draft_access(f, stmt, *a,
							MEMMON_EVENT_STORE));
	}
}

static events_draft
draft_pointer(events_function *f, basic_block bb, location_t where,
	      tree pointer)
{
	events_draft d = {};

	d.kind = MEMMON_EVENT_POINTER;
	d.place = events_place(f, d.kind, bb, where, TREE_TYPE(pointer), 0);
	if (wanted.has(d.kind, EVENTS_ADDRESS)) {
		d.source = FROM_VALUE;
		d.pointer = pointer;
	}
	return d;
}

/* Does this statement make a pointer from something else? */
static bool
makes_pointer(gimple *stmt)
{
	tree to = gimple_get_lhs(stmt);

	if (to == NULL || TREE_CODE(to) != SSA_NAME ||
	    !POINTER_TYPE_P(TREE_TYPE(to)))
		return false;
	if (is_gimple_call(stmt) || gimple_assign_load_p(stmt))
		return true;
	return gimple_assign_cast_p(stmt) &&
	       !POINTER_TYPE_P(TREE_TYPE(gimple_assign_rhs1(stmt)));
}

static events_made
look_at(events_function *f, gimple *stmt)
{
	events_made m;

	if (is_gimple_debug(stmt))
		return m;
	if (!f->objects.empty() || wanted.has(MEMMON_EVENT_STACK_ALLOC))
		events_add_stack(f, stmt, &m);
	if (gimple_clobber_p(stmt) ||
	    !events_in_scope(f, gimple_bb(stmt), gimple_location(stmt)))
		return m;
	if (wanted.has(MEMMON_EVENT_LOAD) || wanted.has(MEMMON_EVENT_STORE))
		add_accesses(f, stmt, &m);
	if (wanted.has(MEMMON_EVENT_POINTER) && makes_pointer(stmt))
		m.behind.push_back(draft_pointer(f, gimple_bb(stmt),
						 gimple_location(stmt),
						 gimple_get_lhs(stmt)));
	if (is_gimple_call(stmt) &&
	    (gimple_call_flags(stmt) & ECF_RETURNS_TWICE)) {
		m.before.clear();
		if (wanted.has(MEMMON_EVENT_RESUME))
			m.behind.push_back(
				events_of_frame(MEMMON_EVENT_RESUME, f->place));
	}
	return m;
}

/* --------------------------------------------------------------- blocks -- */

/* Events behind a block's last statement go on the edges out of the block. */
static void
find_late(events_function *f)
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, f->fun)
	{
		gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb);

		if (!gsi_end_p(gsi) && stmt_ends_bb_p(gsi_stmt(gsi)))
			f->ends[gsi_stmt(gsi)] = look_at(f, gsi_stmt(gsi));
	}
	for (auto &end : f->ends) {
		edge e = find_fallthru_edge(gimple_bb(end.first)->succs);

		if (e)
			events_on(f, e, end.second.behind);
		end.second.behind.clear();
	}
}

static void
add_all(events_function *f, events_block **open,
	const std::vector<events_draft> &all, gimple *where, bool behind)
{
	for (const events_draft &d : all)
		events_add(f, open, d, where, behind);
}

static gimple *
put_nop(events_function *f, gimple_stmt_iterator gsi, bool behind)
{
	gimple *nop = gimple_build_nop();

	if (behind)
		gsi_insert_after(&gsi, nop, GSI_SAME_STMT);
	else
		gsi_insert_before(&gsi, nop, GSI_SAME_STMT);
	f->nops.push_back(nop);
	return nop;
}

/* Events at a block's end go before the statement that ends it. */
static gimple *
put_last(events_function *f, basic_block bb)
{
	gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb);
	bool ends = !gsi_end_p(gsi) && stmt_ends_bb_p(gsi_stmt(gsi));

	if (gsi_end_p(gsi) || gimple_code(gsi_stmt(gsi)) == GIMPLE_LABEL)
		return put_nop(f, gsi_after_labels(bb), false);
	return put_nop(f, gsi, !ends);
}

static void
walk(events_function *f, basic_block bb)
{
	gimple *last = f->end_of(bb).empty() ? NULL : put_last(f, bb);
	events_block *open = NULL;
	auto_vec<gimple *> stmts;
	gimple *stmt;
	unsigned i;

	for (gimple_stmt_iterator gsi = gsi_start_nondebug_after_labels_bb(bb);
	     !gsi_end_p(gsi); gsi_next_nondebug(&gsi))
		stmts.safe_push(gsi_stmt(gsi));
	if (!f->start_of(bb).empty())
		add_all(f, &open, f->start_of(bb),
			put_nop(f, gsi_after_labels(bb), false), true);
	FOR_EACH_VEC_ELT(stmts, i, stmt)
	{
		auto end = f->ends.find(stmt);
		events_made m =
			end == f->ends.end() ? look_at(f, stmt) : end->second;

		if (stmt == last)
			add_all(f, &open, f->end_of(bb), last, true);
		add_all(f, &open, m.before, stmt, false);
		if (access_ends_group(stmt))
			open = NULL;
		add_all(f, &open, m.behind, stmt, true);
	}
}

/* Pointers among the function's parameters. */
static void
find_parameters(events_function *f)
{
	basic_block first = ENTRY_BLOCK_PTR_FOR_FN(f->fun)->next_bb;
	tree decl = DECL_ARGUMENTS(f->fun->decl);

	for (; decl; decl = DECL_CHAIN(decl)) {
		tree value =
			is_gimple_reg(decl) && POINTER_TYPE_P(TREE_TYPE(decl))
				? ssa_default_def(f->fun, decl)
				: NULL_TREE;

		if (value)
			f->start_of(first).push_back(draft_pointer(
				f, first, DECL_SOURCE_LOCATION(decl), value));
	}
}

static void
start(events_function *f)
{
	f->place = events_place_of_function(f->fun);
	loop_optimizer_init(LOOPS_NORMAL);
	events_find_scope(f);
	access_start(f->fun);
	access_everything = true;
}

static void
finish(events_function *f)
{
	access_everything = false;
	/* Updating it block by block would cost more than computing it
	 * again. */
	free_dominance_info(CDI_DOMINATORS);
	free_dominance_info(CDI_POST_DOMINATORS);
	for (events_block *b : f->blocks)
		events_emit(b);
	for (gimple *nop : f->nops) {
		gimple_stmt_iterator gsi = gsi_for_stmt(nop);

		gsi_remove(&gsi, true);
	}
	loop_optimizer_finalize();
}

static void
add_events(function *fun)
{
	events_function f = {};
	std::vector<basic_block> all;
	basic_block bb;

	if (seen_error() || target_refuses())
		return;
	f.fun = fun;
	start(&f);
	events_find_loops(&f);
	events_find_ways(&f);
	if (wanted.has(MEMMON_EVENT_STACK_ALLOC) ||
	    wanted.has(MEMMON_EVENT_STACK_FREE))
		events_find_stack(&f);
	if (f.whole && wanted.has(MEMMON_EVENT_POINTER))
		find_parameters(&f);
	find_late(&f);
	FOR_EACH_BB_FN(bb, fun)
	all.push_back(bb);
	for (basic_block b : all)
		walk(&f, b);
	finish(&f);
}

/* ----------------------------------------------------------------- pass -- */

namespace
{
const pass_data events_data = { GIMPLE_PASS,
				"memmon-events",
				OPTGROUP_NONE,
				TV_PLUGIN_RUN,
				PROP_ssa | PROP_cfg,
				0,
				0,
				0,
				TODO_update_ssa };

class events_pass : public gimple_opt_pass
{
	bool optimized; /* run it on optimized functions */

      public:
	events_pass(gcc::context *context, bool of_optimized)
	    : gimple_opt_pass(events_data, context), optimized(of_optimized)
	{
	}
	opt_pass *
	clone() final override
	{
		return new events_pass(m_ctxt, optimized);
	}
	bool
	gate(function *fun) final override
	{
		return wanted.all() && optimized == (optimize != 0) &&
		       plugin_instruments(fun);
	}
	unsigned
	execute(function *fun) final override
	{
		add_events(fun);
		return 0;
	}
};
} // namespace

static void
add_pass(const char *plugin_name, const char *before, bool of_optimized)
{
	register_pass_info info;

	info.pass = new events_pass(g, of_optimized);
	info.reference_pass_name = before;
	info.ref_pass_instance_number = 0;
	info.pos_op = PASS_POS_INSERT_BEFORE;
	register_callback(plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

void
events_register(const char *plugin_name)
{
	add_pass(plugin_name, "sancov", true);
	add_pass(plugin_name, "sancov_O0", false);
}
