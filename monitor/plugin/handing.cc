/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls of functions that are defined elsewhere and get all their pointers in
 * registers.  The call goes to a stand-in of this unit, which jumps to the
 * function.  The unit has one stand-in for all calls that pass the same
 * pointers to a function (HANDED_CALL in touch_entries.h).  So the call itself
 * needs no extra instruction.
 */
#include <map>
#include <string>
#include <vector>

#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"
#include "monitor/touch_entries.h"

/* A stand-in for a function. */
struct stand_in {
	std::string function,
		data;	 /* the pointers, as text for the assembler */
	unsigned callee;	    /* index of the function */
};
static std::vector<stand_in> stand_ins;
static std::map<std::string, unsigned> stand_in_of; /* the stand-in for each
						     * `data' */

#define REGISTERS 6

/*
 * The integer registers of a call's arguments.  False: unknown, or the stand-in
 * wouldn't preserve some of them.
 */
static bool
registers_of(gcall *call, std::vector<unsigned> *to)
{
	tree fntype = gimple_call_fntype(call);
	unsigned next = aggregate_value_p(TREE_TYPE(fntype), fntype) ? 1 : 0;

	for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
		tree type = TREE_TYPE(gimple_call_arg(call, i));

		to->push_back(REGISTERS);
		if (INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type)) {
			if (TYPE_PRECISION(type) > BITS_PER_WORD)
				return false;
			to->back() = next++;
		} else if (TREE_CODE(type) != REAL_TYPE) {
			return false;
		}
	}
	return true;
}

/* The pointers that the call passes, as text for the assembler; "": no
 * stand-in. */
static std::string
data_of(gcall *call, unsigned callee, const vec<handed> &pointers)
{
	std::vector<unsigned> registers;
	std::string text = "\t.long\t.LMEMMON_C" + std::to_string(callee) +
			   " - ., " + std::to_string(pointers.length()) + "\n";

	if (!registers_of(call, &registers))
		return "";
	for (unsigned i = 0; i < pointers.length(); i++) {
		const handed &h = pointers[i];

		if (h.argument < 0 || registers[h.argument] >= REGISTERS)
			return "";
		text += "\t.quad\t" + std::to_string(h.bytes) + "\n\t.long\t";
		text += h.type < 0 ? "0"
				   : ".LMEMMON_P" + std::to_string(h.type) +
					     " - .";
		text += ", " + std::to_string(registers[h.argument]) + "\n";
	}
	return text;
}

/* The function's declaration, under the name of its stand-in. */
static tree
named(tree decl, unsigned number)
{
	tree to = build_fn_decl(IDENTIFIER_POINTER(DECL_NAME(decl)),
				TREE_TYPE(decl));
	std::string name = "*.LMEMMON_H" + std::to_string(number);

	SET_DECL_ASSEMBLER_NAME(to, get_identifier(name.c_str()));
	TREE_PUBLIC(to) = 0;
	DECL_ARTIFICIAL(to) = 1;
	DECL_IGNORED_P(to) = 1;
	DECL_ATTRIBUTES(to) = DECL_ATTRIBUTES(decl);
	TREE_NOTHROW(to) = TREE_NOTHROW(decl);
	TREE_THIS_VOLATILE(to) = TREE_THIS_VOLATILE(decl);
	TREE_READONLY(to) = TREE_READONLY(decl);
	DECL_PURE_P(to) = DECL_PURE_P(decl);
	DECL_LOOPING_CONST_OR_PURE_P(to) = DECL_LOOPING_CONST_OR_PURE_P(decl);
	return to;
}

/* Makes the call use a stand-in that passes the pointers; false: not
 * possible. */
bool
handing_call(gcall *call, const std::string &function, unsigned callee,
	     const vec<handed> &pointers)
{
	tree decl = gimple_call_fndecl(call);
	unsigned number = stand_ins.size();
	std::string data;

	if (!target_keeps_arguments(gimple_call_fntype(call)) ||
	    !target_keeps_arguments(TREE_TYPE(decl)) ||
	    gimple_call_chain(call) ||
	    gimple_call_flags(call) & ECF_RETURNS_TWICE)
		return false;
	data = data_of(call, callee, pointers);
	if (data.empty())
		return false;
	auto known = stand_in_of.find(data);
	if (known != stand_in_of.end()) {
		number = known->second;
	} else {
		stand_in_of[data] = number;
		stand_ins.push_back({ function, data, callee });
	}
	gimple_call_set_fndecl(call, named(decl, number));
	return true;
}

void
handing_finish_unit(FILE *f)
{
	unsigned n = 0;

	if (stand_ins.empty())
		return;
	fputs("\t.section\t.rodata\n\t.balign 8\n", f);
	for (const stand_in &s : stand_ins)
		fprintf(f, ".LMEMMON_D%u:\n%s", n++, s.data.c_str());
	fputs("\t.text\n", f);
	n = 0;
	for (const stand_in &s : stand_ins) {
		std::string number = std::to_string(n++);
		std::string callee = std::to_string(s.callee);

		fputs(HANDED_CALL(number, callee, s.function).c_str(), f);
	}
	stand_ins.clear();
	stand_in_of.clear();
}
