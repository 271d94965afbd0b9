/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Attributes of debugging information entries. */
#include <dwarf.h>
#include <stdint.h>
#include <string.h>

#include "reduce/dwarf/dies.h"

#define DIMENSIONS 16 /* an array with more has no known size */

unsigned
dies_number(const Dwarf_Attribute *a)
{
	Dwarf_Attribute at;
	Dwarf_Word n;

	if (!a)
		return 0;
	at = *a;
	return dwarf_formudata(&at, &n) == 0 && n <= INT32_MAX ? (unsigned)n
							       : 0;
}

bool
dies_value(Dwarf_Die *die, unsigned attribute, uint64_t *n)
{
	Dwarf_Attribute a;

	return dwarf_attr_integrate(die, attribute, &a) &&
	       dwarf_formudata(&a, n) == 0;
}

bool
dies_path(const char *name, const Dwarf_Die *unit, char *path)
{
	Dwarf_Die at = *unit;
	const char *dir = NULL;
	Dwarf_Attribute a;
	size_t d, n = strlen(name);

	path[0] = '\0';
	if (!n || strcmp(name, "???") == 0)
		return false;
	if (name[0] != '/' && dwarf_attr(&at, DW_AT_comp_dir, &a))
		dir = dwarf_formstring(&a);
	d = dir ? strlen(dir) : 0;
	if (d + n + 2 > DIES_PATH)
		return false;
	if (d) {
		memcpy(path, dir, d);
		path[d++] = '/';
	}
	memcpy(path + d, name, n + 1);
	return true;
}

bool
dies_file(const Dwarf_Attribute *a, const Dwarf_Die *unit, char *path)
{
	unsigned i = dies_number(a);
	const char *name = NULL;
	Dwarf_Files *files;
	Dwarf_Half version;
	Dwarf_Die cu;
	size_t n;

	path[0] = '\0';
	/* File 0 exists only since DWARF 5. */
	if (a &&
	    dwarf_cu_die(a->cu, &cu, &version, NULL, NULL, NULL, NULL, NULL) &&
	    (i || version >= 5) && dwarf_getsrcfiles(&cu, &files, &n) == 0)
		name = dwarf_filesrc(files, i, NULL, NULL);
	return name && dies_path(name, unit ? unit : &cu, path);
}

bool
dies_scoped(const Dwarf_Die *unit)
{
	Dwarf_Die at = *unit;

	switch (dwarf_srclang(&at)) {
	case -1:
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Mips_Assembler:
		return false;
	default:
		return true;
	}
}

uint64_t
dies_array_count(Dwarf_Die *array)
{
	Dwarf_Die sub, next;
	Dwarf_Attribute a;
	Dwarf_Word n;
	uint64_t count = 1;
	int i;

	if (dwarf_child(array, &sub) != 0)
		return 0;
	for (i = 0; i < DIMENSIONS; i++) {
		bool last = dwarf_attr(&sub, DW_AT_upper_bound, &a);

		if (dwarf_tag(&sub) != DW_TAG_subrange_type ||
		    (!last && !dwarf_attr(&sub, DW_AT_count, &a)) ||
		    dwarf_formudata(&a, &n) != 0 ||
		    __builtin_mul_overflow(count, n + last, &count))
			return 0;
		if (dwarf_siblingof(&sub, &next) != 0)
			return count;
		sub = next;
	}
	return 0;
}

/* --------------------------------------------------------------- entries -- */

bool
dies_unit(const Dwarf_Die *die, Dwarf_Die *unit)
{
	return dwarf_cu_die(die->cu, unit, NULL, NULL, NULL, NULL, NULL, NULL);
}

bool
dies_child(struct dies_child *c, const Dwarf_Die *die, unsigned *left)
{
	Dwarf_Die at = *die;

	c->left = left;
	return *left && (*left)-- && dwarf_child(&at, &c->die) == 0;
}

bool
dies_next(struct dies_child *c)
{
	const void *last = c->die.addr;

	/* A wrong DW_AT_sibling could lead back and never end. */
	return *c->left && (*c->left)-- &&
	       dwarf_siblingof(&c->die, &c->die) == 0 && c->die.addr > last;
}

const char *
dies_name(const Dwarf_Die *die)
{
	Dwarf_Die at = *die;

	return dwarf_diename(&at);
}

const char *
dies_linkage(const Dwarf_Die *die)
{
	Dwarf_Die at = *die;
	Dwarf_Attribute a;

	if (dwarf_attr_integrate(&at, DW_AT_linkage_name, &a) ||
	    dwarf_attr_integrate(&at, DW_AT_MIPS_linkage_name, &a))
		return dwarf_formstring(&a);
	return NULL;
}

const char *
dies_scope(const Dwarf_Die *die)
{
	Dwarf_Die at = *die;
	const char *name = dwarf_diename(&at);

	return !name && dwarf_tag(&at) == DW_TAG_namespace
		       ? "(anonymous namespace)"
		       : name;
}

/* ----------------------------------------------------------------- types -- */

bool
dies_type(const Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Die at = *die;
	Dwarf_Attribute a;

	return dwarf_attr_integrate(&at, DW_AT_type, &a) &&
	       dwarf_formref_die(&a, type);
}

void
dies_define(Dwarf_Die *type)
{
	Dwarf_Attribute a;
	Dwarf_Die of;

	if (dwarf_attr(type, DW_AT_signature, &a) && dwarf_formref_die(&a, &of))
		*type = of;
}

static bool
is_qualifier(int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

static void
peel(Dwarf_Die *type, bool typedefs)
{
	Dwarf_Die next;
	int i, tag;

	for (i = 0; i < DIES_PEEL; i++) {
		tag = dwarf_tag(type);
		if (!is_qualifier(tag) && tag != DW_TAG_typedef) {
			dies_define(type);
			return;
		}
		if ((tag == DW_TAG_typedef && !typedefs) ||
		    !dies_type(type, &next))
			return;
		*type = next;
	}
}

void
dies_unqualify(Dwarf_Die *type)
{
	peel(type, false);
}

void
dies_peel(Dwarf_Die *type)
{
	peel(type, true);
}

bool
dies_is_class(const Dwarf_Die *die)
{
	Dwarf_Die at = *die;

	return dies_is_class_tag(dwarf_tag(&at));
}

const char *
dies_type_name(const Dwarf_Die *type)
{
	Dwarf_Die at = *type;
	const char *name = dwarf_diename(&at);

	if (!name) {
		dies_define(&at);
		name = dwarf_diename(&at);
	}
	return name && *name && strncmp(name, "typedef ", 8) != 0 ? name : NULL;
}

bool
dies_pointee(const Dwarf_Die *type, Dwarf_Die *to)
{
	Dwarf_Die at = *type;

	dies_peel(&at);
	if (dwarf_tag(&at) != DW_TAG_pointer_type)
		return false;
	if (!dies_type(&at, to))
		*to = (Dwarf_Die){ 0 };
	return true;
}

/* Size in bytes of a type that isn't an array. */
static uint64_t
size_of_one(Dwarf_Die *type)
{
	Dwarf_Word size;
	Dwarf_Die of;
	int i;

	/* The size of an enumeration may be that of its underlying type. */
	for (i = 0; i < DIES_PEEL; i++) {
		if (dwarf_hasattr(type, DW_AT_declaration))
			return 0;
		if (dwarf_hasattr(type, DW_AT_byte_size) ||
		    dwarf_tag(type) != DW_TAG_enumeration_type)
			return dwarf_aggregate_size(type, &size) == 0 ? size
								      : 0;
		if (!dies_type(type, &of))
			return 0;
		*type = of;
		dies_peel(type);
	}
	return 0;
}

uint64_t
dies_size(const Dwarf_Die *type)
{
	Dwarf_Die at = *type, of;
	uint64_t count = 1, n;
	int i;

	dies_peel(&at);
	for (i = 0; i < DIES_PEEL && dwarf_tag(&at) == DW_TAG_array_type &&
		    !dwarf_hasattr(&at, DW_AT_byte_size);
	     i++) {
		n = dies_array_count(&at);
		if (__builtin_mul_overflow(count, n, &count) ||
		    !dies_type(&at, &of))
			return 0;
		at = of;
		dies_peel(&at);
	}
	n = size_of_one(&at);
	return __builtin_mul_overflow(count, n, &count) ? 0 : count;
}

/* ------------------------------------------------------------ locations -- */

size_t
dies_location(const Dwarf_Op *op, size_t n, struct dies_location *p)
{
	unsigned atom = op->atom;

	*p = (struct dies_location){ DIES_MEMORY, 0, (int64_t)op->number };
	if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31)
		*p = (struct dies_location){ DIES_REGISTER, atom - DW_OP_reg0,
					     0 };
	else if (atom == DW_OP_regx)
		*p = (struct dies_location){ DIES_REGISTER, op->number, 0 };
	else if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
		p->reg = atom - DW_OP_breg0;
	else if (atom == DW_OP_bregx)
		*p = (struct dies_location){ DIES_MEMORY, op->number,
					     (int64_t)op->number2 };
	else if (atom == DW_OP_fbreg)
		p->where = DIES_FRAME;
	else if (atom == DW_OP_call_frame_cfa)
		*p = (struct dies_location){ .where = DIES_CFA };
	else
		return 0;
	if (p->where != DIES_MEMORY || n < 2 || op[1].atom != DW_OP_stack_value)
		return 1;
	p->where = DIES_VALUE;
	return 2;
}

/* ----------------------------------------------------------- the members -- */

/* Offset of a member in bytes.  False if it differs between objects. */
static bool
dies_member_location(Dwarf_Die *die, uint64_t *offset)
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
 * Offset and size of a bit-field in whole bytes.  False if it isn't a
 * bit-field, or its size is impossible.  Up to DWARF 3 the offset is counted
 * from the highest bit of the storage unit to the highest bit of the field;
 * this code is for little-endian machines.
 */
static bool
bit_field(Dwarf_Die *die, uint64_t storage, uint64_t *offset, uint64_t *size)
{
	uint64_t bits, at;

	if (!dies_value(die, DW_AT_bit_size, &bits) || !bits || bits > 4096)
		return false;
	if (dies_value(die, DW_AT_data_bit_offset, &at)) {
		at += *offset * 8;
	} else if (dies_value(die, DW_AT_bit_offset, &at)) {
		dies_value(die, DW_AT_byte_size, &storage);
		at = *offset * 8 + storage * 8 - at - bits;
	} else {
		at = *offset * 8;
	}
	*offset = at / 8;
	*size = (at % 8 + bits + 7) / 8;
	return true;
}

bool
dies_is_part(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_inheritance ||
	       (tag == DW_TAG_member && !dwarf_hasattr(die, DW_AT_external) &&
		!dwarf_hasattr(die, DW_AT_declaration));
}

bool
dies_member(Dwarf_Die *die, Dwarf_Die *type, uint64_t *offset, uint64_t *size)
{
	if (!dies_type(die, type) || !dies_member_location(die, offset))
		return false;
	*size = dies_size(type);
	bit_field(die, *size, offset, size);
	return true;
}
