/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names in the source. */
#include "reduce/guess/source_names.h"
#include "reduce/dies/dies.h"
#include "reduce/symbols/symbols_unit.h"
#include "reduce/guess/die.h"

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
guess_lookup_type(const struct symbols_debug *p, unsigned tag, const char *name,
		  size_t n, Dwarf_Die *type)
{
	unsigned left = ENTRIES;
	struct dies_child c;
	bool more;

	for (more = dies_child(&c, &p->unit, &left); more;
	     more = dies_next(&c)) {
		int is = dwarf_tag(&c.die);

		if (tag ? is != (int)tag
			: is != DW_TAG_typedef && is != DW_TAG_base_type)
			continue;
		if (!is_named(&c.die, name, n))
			continue;
		*type = c.die;
		if (!dwarf_hasattr(type, DW_AT_declaration))
			return true;
	}
	return false;
}

bool
guess_lookup_pointer(const struct symbols_debug *p, const Dwarf_Die *to,
		     Dwarf_Die *type)
{
	unsigned left = ENTRIES;
	struct dies_child c;
	Dwarf_Die of;
	bool more;

	for (more = dies_child(&c, &p->unit, &left); more;
	     more = dies_next(&c)) {
		if (dwarf_tag(&c.die) == DW_TAG_pointer_type &&
		    dies_type(&c.die, &of) && of.addr == to->addr) {
			*type = c.die;
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
	bool found = false, more;
	struct dies_child c;
	Dwarf_Die inner;

	if (depth > DEPTH)
		return false;
	for (more = dies_child(&c, in, left); more; more = dies_next(&c)) {
		switch (dwarf_tag(&c.die)) {
		case DW_TAG_variable:
		case DW_TAG_formal_parameter:
			if (is_named(&c.die, name, n) &&
			    dies_type(&c.die, type))
				return true;
			break;
		case DW_TAG_lexical_block:
			/* One that is nearer may follow. */
			if (!found && variable_in(&c.die, name, n, depth + 1,
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
guess_lookup_variable(const struct symbols_debug *p, size_t function,
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
	Dwarf_Die at = *of, member;
	struct dies_child c;
	bool more;

	dies_peel(&at);
	if (depth > DEPTH || !dies_is_class(&at))
		return false;
	for (more = dies_child(&c, &at, left); more; more = dies_next(&c)) {
		if (dwarf_tag(&c.die) != DW_TAG_member ||
		    !dies_type(&c.die, &member))
			continue;
		if (is_named(&c.die, name, n)) {
			*type = member;
			return true;
		}
		/* Those of an unnamed one are its own. */
		if (!dwarf_diename(&c.die) &&
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

	if (dies_pointee(type, to))
		return to->addr != NULL;
	dies_peel(&at);
	return dwarf_tag(&at) == DW_TAG_array_type && dies_type(&at, to);
}
