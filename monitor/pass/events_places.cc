/* SPDX-License-Identifier: MIT */
/*
 * The places that events come from: positions from debug information, which
 * memmon-cc asks for, names from it and from what is known of types.
 */
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include "monitor/pass/events.h"

events_list events_all;

static void
set_position(events_position *at, const DILocation *l)
{
	if (!l || l->getLine() == 0)
		return;
	at->file = l->getFilename().str();
	at->line = l->getLine();
	at->column = l->getColumn();
}

static void
set_function(events_position *at, const Function *f)
{
	const DISubprogram *s = f->getSubprogram();

	if (!s)
		return;
	at->file = s->getFilename().str();
	at->line = s->getLine();
}

unsigned
events_place_of_function(Function *f)
{
	StringRef name = f->getName();
	events_position at = {};

	name.consume_front("\01");
	at.kind = MEMMON_EVENT_ENTRY;
	at.function = at.loop = MEMMON_NO_PLACE;
	at.name = name.str();
	set_function(&at, f);
	return events_all.place(at);
}

unsigned
events_place_of_loop(events_function *f, const Loop *loop)
{
	const Loop *outer = loop->getParentLoop();
	events_position at = {};

	at.kind = MEMMON_EVENT_LOOP;
	at.function = f->place;
	at.loop = outer && f->loops.count(outer) ? f->loops[outer]
						 : MEMMON_NO_PLACE;
	set_function(&at, &f->w->f);
	set_position(&at, loop->getStartLoc());
	return events_all.place(at);
}

/* ---------------------------------------------------------------- names -- */

/* The variable that is in an alloca, as debug information has it. */
static std::string
variable_name(Value *object)
{
	if (auto *g = dyn_cast<GlobalVariable>(object)) {
		SmallVector<DIGlobalVariableExpression *, 1> known;

		g->getDebugInfo(known);
		if (!known.empty())
			return known[0]->getVariable()->getName().str();
		return g->hasPrivateLinkage() ? "" : g->getName().str();
	}
	if (object->hasName())
		return object->getName().str();
	return "";
}

/* Of a variable that is always there. */
events_position
events_position_of(GlobalVariable *v, const std::string &name)
{
	SmallVector<DIGlobalVariableExpression *, 1> known;
	events_position at = {};

	at.kind = MEMMON_EVENT_GLOBAL;
	at.function = at.loop = MEMMON_NO_PLACE;
	at.name = name;
	v->getDebugInfo(known);
	if (!known.empty()) {
		const DIGlobalVariable *variable = known[0]->getVariable();

		at.name = variable->getName().str();
		at.file = variable->getFilename().str();
		at.line = variable->getLine();
	}
	return at;
}

/* "member" of a node that says how C and C++ see an access. */
static std::string
tag_name(const MDNode *node)
{
	const auto *name = node && node->getNumOperands() > 0
				   ? dyn_cast<MDString>(node->getOperand(0))
				   : nullptr;

	return name ? name->getString().str() : "";
}

/* What the access's tag says: "node+8", "int". */
static std::string
accessed_name(Instruction *i)
{
	const MDNode *tag = i->getMetadata(LLVMContext::MD_tbaa);
	const MDNode *base, *type;
	uint64_t off = 0;

	if (!tag || tag->getNumOperands() < 3 ||
	    !isa<MDNode>(tag->getOperand(0)) ||
	    !isa<MDNode>(tag->getOperand(1)))
		return "";
	base = cast<MDNode>(tag->getOperand(0));
	type = cast<MDNode>(tag->getOperand(1));
	if (base == type)
		return tag_name(type);
	if (auto *c = mdconst::dyn_extract<ConstantInt>(tag->getOperand(2)))
		off = c->getZExtValue();
	return tag_name(base) + "+" + std::to_string(off);
}

static std::string
type_name(const Type *type)
{
	std::string s;
	raw_string_ostream out(s);

	if (const auto *structure = dyn_cast<StructType>(type))
		if (structure->hasName())
			return structure->getName()
				.substr(structure->getName().find('.') + 1)
				.str();
	type->print(out);
	return out.str();
}

static std::string
name_of(Instruction *i, Value *pointer, Type *type)
{
	Value *object =
		pointer ? const_cast<Value *>(getUnderlyingObject(pointer))
			: nullptr;
	std::string s;

	if (object && (isa<GlobalVariable>(object) || isa<AllocaInst>(object)))
		s = variable_name(object);
	if (s.empty() && pointer)
		s = accessed_name(i);
	return s.empty() && type ? type_name(type) : s;
}

unsigned
events_place_at(events_function *f, unsigned kind, Instruction *i,
		Value *pointer, Type *type, uint64_t size)
{
	const Loop *loop = f->li->getLoopFor(i->getParent());
	events_position at = {};

	at.kind = kind;
	at.function = f->place;
	at.loop =
		loop && f->loops.count(loop) ? f->loops[loop] : MEMMON_NO_PLACE;
	at.size = size;
	at.name = name_of(i, pointer, type);
	if (type && type->isPointerTy())
		at.flags = MEMMON_PLACE_POINTER;
	else if (type && type->isFloatingPointTy())
		at.flags = MEMMON_PLACE_FLOAT;
	set_function(&at, &f->w->f);
	set_position(&at, i->getDebugLoc());
	return events_all.place(at);
}
