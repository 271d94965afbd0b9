/* SPDX-License-Identifier: MIT */
/*
 * The places that events come from.  Positions come from debug information,
 * which memmon-cc requests; names come from it and from LLVM's types.
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

/* The name of the variable in an alloca, from debug information. */
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

/* The position of a static variable. */
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

/*
 * The type that C or C++ gives to an access, by its node; "": unknown, for
 * example a pointer.
 */
static std::string
tag_name(const MDNode *node)
{
	const auto *name = node && node->getNumOperands() > 0
				   ? dyn_cast<MDString>(node->getOperand(0))
				   : nullptr;
	std::string s = name ? name->getString().str() : "";

	if (s == "omnipotent char")
		return "char";
	return s == "any pointer" || s == "vtable pointer" ? "" : s;
}

/* The name from the access's tag: "node+8", "int". */
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
	if (tag_name(base).empty())
		return "";
	return tag_name(base) + "+" + std::to_string(off);
}

/* A structure's name, as in C: "node" for "struct.node.5". */
static std::string
structure_name(const StructType *type)
{
	std::string s = type->hasName() ? type->getName().str() : "";
	size_t dot = s.find('.'), last = s.rfind('.');

	if (last != dot && last != std::string::npos && last + 1 < s.size() &&
	    s.find_first_not_of("0123456789", last + 1) == std::string::npos)
		s.erase(last);
	if (dot != std::string::npos)
		s.erase(0, dot + 1);
	return s.empty() || s == "anon" ? "-" : s;
}

static std::string value_name(const Type *type);

/* A type's name in C; "-": unknown, or several types of C are one here. */
static std::string
type_name(const Type *type)
{
	if (const auto *structure = dyn_cast<StructType>(type))
		return structure_name(structure);
	if (const auto *array = dyn_cast<ArrayType>(type)) {
		std::string of = value_name(array->getElementType());

		return of == "-" ? of : of + "[]";
	}
	if (type->isFloatTy())
		return "float";
	if (type->isDoubleTy())
		return "double";
	if (type->isX86_FP80Ty())
		return "long double";
	switch (type->isIntegerTy() ? type->getIntegerBitWidth() : 0) {
	case 1:
		return "bool";
	case 8:
		return "char";
	case 16:
		return "short";
	case 32:
		return "int";
	case 64:
		return "long";
	default:
		return "-";
	}
}

/* The same, also for pointers.  i8 * is "-", as it may be void * or
 * incomplete. */
static std::string
value_name(const Type *type)
{
	std::string to;

	if (!type->isPointerTy())
		return type_name(type);
#if LLVM_VERSION_MAJOR < 15
	const Type *of = type->getPointerElementType();

	if (!of->isIntegerTy(8))
		to = value_name(of);
#endif
	if (to.empty() || to == "-")
		return "-";
	return to + (to.back() == '*' ? "*" : " *");
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
	return !s.empty() ? s : type ? value_name(type) : "-";
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
