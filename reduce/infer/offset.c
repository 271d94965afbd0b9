/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Find the member at an offset in an object. */
#include <dwarf.h>

#include "reduce/dwarf/dies.h"
#include "reduce/infer/vars.h"

#define DEPTH 12      /* the deepest nesting of structs */
#define MEMBERS 20000 /* the most members for one offset */
#define ALL 1000000u  /* the most members in all, after guess_vars_start() */

struct search {
	Dwarf_Die *member;
	size_t n;
	unsigned left;
	uint64_t stride; /* of an index that isn't used yet; 0: none */
};

/* How many members may still be looked at. */
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

	dies_peel(&at);
	switch (dwarf_tag(&at)) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		break;
	default:
		return false;
	}
	if (!dies_type(&at, to))
		return false;
	peeled = *to;
	dies_peel(&peeled);
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

static void members_at(struct search *s, const Dwarf_Die *type, uint64_t off,
		       unsigned depth);

static void
in_aggregate(struct search *s, Dwarf_Die *type, uint64_t off, unsigned depth)
{
	unsigned left = s->left < all_left ? s->left : all_left, was = left;
	uint64_t start, size;
	struct dies_child c;
	Dwarf_Die of;
	bool more;

	for (more = dies_child(&c, type, &left); more; more = dies_next(&c)) {
		s->left -= was - left;
		all_left -= was - left;
		if (!dies_is_part(&c.die) ||
		    dwarf_hasattr(&c.die, DW_AT_bit_size) ||
		    !dies_member(&c.die, &of, &start, &size) || start > off)
			continue;
		/* An array at the end may be longer than declared. */
		if (off - start < size || (!size && off - start < INT32_MAX))
			members_at(s, &of, off - start, depth + 1);
		was = left = s->left < all_left ? s->left : all_left;
	}
}

static void
members_at(struct search *s, const Dwarf_Die *type, uint64_t off,
	   unsigned depth)
{
	Dwarf_Die at = *type, of;
	uint64_t size;

	if (depth > DEPTH || s->n == GUESS_MEMBERS)
		return;
	dies_peel(&at);
	if (dies_is_class(&at)) {
		in_aggregate(s, &at, off, depth);
		return;
	}
	if (dwarf_tag(&at) == DW_TAG_array_type) {
		uint64_t was = s->stride;

		if (!dies_type(&at, &of))
			return;
		size = dies_size(&of);
		if (size && (s->stride % size == 0 || s->stride == 1))
			s->stride = 0;
		if (size)
			members_at(s, &of, off % size, depth + 1);
		s->stride = was;
		return;
	}
	if (!off && !s->stride)
		s->member[s->n++] = at;
}

size_t
guess_vars_members(const struct guess_operand *operand,
		   Dwarf_Die member[GUESS_MEMBERS])
{
	struct search s = { .member = member,
			    .left = MEMBERS,
			    .stride = operand->stride };
	uint64_t size = dies_size(&operand->type), off = (uint64_t)operand->off;
	Dwarf_Die at = operand->type;

	dies_peel(&at);
	/*
	 * The index counts objects.  An index of bytes may count objects or
	 * bytes inside them.
	 */
	if (size &&
	    (s.stride % size == 0 || (s.stride == 1 && !dies_is_class(&at))))
		s.stride = 0;
	if (operand->off < 0) {
		if (!size || size > INT64_MAX || operand->off == INT64_MIN)
			return 0;
		off = (size - (uint64_t)-operand->off % size) % size;
	}
	members_at(&s, &operand->type, off, 0);
	/* The offset is in another element of an array. */
	if (!s.n && size && off >= size)
		members_at(&s, &operand->type, off % size, 0);
	return s.n;
}
