/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The types of members as they are written. */
#include <dwarf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "reduce/dies/dies.h"

/* What C has before a name of that kind. */
static const char *
keyword(int tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
		return "struct ";
	case DW_TAG_union_type:
		return "union ";
	case DW_TAG_enumeration_type:
		return "enum ";
	case DW_TAG_class_type:
		return "class ";
	default:
		return "";
	}
}

static const char *
name_of(struct arena *a, Dwarf_Die *type)
{
	const char *name = dies_type_name(type);
	const char *word = keyword(dwarf_tag(type));
	Dwarf_Die unit;

	if (!name)
		return *word ? arena_print(a, "%s{...}", word) : "?";
	if (dies_unit(type, &unit) && dies_scoped(&unit))
		word = "";
	return *word ? arena_print(a, "%s%s", word, name)
		     : arena_copy(a, name, strlen(name));
}

static const char *text_of(struct arena *a, const Dwarf_Die *type, int depth);

static const char *
array_text(struct arena *a, Dwarf_Die *array, const char *of)
{
	uint64_t n = dies_array_count(array);

	return n ? arena_print(a, "%s[%" PRIu64 "]", of, n)
		 : arena_print(a, "%s[]", of);
}

/* mark: "*", "&" ... behind what is pointed to. */
static const char *
pointer_text(struct arena *a, Dwarf_Die *pointer, const char *mark, int depth)
{
	Dwarf_Die target, result;
	const char *of;
	bool there = dies_type(pointer, &target);

	if (there && dwarf_tag(&target) == DW_TAG_subroutine_type) {
		there = dies_type(&target, &result);
		of = text_of(a, there ? &result : NULL, depth + 1);
		return of ? arena_print(a, "%s (%s)()", of, mark) : NULL;
	}
	if (there && dwarf_tag(&target) == DW_TAG_pointer_type &&
	    strlen(mark) < DIES_PEEL) {
		mark = arena_print(a, "*%s", mark);
		return mark ? pointer_text(a, &target, mark, depth + 1) : NULL;
	}
	of = text_of(a, there ? &target : NULL, depth + 1);
	if (!of)
		return NULL;
	return arena_print(a, "%s%s%s", of,
			   *of && of[strlen(of) - 1] == '*' ? "" : " ", mark);
}

/* word: "const" ...; it stands behind a pointer, before all else. */
static const char *
qualified_text(struct arena *a, Dwarf_Die *die, const char *word, int depth)
{
	Dwarf_Die target;
	bool there = dies_type(die, &target);
	const char *of = text_of(a, there ? &target : NULL, depth + 1);

	if (!of)
		return NULL;
	if (there && dwarf_tag(&target) == DW_TAG_pointer_type)
		return arena_print(a, "%s %s", of, word);
	return arena_print(a, "%s %s", word, of);
}

static const char *
text_of(struct arena *a, const Dwarf_Die *type, int depth)
{
	Dwarf_Die at, of;
	const char *text;

	if (!type)
		return "void";
	if (depth >= DIES_PEEL)
		return "?";
	at = *type;
	switch (dwarf_tag(&at)) {
	case DW_TAG_pointer_type:
		return pointer_text(a, &at, "*", depth);
	case DW_TAG_reference_type:
		return pointer_text(a, &at, "&", depth);
	case DW_TAG_rvalue_reference_type:
		return pointer_text(a, &at, "&&", depth);
	case DW_TAG_ptr_to_member_type:
		return pointer_text(a, &at, "::*", depth);
	case DW_TAG_const_type:
		return qualified_text(a, &at, "const", depth);
	case DW_TAG_volatile_type:
		return qualified_text(a, &at, "volatile", depth);
	case DW_TAG_restrict_type:
		return qualified_text(a, &at, "restrict", depth);
	case DW_TAG_atomic_type:
		return qualified_text(a, &at, "_Atomic", depth);
	case DW_TAG_array_type:
		text = text_of(a, dies_type(&at, &of) ? &of : NULL, depth + 1);
		return text ? array_text(a, &at, text) : NULL;
	default:
		return name_of(a, &at);
	}
}

const char *
dies_type_text(struct arena *a, const Dwarf_Die *type)
{
	return text_of(a, type, 0);
}
