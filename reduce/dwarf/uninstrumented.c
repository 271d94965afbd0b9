/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Find types whose accesses clang doesn't instrument. */
#include "reduce/dwarf/uninstrumented.h"
#include "reduce/dwarf/dies.h"
#include "reduce/dwarf/scan.h"

#include <dwarf.h>
#include <string.h>

/* A row of adjacent bit-fields, without gaps between them. */
struct row {
	bool open;
	uint64_t start, end; /* in bits, from the start of the struct */
};

/*
 * Does clang access the row with an instrumented call?  It does if the number
 * of bytes is a power of two, or if the next power of two of bytes fits before
 * `limit' (in bits): clang then accesses all these bytes at once.
 */
static bool
row_is_whole(const struct row *r, uint64_t limit)
{
	uint64_t bytes = (r->end - r->start + 7) / 8, whole = 1;

	while (whole < bytes)
		whole *= 2;
	return whole == bytes || r->start / 8 + whole <= limit / 8;
}

/*
 * The start of a bit-field, in bits.  Up to DWARF 3, and in clang also later,
 * it is counted from the upper end of an integer of the field's type, and the
 * count may be negative.
 */
static bool
field_start(Dwarf_Die *member, uint64_t bits, uint64_t *at)
{
	Dwarf_Attribute a;
	Dwarf_Sword offset;
	uint64_t bytes, location = 0;
	Dwarf_Die die;

	if (dies_value(member, DW_AT_data_bit_offset, at))
		return true;
	if (!dwarf_attr(member, DW_AT_bit_offset, &a) ||
	    dwarf_formsdata(&a, &offset))
		return false;
	dies_value(member, DW_AT_data_member_location, &location);
	if (!dies_value(member, DW_AT_byte_size, &bytes) &&
	    (!dies_type(member, &die) || dwarf_peel_type(&die, &die) ||
	     !dies_value(&die, DW_AT_byte_size, &bytes)))
		return false;
	*at = (location + bytes) * 8 - (uint64_t)offset - bits;
	return true;
}

/*
 * Does a row end before this member, with too little room for a whole integer?
 * If the member is a bit-field, the next row begins with it.
 */
static bool
row_member(struct row *r, Dwarf_Die *member)
{
	uint64_t bits = 0, at = 0;
	bool field = dies_value(member, DW_AT_bit_size, &bits);
	bool gap;

	if (field && !field_start(member, bits, &at))
		return true;
	if (!field) {
		if (dies_value(member, DW_AT_data_member_location, &at))
			at *= 8;
		/*
		 * A bit-field as wide as its type is recorded as an ordinary
		 * member: this one begins inside of a byte, which only a
		 * bit-field can.
		 */
		if (r->open && at < r->end)
			return true;
	} else if (r->open && r->end == at) {
		r->end += bits;
		return false;
	}
	gap = r->open && !row_is_whole(r, at);
	*r = (struct row){ field, at, at + bits };
	return gap;
}

/*
 * In C++, bit-fields of a derived class may use the last bytes of a base class.
 * So the room at the end of a struct counts in C only.
 */
static bool
struct_has_gap(Dwarf_Die *type, bool c)
{
	struct row r = { 0 };
	uint64_t size = 0;
	Dwarf_Die die;

	if (dwarf_tag(type) == DW_TAG_union_type || dwarf_child(type, &die))
		return false;
	do {
		if (dwarf_tag(&die) == DW_TAG_member &&
		    !dwarf_hasattr(&die, DW_AT_external) &&
		    row_member(&r, &die))
			return true;
	} while (dwarf_siblingof(&die, &die) == 0);
	if (!c || !dies_value(type, DW_AT_byte_size, &size))
		size = 0;
	return r.open && !row_is_whole(&r, size * 8);
}

/* Does the entry refer to long double, perhaps by other names? */
static bool
is_of_long_double(Dwarf_Die *die)
{
	Dwarf_Die type;
	uint64_t size, encoding;

	return dies_type(die, &type) && !dwarf_peel_type(&type, &type) &&
	       dwarf_tag(&type) == DW_TAG_base_type &&
	       dies_value(&type, DW_AT_encoding, &encoding) &&
	       (encoding == DW_ATE_float || encoding == DW_ATE_complex_float) &&
	       dies_value(&type, DW_AT_byte_size, &size) && size > 8 &&
	       (size == 16) == (encoding == DW_ATE_float);
}

/* Is it a vector of more than 16 bytes, or of unknown size? */
static bool
is_wide(Dwarf_Die *array)
{
	Dwarf_Attribute a;
	Dwarf_Word size;

	return dwarf_attr(array, DW_AT_GNU_vector, &a) &&
	       (dwarf_aggregate_size(array, &size) || size > 16);
}

static bool
uninstrumented_wanted(int tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_array_type:
	case DW_TAG_pointer_type:
	case DW_TAG_member:
		return true;
	default:
		return false;
	}
}

static bool
is_gap(Dwarf_Die *die, bool c)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		return struct_has_gap(die, c);
	case DW_TAG_array_type:
		return is_wide(die) || is_of_long_double(die);
	default:
		return is_of_long_double(die);
	}
}

/* Did clang compile the unit?  1, 0, or -1 if the unit doesn't say. */
static int
unit_of_clang(Dwarf_Die *unit)
{
	Dwarf_Attribute a;
	const char *who;

	if (!dwarf_attr_integrate(unit, DW_AT_producer, &a) ||
	    !(who = dwarf_formstring(&a)))
		return -1;
	return strstr(who, "clang") != NULL;
}

static bool
unit_has_gap(struct scan *s, Dwarf_Die *unit)
{
	int language = dwarf_srclang(unit);
	bool c = language == DW_LANG_C11 || language == DW_LANG_C99 ||
		 language == DW_LANG_C89 || language == DW_LANG_C;
	Dwarf_Die die;

	scan_start(s, unit, uninstrumented_wanted);
	while (scan_next(s)) {
		die = scan_die(s, s->depth);
		if (is_gap(&die, c))
			return true;
	}
	return false;
}

/* Without debug information, .comment names the compilers. */
static bool
comment_is_of_gcc(const struct debugfile *f)
{
	Elf_Scn *scn = elffile_named(f->elf, ".comment");
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;

	return data && data->d_size &&
	       memmem(data->d_buf, data->d_size, "GCC", 3) &&
	       !memmem(data->d_buf, data->d_size, "clang", 5);
}

bool
uninstrumented_any(const struct debugfile *f)
{
	struct scan s = { 0 };
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, sub;
	uint8_t type;
	bool any = false;

	if (!f->dwarf || f->unlinked)
		return !comment_is_of_gcc(f);
	while (!any && dwarf_get_units(f->dwarf, cu, &cu, NULL, &type, &unit,
				       &sub) == 0) {
		if (type == DW_UT_skeleton && sub.cu)
			unit = sub;
		if (unit_of_clang(&unit))
			any = unit_has_gap(&s, &unit);
	}
	scan_fini(&s);
	return any;
}
