/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names in the source. */
#include "reduce/guess/guess_lookup.h"
#include "reduce/debuginfo/symbols_unit.h"
#include "reduce/guess/guess_die.h"

#include <dwarf.h>
#include <string.h>

#define ENTRIES 300000u /* of a unit or function that are looked at */
#define DEPTH 24	/* blocks in blocks, structs in structs */

static bool
is_named(Dwarf_Die *die, const char *name, size_t n)
{
	const char *own = dwarf_diename(die);

	return own && strncmp(own, name, n) == 0 && !own[n];
}

bool
guess_lookup_type(const struct symbols_place *p, unsigned tag, const char *name,
		  size_t n, Dwarf_Die *type)
{
	Dwarf_Die unit = p->unit, child;
	const void *last = NULL;
	unsigned left = ENTRIES;
	int more;

	for (more = dwarf_child(&unit, &child);
	     more == 0 && left-- && child.addr > last;
	     more = dwarf_siblingof(&child, &child)) {
		int is = dwarf_tag(&child);

		last = child.addr;
		if (tag ? is != (int)tag
			: is != DW_TAG_typedef && is != DW_TAG_base_type)
			continue;
		if (!is_named(&child, name, n))
			continue;
		*type = child;
		if (!dwarf_hasattr(&child, DW_AT_declaration))
			return true;
	}
	return false;
}

bool
guess_lookup_pointer(const struct symbols_place *p, const Dwarf_Die *to,
		     Dwarf_Die *type)
{
	Dwarf_Die unit = p->unit, child, of;
	const void *last = NULL;
	unsigned left = ENTRIES;
	int more;

	for (more = dwarf_child(&unit, &child);
	     more == 0 && left-- && child.addr > last;
	     more = dwarf_siblingof(&child, &child)) {
		last = child.addr;
		if (dwarf_tag(&child) == DW_TAG_pointer_type &&
		    guess_die_type(&child, &of) && of.addr == to->addr) {
			*type = child;
			return true;
		}
	}
	return false;
}

/* A variable among the entry's children, or in their blocks. */
static bool
variable_in(Dwarf_Die *in, const char *name, size_t n, unsigned depth,
	    unsigned *left, Dwarf_Die *type)
{
	Dwarf_Die child, inner;
	const void *last = NULL;
	bool found = false;
	int more;

	if (depth > DEPTH)
		return false;
	for (more = dwarf_child(in, &child);
	     more == 0 && *left && child.addr > last;
	     more = dwarf_siblingof(&child, &child)) {
		--*left;
		last = child.addr;
		switch (dwarf_tag(&child)) {
		case DW_TAG_variable:
		case DW_TAG_formal_parameter:
			if (is_named(&child, name, n) &&
			    guess_die_type(&child, type))
				return true;
			break;
		case DW_TAG_lexical_block:
			/* One that is nearer may follow. */
			if (!found && variable_in(&child, name, n, depth + 1,
						  left, &inner)) {
				found = true;
				*type = inner;
			}
			break;
		default:
			break;
		}
	}
	return found;
}

bool
guess_lookup_variable(const struct symbols_place *p, size_t function,
		      const char *name, size_t n, Dwarf_Die *type)
{
	Dwarf_Die at, inner;
	unsigned left = ENTRIES;

	if (function < p->n) {
		at = symbols_unit_follow(&p->die[function],
					 DW_AT_abstract_origin);
		if (variable_in(&at, name, n, 0, &left, &inner)) {
			*type = inner;
			return true;
		}
	}
	at = p->unit;
	left = ENTRIES;
	return variable_in(&at, name, n, DEPTH, &left, type);
}

static bool
member_in(const Dwarf_Die *of, const char *name, size_t n, unsigned depth,
	  unsigned *left, Dwarf_Die *type)
{
	Dwarf_Die at = *of, child, member;
	const void *last = NULL;
	int more;

	guess_die_peel(&at);
	if (depth > DEPTH || !guess_die_is_class(&at))
		return false;
	for (more = dwarf_child(&at, &child);
	     more == 0 && *left && child.addr > last;
	     more = dwarf_siblingof(&child, &child)) {
		--*left;
		last = child.addr;
		if (dwarf_tag(&child) != DW_TAG_member ||
		    !guess_die_type(&child, &member))
			continue;
		if (is_named(&child, name, n)) {
			*type = member;
			return true;
		}
		/* Those of an unnamed one are its own. */
		if (!dwarf_diename(&child) &&
		    member_in(&member, name, n, depth + 1, left, type))
			return true;
	}
	return false;
}

bool
guess_lookup_member(const Dwarf_Die *of, const char *name, size_t n,
		    Dwarf_Die *type)
{
	unsigned left = ENTRIES;

	return member_in(of, name, n, 0, &left, type);
}

bool
guess_lookup_target(const Dwarf_Die *type, Dwarf_Die *to)
{
	Dwarf_Die at = *type;

	if (guess_die_pointee(type, to))
		return to->addr != NULL;
	guess_die_peel(&at);
	return dwarf_tag(&at) == DW_TAG_array_type && guess_die_type(&at, to);
}
