/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The types of members: how they are written, how large they are. */
#include <dwarf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "reduce/debuginfo/members_type.h"
#include "reduce/debuginfo/dies.h"

Dwarf_Die *
members_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute a;

	return dwarf_attr_integrate(die, DW_AT_type, &a)
		       ? dwarf_formref_die(&a, type)
		       : NULL;
}

int
members_is_aggregate(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
	       tag == DW_TAG_union_type || tag == DW_TAG_interface_type;
}

static bool
is_qualifier(int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

void
members_peel(Dwarf_Die *type)
{
	Dwarf_Attribute a;
	Dwarf_Die next;
	int i;

	for (i = 0; i < MEMBERS_PEEL; i++) {
		int tag = dwarf_tag(type);

		if (tag == DW_TAG_typedef || is_qualifier(tag)) {
			if (!members_of(type, &next))
				return;
		} else if (!members_is_aggregate(type) ||
			   !dwarf_attr(type, DW_AT_signature, &a) ||
			   !dwarf_formref_die(&a, &next)) {
			return;
		}
		*type = next;
	}
}

/* A pointer's, when it isn't said. */
static uint64_t
address_size(const Dwarf_Die *type)
{
	Dwarf_Die unit;
	uint8_t size = 0;

	return dwarf_cu_die(type->cu, &unit, NULL, NULL, &size, NULL, NULL,
			    NULL)
		       ? size
		       : 0;
}

uint64_t
members_size(const Dwarf_Die *type)
{
	Dwarf_Die at = *type, next;
	Dwarf_Attribute a;
	Dwarf_Word size;
	uint64_t count = 1;
	int i;

	for (i = 0; i < MEMBERS_PEEL; i++) {
		members_peel(&at);
		if (dwarf_attr(&at, DW_AT_byte_size, &a)) {
			if (dwarf_formudata(&a, &size) != 0 ||
			    __builtin_mul_overflow(count, size, &count))
				return 0;
			return count;
		}
		switch (dwarf_tag(&at)) {
		case DW_TAG_array_type:
			if (__builtin_mul_overflow(count, dies_array_count(&at),
						   &count))
				return 0;
			break;
		case DW_TAG_enumeration_type:
			break;
		case DW_TAG_pointer_type:
		case DW_TAG_reference_type:
		case DW_TAG_rvalue_reference_type:
			if (__builtin_mul_overflow(count, address_size(&at),
						   &count))
				return 0;
			return count;
		default:
			return 0;
		}
		if (!members_of(&at, &next))
			return 0;
		at = next;
	}
	return 0;
}

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
	const char *name = dwarf_diename(type), *word;
	Dwarf_Attribute signature;
	Dwarf_Die unit, there;

	if (!name && dwarf_attr(type, DW_AT_signature, &signature) &&
	    dwarf_formref_die(&signature, &there))
		name = dwarf_diename(&there);
	word = keyword(dwarf_tag(type));
	/* gcc calls an unnamed one "typedef ..." for its typedef. */
	if (!name || !*name || !strncmp(name, "typedef ", 8))
		return *word ? arena_print(a, "%s{...}", word) : "?";
	if (dwarf_cu_die(type->cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) &&
	    dies_scoped(&unit))
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
	bool there = members_of(pointer, &target);

	if (there && dwarf_tag(&target) == DW_TAG_subroutine_type) {
		there = members_of(&target, &result);
		of = text_of(a, there ? &result : NULL, depth + 1);
		return of ? arena_print(a, "%s (%s)()", of, mark) : NULL;
	}
	if (there && dwarf_tag(&target) == DW_TAG_pointer_type &&
	    strlen(mark) < MEMBERS_PEEL) {
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
	bool there = members_of(die, &target);
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
	if (depth >= MEMBERS_PEEL)
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
		text = text_of(a, members_of(&at, &of) ? &of : NULL, depth + 1);
		return text ? array_text(a, &at, text) : NULL;
	default:
		return name_of(a, &at);
	}
}

const char *
members_type(struct arena *a, const Dwarf_Die *type)
{
	return text_of(a, type, 0);
}

/* ----------------------------------------------------------- the members -- */

/* A number that an attribute has; false: it hasn't one. */
static bool
attribute(Dwarf_Die *die, unsigned name, uint64_t *n)
{
	Dwarf_Attribute a;

	return dwarf_attr_integrate(die, name, &a) &&
	       dwarf_formudata(&a, n) == 0;
}

/* Where it starts, in bytes; false: that isn't the same in every object. */
static bool
location(Dwarf_Die *die, uint64_t *offset)
{
	Dwarf_Attribute a;
	Dwarf_Op *op;
	size_t n;

	*offset = 0;
	if (!dwarf_attr_integrate(die, DW_AT_data_member_location, &a))
		return true;
	if (dwarf_formudata(&a, offset) == 0)
		return true;
	if (dwarf_getlocation(&a, &op, &n) != 0 || n != 1 ||
	    op->atom != DW_OP_plus_uconst)
		return false;
	*offset = op->number;
	return true;
}

/*
 * Place and size of a bit-field in whole bytes; false: it isn't one, or makes
 * no sense.  Up to DWARF 3 the offset is that of the highest bit from the
 * highest of the storage unit; here for little-endian machines.
 */
static bool
bit_field(Dwarf_Die *die, uint64_t storage, uint64_t *offset, uint64_t *size)
{
	uint64_t bits, at;

	if (!attribute(die, DW_AT_bit_size, &bits) || !bits || bits > 4096)
		return false;
	if (attribute(die, DW_AT_data_bit_offset, &at)) {
		at += *offset * 8;
	} else if (attribute(die, DW_AT_bit_offset, &at)) {
		attribute(die, DW_AT_byte_size, &storage);
		at = *offset * 8 + storage * 8 - at - bits;
	} else {
		at = *offset * 8;
	}
	*offset = at / 8;
	*size = (at % 8 + bits + 7) / 8;
	return true;
}

/* Is it part of every object? */
bool
members_is_part(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_inheritance ||
	       (tag == DW_TAG_member && !dwarf_hasattr(die, DW_AT_external) &&
		!dwarf_hasattr(die, DW_AT_declaration));
}

bool
members_place(Dwarf_Die *die, Dwarf_Die *type, uint64_t *offset, uint64_t *size)
{
	if (!members_of(die, type) || !location(die, offset))
		return false;
	*size = members_size(type);
	bit_field(die, *size, offset, size);
	return true;
}
