/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is at an offset in an object. */
#include <dwarf.h>

#include "reduce/debuginfo/dies.h"
#include "reduce/debuginfo/members_type.h"
#include "reduce/guess/guess_vars.h"

#define DEPTH 12      /* structs in structs */
#define MEMBERS 20000 /* that are looked at for one offset */
#define ALL 1000000u  /* and in all, after guess_vars_start() */

struct search {
	Dwarf_Die *leaf;
	size_t n;
	unsigned left;
	uint64_t stride; /* of an index that isn't accounted for; 0: none */
};

/* Members that may still be looked at. */
static unsigned all_left = ALL;

void
guess_vars_start(void)
{
	all_left = ALL;
}

bool
guess_vars_pointee(const Dwarf_Die *type, Dwarf_Die *to)
{
	Dwarf_Die at = *type, peeled;

	members_peel(&at);
	switch (dwarf_tag(&at)) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		break;
	default:
		return false;
	}
	if (!members_of(&at, to))
		return false;
	peeled = *to;
	members_peel(&peeled);
	switch (dwarf_tag(&peeled)) {
	case DW_TAG_subroutine_type:
	case DW_TAG_unspecified_type:
	case DW_TAG_const_type: /* of void */
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
	case DW_TAG_typedef:
		return false;
	default:
		return true;
	}
}

/* Where in its struct the member is; bits and what isn't constant: nowhere. */
static bool
member_offset(Dwarf_Die *member, uint64_t *off)
{
	Dwarf_Attribute a;
	Dwarf_Word n;

	*off = 0;
	if (dwarf_hasattr(member, DW_AT_bit_size) ||
	    dwarf_hasattr(member, DW_AT_external))
		return false;
	if (!dwarf_attr(member, DW_AT_data_member_location, &a))
		return true;
	if (dwarf_formudata(&a, &n) != 0)
		return false;
	*off = n;
	return true;
}

static void leaves(struct search *s, const Dwarf_Die *type, uint64_t off,
		   unsigned depth);

static void
in_aggregate(struct search *s, Dwarf_Die *type, uint64_t off, unsigned depth)
{
	Dwarf_Die child, of;
	const void *last = NULL;
	uint64_t start, size;
	int more;

	for (more = dwarf_child(type, &child);
	     more == 0 && s->left && all_left &&
	     (uintptr_t)child.addr > (uintptr_t)last;
	     more = dwarf_siblingof(&child, &child)) {
		int tag = dwarf_tag(&child);

		s->left--;
		all_left--;
		last = child.addr;
		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
		    !member_offset(&child, &start) || start > off ||
		    !members_of(&child, &of))
			continue;
		size = members_size(&of);
		/* An array at the end may be longer than it says. */
		if (off - start < size || (!size && off - start < INT32_MAX))
			leaves(s, &of, off - start, depth + 1);
	}
}

static void
leaves(struct search *s, const Dwarf_Die *type, uint64_t off, unsigned depth)
{
	Dwarf_Die at = *type, of;
	uint64_t size;

	if (depth > DEPTH || s->n == GUESS_LEAVES)
		return;
	members_peel(&at);
	if (members_is_aggregate(&at)) {
		in_aggregate(s, &at, off, depth);
		return;
	}
	if (dwarf_tag(&at) == DW_TAG_array_type) {
		uint64_t was = s->stride;

		if (!members_of(&at, &of))
			return;
		size = members_size(&of);
		if (size && (s->stride % size == 0 || s->stride == 1))
			s->stride = 0;
		if (size)
			leaves(s, &of, off % size, depth + 1);
		s->stride = was;
		return;
	}
	if (!off && !s->stride)
		s->leaf[s->n++] = at;
}

size_t
guess_vars_leaves(const struct guess_spot *spot, Dwarf_Die leaf[GUESS_LEAVES])
{
	struct search s = { .leaf = leaf,
			    .left = MEMBERS,
			    .stride = spot->stride };
	uint64_t size = members_size(&spot->type), off = (uint64_t)spot->off;
	Dwarf_Die at = spot->type;

	members_peel(&at);
	/* An index of objects; of bytes, it may be one, or one in them. */
	if (size && (s.stride % size == 0 ||
		     (s.stride == 1 && !members_is_aggregate(&at))))
		s.stride = 0;
	if (spot->off < 0) {
		if (!size || size > INT64_MAX || spot->off == INT64_MIN)
			return 0;
		off = (size - (uint64_t)-spot->off % size) % size;
	}
	leaves(&s, &spot->type, off, 0);
	/* Not in it: in another one of an array. */
	if (!s.n && size && off >= size)
		leaves(&s, &spot->type, off % size, 0);
	return s.n;
}
