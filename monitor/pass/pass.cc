/* SPDX-License-Identifier: MIT */
/*
 * memmon's pass for LLVM: the start.
 *
 *	-fpass-plugin=FILE	count accesses
 *
 * With arguments, after -Xclang -load -Xclang FILE:
 *
 *	-mllvm -memmon-events=LIST ... events for modules (events_list.h)
 *	-mllvm -memmon-modules=LIST ... names of these modules
 *	-mllvm -memmon-count=0	no accesses are counted
 *	-mllvm -memmon-merge=0	each access has an event of its own
 *	-mllvm -memmon-loops=0	none is counted behind its loop
 *	-mllvm -memmon-all-loops ... also of loops that may be short
 *	-mllvm -memmon-verbose	figures on standard error
 */
#include <llvm/IR/GlobalIFunc.h>
#include <llvm/Passes/PassBuilder.h>
#if LLVM_VERSION_MAJOR >= 22
#include <llvm/Plugins/PassPlugin.h>
#else
#include <llvm/Passes/PassPlugin.h>
#endif
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Utils/Local.h>

#include "monitor/pass/pass.h"

pass_options options;
pass_figures figures;

static cl::opt<bool, true> count("memmon-count", cl::location(options.count),
				 cl::init(true), cl::Hidden);
static cl::opt<bool, true> merge("memmon-merge", cl::location(options.merge),
				 cl::init(true), cl::Hidden);
static cl::opt<bool, true> loops("memmon-loops", cl::location(options.loops),
				 cl::init(true), cl::Hidden);
static cl::opt<bool, true> all_loops("memmon-all-loops",
				     cl::location(options.all_loops),
				     cl::init(false), cl::Hidden);
static cl::opt<bool, true> sample("memmon-sample", cl::location(options.sample),
				  cl::init(false), cl::Hidden);
static cl::opt<bool, true> verbose("memmon-verbose",
				   cl::location(options.verbose),
				   cl::init(false), cl::Hidden);

/* A function that selects the code of an ifunc runs before there is TLS. */
static bool
is_resolver(const Function &f)
{
	for (const GlobalIFunc &i : f.getParent()->ifuncs())
		if (i.getResolver()->stripPointerCasts() == &f)
			return true;
	return false;
}

/* Is the function annotated with memmon_no_access? */
static bool
is_annotated(const Function &f)
{
	const GlobalVariable *all =
		f.getParent()->getNamedGlobal("llvm.global.annotations");
	const auto *rows =
		all ? dyn_cast<ConstantArray>(all->getInitializer()) : nullptr;

	for (unsigned i = 0; rows && i < rows->getNumOperands(); i++) {
		const auto *row = dyn_cast<ConstantStruct>(rows->getOperand(i));
		const auto *text =
			row ? dyn_cast<GlobalVariable>(
				      row->getOperand(1)
					      ->stripInBoundsOffsets())
			    : nullptr;
		const auto *s = text ? dyn_cast<ConstantDataArray>(
					       text->getInitializer())
				     : nullptr;

		if (s && s->isCString() &&
		    s->getAsCString() == "memmon_no_access" &&
		    row->getOperand(0)->stripPointerCasts() == &f)
			return true;
	}
	return false;
}

bool
pass_instruments(const Function &f)
{
	return !f.hasFnAttribute(Attribute::Naked) &&
	       !f.hasFnAttribute(Attribute::DisableSanitizerInstrumentation) &&
	       !is_annotated(f) && !is_resolver(f);
}

/* Values without a use get no code, with or without optimization. */
static void
drop_unused(work *w)
{
	for (BasicBlock &bb : w->f)
		for (auto i = bb.rbegin(); i != bb.rend();) {
			Instruction *at = &*i++;

			if (isInstructionTriviallyDead(at, &w->tli)) {
				salvageDebugInfo(*at);
				at->eraseFromParent();
			}
		}
}

/* Finds pointers and covered events of groups by the function's blocks. */
static void
place(work *w, std::vector<group *> *groups, FunctionAnalysisManager &fam)
{
	regions all(&w->f, &fam.getResult<DominatorTreeAnalysis>(w->f));

	if (options.merge && w->optimize)
		covered_find(&all,
			     &fam.getResult<PostDominatorTreeAnalysis>(w->f),
			     groups);
	state_place(w, &all, *groups,
		    &fam.getResult<BlockFrequencyAnalysis>(w->f));
}

static void
count_accesses(unit *u, Function &f, FunctionAnalysisManager &fam)
{
	work w = { *u,
		   f,
		   fam.getResult<TargetLibraryAnalysis>(f),
		   nullptr,
		   !f.hasOptNone(),
		   {},
		   {},
		   false };
	std::vector<group *> groups;

	drop_unused(&w);
	library_rewrite(&w);
	fam.invalidate(f, PreservedAnalyses::none());
	if (options.loops && w.optimize) {
		w.li = &fam.getResult<LoopAnalysis>(f);
		auto *dt = &fam.getResult<DominatorTreeAnalysis>(f);
		auto *se = &fam.getResult<ScalarEvolutionAnalysis>(f);

		loop_collect(&w, dt, se);
		if (options.merge)
			invariant_collect(&w, dt, se, &groups);
		w.li = nullptr;
		fam.invalidate(f, PreservedAnalyses::none());
	}
	group_collect(&w, &groups);
	place(&w, &groups, fam);
	for (group *g : groups)
		code_words(&w, g);
	/* Last group first: fewer instructions move to new blocks then. */
	for (auto g = groups.rbegin(); g != groups.rend(); ++g) {
		code_group(&w, *g);
		delete *g;
	}
	callees_calls(&w);
	fam.invalidate(f, PreservedAnalyses::none());
}

namespace
{
struct access_pass : PassInfoMixin<access_pass> {
	PreservedAnalyses
	run(Module &m, ModuleAnalysisManager &mam)
	{
		auto &fam = mam.getResult<FunctionAnalysisManagerModuleProxy>(m)
				    .getManager();
		const char *why = target_refuses(m);
		std::vector<Function *> all;
		unit u(m);

		if (why) {
			m.getContext().emitError(
				"memmon: the pass cannot count accesses with " +
				std::string(why) + "; MEMMON_WAY=calls may");
			return PreservedAnalyses::all();
		}
		for (Function &f : m)
			if (!f.isDeclarationForLinker())
				all.push_back(&f);
		for (Function *f : all) {
			callees_defined(&u, f);
			target_mark(&u, f);
			if (pass_instruments(*f))
				count_accesses(&u, *f, fam);
		}
		target_finish(&u);
		if (options.verbose)
			errs() << "memmon: " << figures.accesses
			       << " accesses (" << figures.local
			       << " of locals), " << figures.events
			       << " events, " << figures.covered << " covered, "
			       << figures.joined << " joined, "
			       << figures.ranges << " ranges, " << figures.loops
			       << " loops, " << figures.invariant
			       << " behind loops, " << figures.checks
			       << " tests of alignment\n";
		return PreservedAnalyses::none();
	}
	/* Runs at -O0, too. */
	static bool
	isRequired()
	{
		return true;
	}
};
} // namespace

namespace
{
/* Adds events to each function; writes the file's list at the end. */
struct events_pass : PassInfoMixin<events_pass> {
	PreservedAnalyses
	run(Function &f, FunctionAnalysisManager &fam)
	{
		events_run(f, fam);
		return PreservedAnalyses::none();
	}
	PreservedAnalyses
	run(Module &m, ModuleAnalysisManager &)
	{
		events_finish(m);
		return PreservedAnalyses::none();
	}
	static bool
	isRequired()
	{
		return true;
	}
};
} // namespace

static void
add_pass(ModulePassManager &pm, OptimizationLevel level)
{
	if (events_are_asked_for())
		pm.addPass(events_pass());
	if (!options.count)
		return;
	if (level != OptimizationLevel::O0)
		pm.addPass(GlobalDCEPass());
	pm.addPass(access_pass());
}

static void
register_pass(PassBuilder &builder)
{
	builder.registerVectorizerStartEPCallback(
		[](FunctionPassManager &pm, OptimizationLevel) {
			if (events_are_asked_for())
				pm.addPass(events_pass());
		});
	builder.registerOptimizerLastEPCallback(
#if LLVM_VERSION_MAJOR >= 20
		[](ModulePassManager &pm, OptimizationLevel level,
		   ThinOrFullLTOPhase) { add_pass(pm, level); }
#else
		add_pass
#endif
	);
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo
llvmGetPassPluginInfo()
{
	return { LLVM_PLUGIN_API_VERSION, "memmon", "1", register_pass };
}
