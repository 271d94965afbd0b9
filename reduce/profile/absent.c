/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that exist but are in no call path: see profile.h. */
#include "reduce/profile/profile.h"

#include "reduce/base/guard.h"
#include "reduce/dwarf/dies.h"
#include "reduce/binaries/debugfile.h"
#include "reduce/model/stages.h"
#include "reduce/symbols/symbols.h"
#include "reduce/symbols/symbols_name.h"

#include <stdlib.h>
#include <string.h>

/* The most entries of one unit to look at. */
enum { ENTRIES_MOST = 1 << 20 };

/* The most nested scopes; only a damaged file has more. */
enum { DEPTH = 32 };

struct absent {
	struct symbols *symbols;
	size_t module;
	const char *name; /* as the user gave it: "f", "space::f" */
	enum profile_absent found;
};

/* Is the symbol's name, or its demangled name, or the end of that, `name'? */
static bool
is_name(const char *linkage, const char *name)
{
	const char *last = strrchr(name, ':');
	char *text;
	size_t n, length = strlen(name);
	bool is;

	if (!strcmp(linkage, name))
		return true;
	/* Saves most of the demangling. */
	if (!strstr(linkage, last ? last + 1 : name))
		return false;
	text = symbols_demangle(linkage);
	if (!text)
		return false;
	n = strcspn(text, "(");
	is = n >= length && !memcmp(text + n - length, name, length) &&
	     (n == length || text[n - length - 1] == ':');
	free(text);
	return is;
}

static int
is_symbol(void *arg, const GElf_Sym *sym, const char *name)
{
	const struct absent *x = arg;

	return GELF_ST_TYPE(sym->st_info) == STT_FUNC &&
	       sym->st_shndx != SHN_UNDEF && is_name(name, x->name);
}

/* Does it contain a tail call?  left: entries that may still be looked at. */
static bool
has_tail_call(const Dwarf_Die *die, unsigned *left, int depth)
{
	struct dies_child c;
	Dwarf_Attribute a;
	bool more;

	if (depth > DEPTH)
		return false;
	for (more = dies_child(&c, die, left); more; more = dies_next(&c)) {
		switch (dwarf_tag(&c.die)) {
		case DW_TAG_call_site:
		case DW_TAG_GNU_call_site:
			if (dwarf_attr(&c.die, DW_AT_call_tail_call, &a) ||
			    dwarf_attr(&c.die, DW_AT_GNU_tail_call, &a))
				return true;
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_inlined_subroutine:
			if (has_tail_call(&c.die, left, depth + 1))
				return true;
			break;
		default:
			break;
		}
	}
	return false;
}

/* Look at a function's entry in the debug information. */
static void
look_at(struct absent *x, const Dwarf_Die *die, unsigned *left)
{
	const char *name = dies_linkage(die);
	Dwarf_Addr low;

	if (!name)
		name = dies_name(die);
	if (!name || !is_name(name, x->name) ||
	    dwarf_lowpc((Dwarf_Die *)die, &low) != 0)
		return;
	if (x->found < PROFILE_ABSENT_THERE)
		x->found = PROFILE_ABSENT_THERE;
	if (has_tail_call(die, left, 0))
		x->found = PROFILE_ABSENT_TAIL;
}

/* Look for functions in a unit, a namespace or a class. */
static void
absent_scope(struct absent *x, const Dwarf_Die *die, unsigned *left, int depth)
{
	struct dies_child c;
	bool more;

	if (depth > DEPTH)
		return;
	for (more = dies_child(&c, die, left); more; more = dies_next(&c)) {
		if (x->found == PROFILE_ABSENT_TAIL)
			return;
		if (dwarf_tag(&c.die) == DW_TAG_subprogram)
			look_at(x, &c.die, left);
		else if (dwarf_tag(&c.die) == DW_TAG_namespace ||
			 dies_is_class_tag(dwarf_tag(&c.die)))
			absent_scope(x, &c.die, left, depth + 1);
	}
}

static int
absent_look(void *arg)
{
	struct absent *x = arg;
	const struct debugfile *f = symbols_file(x->symbols, x->module);
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;

	if (!f)
		return 0;
	if (elffile_symbols(f->elf, SHT_NULL, is_symbol, x) ||
	    elffile_symbols(f->debug, SHT_NULL, is_symbol, x))
		x->found = PROFILE_ABSENT_THERE;
	while (f->dwarf && x->found != PROFILE_ABSENT_TAIL &&
	       !dwarf_get_units(f->dwarf, unit, &unit, NULL, NULL, &die,
				NULL)) {
		unsigned left = ENTRIES_MOST;

		absent_scope(x, &die, &left, 0);
	}
	return 0;
}

enum profile_absent
profile_absent(const struct profile *p, const char *name)
{
	struct absent x = { .name = name };
	enum profile_absent found = PROFILE_ABSENT_UNKNOWN;

	if (p->priv)
		x.symbols = p->priv->symbols;
	for (; x.symbols && x.module + 1 < p->nmodules; x.module++) {
		x.found = PROFILE_ABSENT_UNKNOWN;
		if (guard_run(symbols_path(x.symbols, x.module), absent_look,
			      &x) == GUARD_FAULT)
			symbols_give_up(x.symbols, x.module);
		else if (found < x.found)
			found = x.found;
	}
	return found;
}
