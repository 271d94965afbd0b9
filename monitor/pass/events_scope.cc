/* SPDX-License-Identifier: MIT */
/*
 * The functions and loops that --only and --loop restrict events to.  A
 * function counts in its own code and in each copy that was inlined.
 */
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/Support/CommandLine.h>

#include "monitor/pass/events.h"

events_scope scope;
static cl::list<std::string> functions("memmon-only", cl::Hidden);
static cl::list<std::string> loops("memmon-loop", cl::Hidden);

/* Reads the arguments; returns the first wrong one, or "". */
std::string
events_read_scope(void)
{
	if (!scope.is_all())
		return "";
	for (const std::string &f : functions)
		scope.add_function(f);
	for (const std::string &l : loops)
		if (!scope.add_loop(l))
			return l;
	return "";
}

static bool
is_named(const DISubprogram *s)
{
	return s && (scope.has_function(s->getName().str()) ||
		     scope.has_function(s->getLinkageName().str()));
}

/* Is the function asked for by its name, with or without arguments? */
static bool
is_named(const Function &f)
{
	std::string name = demangle(f.getName().str());

	return is_named(f.getSubprogram()) ||
	       scope.has_function(name.substr(0, name.find('('))) ||
	       scope.has_function(name) ||
	       scope.has_function(f.getName().str());
}

/* Is it in the text of a function that was asked for? */
static bool
is_inlined(const DILocation *l)
{
	bool is = false;

	for (; l && l->getInlinedAt(); l = l->getInlinedAt())
		is |= is_named(l->getScope()->getSubprogram());
	return is;
}

/* Was the loop asked for, by its line or by that of an inlined call? */
static bool
is_chosen(const DILocation *l)
{
	bool is = false;

	for (; l; l = l->getInlinedAt())
		is |= scope.has_loop(l->getFilename().str(), l->getLine());
	return is;
}

/* Finds whether the function, or which of its loops, were asked for. */
void
events_find_scope(events_function *f)
{
	f->whole = scope.is_all() || is_named(f->w->f);
	for (Loop *l : f->li->getLoopsInPreorder()) {
		const DILocation *at = l->getStartLoc();
		const Loop *outer = l->getParentLoop();

		if (is_chosen(at) || is_inlined(at) || f->whole ||
		    (outer && f->chosen.count(outer)))
			f->chosen.insert(l);
	}
}

/* Was an instruction asked for? */
bool
events_in_scope(events_function *f, Instruction *i)
{
	const Loop *l = f->li->getLoopFor(i->getParent());

	return f->whole || (l && f->chosen.count(l)) ||
	       is_inlined(i->getDebugLoc());
}
