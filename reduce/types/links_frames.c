/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of places on threads' stacks. */
#include "reduce/types/links_parts.h"
#include "reduce/base/clean.h"
#include "reduce/base/guard.h"
#include "reduce/base/str.h"
#include "reduce/dwarf/dies.h"
#include "reduce/symbols/symbols.h"

#include <dwarf.h>
#include <stdio.h>
#include <string.h>

/* Longer names are shortened; the most entries of a function to look at. */
enum { NAME_LENGTH = 512, ENTRIES = 20000, DEPTH = 32 };

struct links_variable {
	struct symbols *symbols;
	size_t module;
	uint64_t pc;
	int64_t at; /* its byte, relative to the CFA */
	char name[NAME_LENGTH];
	unsigned left;
};

/* Does the variable contain the byte, at the pc? */
static bool
links_is_there(const struct links_variable *v, Dwarf_Die *die)
{
	struct dies_location where;
	Dwarf_Attribute a;
	Dwarf_Die type;
	Dwarf_Op *op;
	size_t n;
	uint64_t size;

	if (!dwarf_attr_integrate(die, DW_AT_location, &a) ||
	    dwarf_getlocation_addr(&a, v->pc, &op, &n, 1) != 1 || n != 1 ||
	    dies_location(op, n, &where) != 1 || where.where != DIES_FRAME)
		return false;
	size = dies_type(die, &type) ? dies_size(&type) : 0;
	return v->at >= where.off &&
	       v->at - where.off < (int64_t)(size ? size : sizeof(uint64_t));
}

static void
links_scope(struct links_variable *v, const Dwarf_Die *scope, unsigned depth)
{
	struct dies_child c;
	const char *name;

	for (bool more = dies_child(&c, scope, &v->left); more && !*v->name;
	     more = dies_next(&c))
		switch (dwarf_tag(&c.die)) {
		case DW_TAG_variable:
		case DW_TAG_formal_parameter:
			name = dies_name(&c.die);
			if (name && links_is_there(v, &c.die))
				snprintf(v->name, sizeof(v->name), "%s", name);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_inlined_subroutine:
			if (depth < DEPTH && dwarf_haspc(&c.die, v->pc) > 0)
				links_scope(v, &c.die, depth + 1);
			break;
		default:
			break;
		}
}

/* Works only for functions whose variables are relative to the CFA. */
static int
links_variable_find(void *arg)
{
	struct links_variable *v = arg;
	struct dies_location base;
	struct symbols_debug d;
	Dwarf_Attribute a;
	Dwarf_Op *op;
	size_t n;

	if (!symbols_debug(v->symbols, v->module, v->pc + 1, &d) || !d.n ||
	    !dwarf_attr_integrate(&d.die[d.n - 1], DW_AT_frame_base, &a) ||
	    dwarf_getlocation(&a, &op, &n) != 0 || n != 1 ||
	    dies_location(op, n, &base) != 1 || base.where != DIES_CFA)
		return 0;
	links_scope(v, &d.die[d.n - 1], 0);
	return 0;
}

const char *
links_frame(struct profile *p, uint64_t module, uint64_t pc, uint64_t below)
{
	const struct symbols_frame *f;
	struct links_variable v = { .symbols = p->priv->symbols,
				    .module = module - 1,
				    .pc = pc,
				    .at = -(int64_t)below,
				    .left = ENTRIES };
	char text[4 * NAME_LENGTH], line[NAME_LENGTH] = "";
	size_t n;

	if (!module)
		return "";
	n = symbols_find(v.symbols, v.module, pc + 1, &f);
	if (below < LINK_FAR &&
	    guard_run(symbols_path(v.symbols, v.module), links_variable_find,
		      &v) == GUARD_FAULT)
		symbols_give_up(v.symbols, v.module);
	if (*f[n - 1].file && f[n - 1].line)
		snprintf(line, sizeof(line), " (%.300s:%u)",
			 str_basename(f[n - 1].file), f[n - 1].line);
	snprintf(text, sizeof(text), "in %.*s%s%s%s", NAME_LENGTH - 1,
		 f[n - 1].name, line, *v.name ? LINK_VARIABLE : "", v.name);
	return clean_name(&p->priv->arena, text);
}
