/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source lines of variables' definitions. */
#include "reduce/types/links_parts.h"
#include "reduce/base/clean.h"
#include "reduce/base/sort.h"
#include "reduce/base/str.h"
#include "reduce/dwarf/dies.h"

#include <dwarf.h>

/* The deepest nesting of namespaces; the most entries of all units. */
enum { DEPTH = 8, ENTRIES = 20000000 };

struct links_search {
	struct arena *arena;
	const struct links_place *v;
	size_t n, found;
	unsigned left; /* entries that may still be looked at */
};

static void
links_place_set(struct links_search *s, Dwarf_Die *die)
{
	const char *file;
	Dwarf_Attribute a;
	Dwarf_Op *op;
	size_t n, i;
	int line;

	if (!dwarf_attr(die, DW_AT_location, &a) ||
	    dwarf_getlocation(&a, &op, &n) != 0 || n != 1 ||
	    op->atom != DW_OP_addr)
		return;
	i = SORT_PLACE(k, s->n, s->v[k].addr < op->number);
	if (i == s->n || s->v[i].addr != op->number || s->v[i].root->file ||
	    dwarf_decl_line(die, &line) != 0 || !(file = dwarf_decl_file(die)))
		return;
	s->v[i].root->file = clean_name(s->arena, str_basename(file));
	s->v[i].root->line = (unsigned)line;
	s->found++;
}

static void
links_places_below(struct links_search *s, const Dwarf_Die *die, unsigned depth)
{
	struct dies_child c;

	for (bool more = dies_child(&c, die, &s->left); more && s->found < s->n;
	     more = dies_next(&c)) {
		if (dwarf_tag(&c.die) == DW_TAG_variable)
			links_place_set(s, &c.die);
		else if (dwarf_tag(&c.die) == DW_TAG_namespace && depth < DEPTH)
			links_places_below(s, &c.die, depth + 1);
	}
}

void
links_places(struct arena *a, Dwarf *dwarf, const struct links_place *v,
	     size_t n)
{
	struct links_search s = { .arena = a, .v = v, .n = n, .left = ENTRIES };
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;

	while (s.found < n &&
	       dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &die, NULL) == 0)
		if (dwarf_tag(&die) == DW_TAG_compile_unit)
			links_places_below(&s, &die, 0);
}
