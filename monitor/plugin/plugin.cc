/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memmon's plugin for gcc: the start, and the pass.
 *
 *	-fplugin=FILE			count accesses, note types
 *	-fplugin-arg-NAME-no-count	no accesses
 *	-fplugin-arg-NAME-no-merge	each access has an event of its own
 *	-fplugin-arg-NAME-no-loops	none is counted behind its loop
 *	-fplugin-arg-NAME-all-loops	... also of loops that may be short
 *	-fplugin-arg-NAME-no-types	no .debug_memmon
 *	-fplugin-arg-NAME-events=LIST	events for modules (events_list.h)
 *	-fplugin-arg-NAME-modules=LIST	names of these modules
 *	-fplugin-arg-NAME-workers=N	how many threads consume them
 *	-fplugin-arg-NAME-only=FUNCTION	only this function (repeatable)
 *	-fplugin-arg-NAME-loop=FILE:LINE only this loop (repeatable)
 *	-fplugin-arg-NAME-verbose	figures on standard error
 *
 * -ftime-report shows the plugin's time as that of plugins.
 *
 * NAME is FILE's name without directory and .so; gcc allows no - in it.  With
 * -flto the link also needs the plugin.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"

int plugin_is_GPL_compatible;
plugin_options options = { true, true, true, false, true, false, false };
plugin_figures figures;
tree shared[SHARED_TREES];

static const ggc_root_tab roots[] = {
	{ shared, SHARED_TREES, sizeof(tree), gt_ggc_mx_tree_node,
	  gt_pch_nx_tree_node },
	{ builtins_real, BUILTINS_KNOWN, sizeof(tree), gt_ggc_mx_tree_node,
	  gt_pch_nx_tree_node },
	LAST_GGC_ROOT_TAB
};

/* A function that selects the code of an ifunc runs before there is TLS. */
static bool
is_resolver(function *fun)
{
	cgraph_node *node = cgraph_node::get(fun->decl);
	ipa_ref *ref;

	if (node == NULL)
		return false;
	FOR_EACH_ALIAS(node, ref)
	if (lookup_attribute("ifunc", DECL_ATTRIBUTES(ref->referring->decl)))
		return true;
	return false;
}

bool
plugin_instruments(function *fun)
{
	tree attributes = DECL_ATTRIBUTES(fun->decl);

	return !lookup_attribute("no_instrument_function", attributes) &&
	       !lookup_attribute("memmon_no_access", attributes) &&
	       !lookup_attribute("naked", attributes) && !is_resolver(fun);
}

/* Finds pointers and covered events of groups by the function's blocks. */
static void
place(function *fun, vec<group *> *groups)
{
	regions all(fun);

	if (options.merge && optimize)
		covered_find(fun, &all, groups);
	state_place(fun, &all, groups);
}

/* The groups of a function; also counts accesses behind loops. */
static void
collect(function *fun, vec<group *> *groups)
{
	auto_vec<class loop *> innermost;
	hash_set<gimple *> in_loops;

	if (!options.loops || !optimize) {
		group_collect(fun, &in_loops, groups);
		return;
	}
	loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
	if (number_of_loops(fun) > 1) {
		scev_initialize();
		calculate_dominance_info(CDI_DOMINATORS);
		loop_innermost(fun, &innermost);
		loop_collect(innermost, &in_loops);
	}
	group_collect(fun, &in_loops, groups);
	if (number_of_loops(fun) > 1) {
		if (options.merge)
			invariant_collect(innermost, groups);
		scev_finalize();
	}
	loop_optimizer_finalize();
	free_dominance_info(CDI_DOMINATORS);
}

/* Functions of more blocks are large: a thousand lines of code or more. */
#define LARGE_BLOCKS 2000

/*
 * In a large function these passes on RTL take more time than all others: the
 * elimination of redundant expressions and loads, which finds nothing, as what
 * the plugin adds was shared before; and the list of where variables are.
 */
static void
compile_sooner(function *fun)
{
	int *const off[] = { &flag_gcse, &flag_gcse_after_reload,
			     &flag_var_tracking };
	int was[ARRAY_SIZE(off)];
	tree own;

	if (n_basic_blocks_for_fn(fun) < LARGE_BLOCKS)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(off); i++) {
		was[i] = *off[i];
		*off[i] = 0;
	}
	/* build_optimization_node() would ignore flags that change no code. */
	own = make_node(OPTIMIZATION_NODE);
	cl_optimization_save(TREE_OPTIMIZATION(own), &global_options,
			     &global_options_set);
	DECL_FUNCTION_SPECIFIC_OPTIMIZATION(fun->decl) = own;
	for (size_t i = 0; i < ARRAY_SIZE(off); i++)
		*off[i] = was[i];
	/* From now on the passes see the function's own options. */
	set_cfun(fun, true);
}

static void
count_accesses(function *fun)
{
	auto_vec<group *> groups;
	unsigned i;
	group *g;

	if (seen_error() || target_refuses())
		return;
	access_start(fun);
	builtins_rewrite(fun);
	collect(fun, &groups);
	place(fun, &groups);
	/* Updating it block by block would cost more than computing it
	 * again. */
	free_dominance_info(CDI_DOMINATORS);
	free_dominance_info(CDI_POST_DOMINATORS);
	FOR_EACH_VEC_ELT(groups, i, g)
	event_group(g);
	group_free(&groups);
	callees_calls(fun);
	compile_sooner(fun);
}

namespace
{
const pass_data access_data = { GIMPLE_PASS,
				"memmon",
				OPTGROUP_NONE,
				TV_PLUGIN_RUN,
				PROP_ssa | PROP_cfg,
				0,
				0,
				0,
				TODO_update_ssa };

class access_pass : public gimple_opt_pass
{
      public:
	access_pass(gcc::context *context)
	    : gimple_opt_pass(access_data, context)
	{
	}
	opt_pass *
	clone() final override
	{
		return this;
	}
	unsigned
	execute(function *fun) final override
	{
		if (options.types)
			results_mark_calls(fun);
		if (options.count)
			callees_defined(fun);
		if (options.count && plugin_instruments(fun))
			count_accesses(fun);
		return 0;
	}
};
} // namespace

static tree
keep_attribute(tree *, tree, tree, int, bool *)
{
	return NULL_TREE;
}

static void
on_attributes(void *, void *)
{
	static attribute_spec spec;

	spec.name = "memmon_no_access";
	spec.decl_required = true;
	spec.handler = keep_attribute;
	register_attribute(&spec);
}

static void
on_finish_unit(void *, void *)
{
	events_finish_unit();
	if (options.count) {
		target_finish_unit();
		callees_finish_unit();
	}
	results_finish_unit();
}

static void
on_finish(void *, void *)
{
	if (options.verbose)
		fprintf(stderr,
			"memmon: %lu accesses (%lu of locals), %lu events, "
			"%lu covered, %lu joined, %lu ranges, %lu loops, %lu "
			"behind loops, %lu tests of alignment, "
			"%lu types\n",
			figures.accesses, figures.local, figures.events,
			figures.covered, figures.joined, figures.ranges,
			figures.loops, figures.invariant, figures.checks,
			figures.types);
}

static int
read_options(const plugin_name_args *info)
{
	static const struct {
		const char *key;
		bool *flag, value;
	} keys[] = {
		{ "no-count", &options.count, false },
		{ "no-merge", &options.merge, false },
		{ "no-loops", &options.loops, false },
		{ "all-loops", &options.all_loops, true },
		{ "no-types", &options.types, false },
		{ "sample", &options.sample, true },
		{ "verbose", &options.verbose, true },
	};

	for (int i = 0; i < info->argc; i++) {
		size_t k = 0;

		while (k < ARRAY_SIZE(keys) &&
		       strcmp(keys[k].key, info->argv[i].key) != 0)
			k++;
		if (k == ARRAY_SIZE(keys) &&
		    events_option(info->argv[i].key, info->argv[i].value))
			continue;
		if (k == ARRAY_SIZE(keys)) {
			error("memmon: no such option of the plugin: %qs",
			      info->argv[i].key);
			return 1;
		}
		*keys[k].flag = keys[k].value;
	}
	return 0;
}

int
plugin_init(plugin_name_args *info, plugin_gcc_version *version)
{
	register_pass_info before_last;

	if (!plugin_default_version_check(version, &gcc_version)) {
		error("memmon: the plugin was built for gcc %s (%s), this is "
		      "gcc %s (%s): rebuild the plugin, or use "
		      "%<MEMMON_WAY=calls%>",
		      gcc_version.basever, gcc_version.datestamp,
		      version->basever, version->datestamp);
		return 1;
	}
	if (read_options(info) != 0)
		return 1;
#ifdef MASK_NO_RED_ZONE
	/* A rare call of touch() may come anywhere: see target.cc. */
	if (options.count || events_are_wanted())
		target_flags |= MASK_NO_RED_ZONE;
#endif
	/* Calls of one function that differ only in the type must stay
	 * apart. */
	if (options.types)
		flag_ipa_icf = flag_ipa_icf_functions = flag_tree_tail_merge =
			0;
	before_last.pass = new access_pass(g);
	before_last.reference_pass_name = "optimized";
	before_last.ref_pass_instance_number = 1;
	before_last.pos_op = PASS_POS_INSERT_BEFORE;
	register_callback(info->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL,
			  &before_last);
	if (options.types)
		results_register(info->base_name);
	if (options.count)
		target_register();
	if (events_are_wanted())
		events_register(info->base_name);
	register_callback(info->base_name, PLUGIN_REGISTER_GGC_ROOTS, NULL,
			  const_cast<ggc_root_tab *>(roots));
	register_callback(info->base_name, PLUGIN_ATTRIBUTES, on_attributes,
			  NULL);
	register_callback(info->base_name, PLUGIN_FINISH_UNIT, on_finish_unit,
			  NULL);
	register_callback(info->base_name, PLUGIN_FINISH, on_finish, NULL);
	return 0;
}
