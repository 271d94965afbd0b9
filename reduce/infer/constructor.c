/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constructors, virtual tables and type information. */
#include "reduce/infer/constructor.h"
#include "reduce/base/names.h"
#include "reduce/dwarf/dies.h"
#include "reduce/elf/elffile.h"
#include "reduce/symbols/symbols.h"
#include "reduce/symbols/symbols_elf.h"
#include "reduce/symbols/symbols_name.h"
#include "reduce/infer/die.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* The most entries of a function that are looked at. */
#define CHILDREN 64u

/* The most symbols of a file that are looked at. */
#define SYMBOLS 4000000

/* Are the names equal, except for template arguments? */
static bool
same_base(const char *a, const char *b)
{
	size_t n = strcspn(a, "<");

	return n && n == strcspn(b, "<") && memcmp(a, b, n) == 0;
}

bool
guess_constructor_class(const struct guess_call *c, const Dwarf_Die *die,
			Dwarf_Die *class)
{
	const char *name = dies_name(die), *of;

	if (!name || !guess_die_within(c, die, class) || !dies_is_class(class))
		return false;
	of = dwarf_diename(class);
	return of && same_base(name, of);
}

/* Find the first parameter, which the compiler added. */
static bool
this_of(const Dwarf_Die *scope, Dwarf_Die *this)
{
	unsigned left = CHILDREN;
	struct dies_child c;
	const char *name;
	bool more;

	for (more = dies_child(&c, scope, &left); more; more = dies_next(&c)) {
		if (dwarf_tag(&c.die) != DW_TAG_formal_parameter)
			continue;
		*this = c.die;
		name = dies_name(this);
		return name && strcmp(name, "this") == 0;
	}
	return false;
}

enum guess_this
guess_constructor_this(const Dwarf_Die *scope, const struct guess_flow *f,
		       int64_t *off)
{
	struct guess_value v;
	Dwarf_Attribute a;
	struct dies_location at;
	Dwarf_Die this;
	Dwarf_Op *op;
	size_t n, used;

	*off = 0;
	if (!this_of(scope, &this) || !dwarf_attr(&this, DW_AT_location, &a) ||
	    dwarf_getlocation_addr(&a, f->now.pc, &op, &n, 1) < 1 || !n)
		return GUESS_THIS_UNKNOWN;
	used = dies_location(op, n, &at);
	/* A variable in a frame, or the address of a global variable. */
	if ((op->atom == DW_OP_fbreg || op->atom == DW_OP_addr) && n > 1 &&
	    op[n - 1].atom == DW_OP_stack_value)
		return GUESS_THIS_OTHER;
	if (used != n || at.reg >= GUESS_REGS ||
	    (at.where != DIES_REGISTER && at.where != DIES_VALUE))
		return GUESS_THIS_UNKNOWN;
	v = guess_state_value(f, f->now.reg[at.reg]);
	if (v.kind != GUESS_SYM_VALUE)
		return GUESS_THIS_OTHER;
	*off = (int64_t)((uint64_t)v.off + (uint64_t)at.off);
	return GUESS_THIS_OBJECT;
}

/* --------------------------------------------------------------- symbols -- */

/* A symbol to find: see symbol_at(). */
struct sought {
	uint64_t addr;
	const char *prefix, *name;
	size_t looked; /* symbols looked at so far */
};

static int
is_sought(void *arg, const GElf_Sym *sym, const char *name)
{
	struct sought *s = arg;
	const char *prefix = s->prefix;

	if (s->looked++ == SYMBOLS)
		return 1;
	if (sym->st_shndx == SHN_UNDEF || s->addr < sym->st_value ||
	    (s->addr != sym->st_value &&
	     (!*prefix || s->addr - sym->st_value >= sym->st_size)) ||
	    !*name || strncmp(name, prefix, strlen(prefix)) != 0 ||
	    (!*prefix && GELF_ST_TYPE(sym->st_info) != STT_FUNC))
		return 0;
	s->name = name;
	return 1;
}

static const char *
file_find(Elf *elf, uint64_t addr, const char *prefix)
{
	struct sought s = { .addr = addr, .prefix = prefix };

	elffile_symbols(elf, SHT_NULL, is_sought, &s);
	return s.name;
}

/*
 * The symbol with the prefix that contains the address.  Without a prefix: the
 * function that starts at the address.
 */
static const char *
symbol_at(const struct guess_call *c, uint64_t addr, const char *prefix)
{
	Elf *debug = dwarf_getelf(c->debug->dwarf);
	const struct symbols_symbol *s;
	const char *name;

	if (!*prefix && c->debug->table) {
		s = symbols_elf_at(c->debug->table, addr);
		return s && s->value == addr ? s->name : NULL;
	}
	name = file_find(c->debug->elf, addr, prefix);
	if (!name && debug != c->debug->elf)
		name = file_find(debug, addr, prefix);
	return name;
}

const char *
guess_constructor_symbol(const struct guess_call *c, const struct guess_flow *f,
			 uint16_t sym, const char *prefix)
{
	struct guess_value v = guess_state_value(f, sym);
	const char *name;

	if (v.kind == GUESS_SYM_FIXED && v.off > 0)
		return symbol_at(c, (uint64_t)v.off, prefix);
	if (v.kind != GUESS_SYM_LOAD)
		return NULL;
	v = guess_state_value(f, f->sym[v.sym].a);
	if (v.kind != GUESS_SYM_FIXED)
		return NULL;
	name = guess_code_callee(f->code, 0, (uint64_t)v.off);
	return name && strncmp(name, prefix, strlen(prefix)) == 0 ? name : NULL;
}

char *
guess_constructor_plain(const char *symbol)
{
	static const char *const before[] = { "vtable for ", "typeinfo for " };
	char *plain = symbols_demangle(symbol);
	size_t i, n;

	for (i = 0; plain && i < sizeof before / sizeof *before; i++) {
		n = strlen(before[i]);
		if (strncmp(plain, before[i], n) == 0) {
			memmove(plain, plain + n, strlen(plain + n) + 1);
			return plain;
		}
	}
	free(plain);
	return NULL;
}

/* ----------------------------------------------------------------- calls -- */

bool
guess_constructor_entry(const struct guess_call *c, uint64_t addr,
			Dwarf_Die *function)
{
	struct symbols_unit *unit =
		addr ? symbols_units_at(c->debug->units, addr) : NULL;
	const struct symbols_scope *s;

	s = unit ? symbols_unit_scope(unit, addr) : NULL;
	while (s && s->inlined && s->parent)
		s = &unit->scopes[s->parent - 1];
	if (!s || s->inlined || s->entry != addr)
		return false;
	*function = symbols_unit_entry(unit, s);
	return true;
}

bool
guess_constructor_referred(const Dwarf_Die *type, Dwarf_Die *to)
{
	Dwarf_Die at = *type;

	dies_peel(&at);
	return (dwarf_tag(&at) == DW_TAG_reference_type ||
		dwarf_tag(&at) == DW_TAG_rvalue_reference_type) &&
	       dies_type(&at, to);
}

const char *
guess_constructor_function(const struct guess_call *c,
			   const struct guess_code *code, uint64_t target,
			   uint64_t slot)
{
	const char *name = guess_code_callee(code, target, slot);

	return name || !target ? name : symbol_at(c, target, "");
}

/*
 * The class in "a::b<c>::b(int)", which is "a::b<c>"; NULL if it isn't a
 * constructor.  Truncates `plain' there.
 */
static const char *
constructed(char *plain, char *base, size_t room)
{
	const char *class, *own;
	struct names_parts p;
	size_t n;

	names_split(plain, &p);
	own = plain + p.own;
	if (p.scope == p.start || plain[p.end] != '(')
		return NULL;
	plain[p.scope] = '\0';
	plain += p.start;
	names_split(plain, &p);
	class = plain + p.own;
	n = strcspn(class, "<");
	if (!n || n >= room || strncmp(class, own, n) != 0 ||
	    (own[n] != '(' && own[n] != '<'))
		return NULL;
	memcpy(base, class, n);
	base[n] = '\0';
	return plain;
}

static bool
constructor_by_name(const struct guess_call *c, const char *linkage,
		    struct guess_constructed *of)
{
	char *plain = symbols_demangle(linkage);
	struct arena a = { 0 };
	const char *name;

	name = plain ? constructed(plain, of->base, sizeof of->base) : NULL;
	name = name ? names_type_clean(&a, name) : NULL;
	of->name =
		name ? symbols_pool_intern(c->pool, name, strlen(name)) : NULL;
	arena_fini(&a);
	free(plain);
	return of->name != NULL;
}

bool
guess_constructor_callee(const struct guess_call *c,
			 const struct guess_code *code,
			 const struct guess_step *s,
			 struct guess_constructed *of)
{
	const char *linkage;
	Dwarf_Die die;

	of->known = false;
	of->name = NULL;
	if (guess_constructor_entry(c, s->target, &die)) {
		of->known = guess_constructor_class(c, &die, &of->class);
		return of->known;
	}
	linkage = guess_constructor_function(c, code, s->target,
					     guess_step_slot(s));
	/* Linker names of constructors contain C1 or C2. */
	return linkage && strncmp(linkage, "_ZN", 3) == 0 &&
	       (strstr(linkage, "C1") || strstr(linkage, "C2")) &&
	       constructor_by_name(c, linkage, of);
}

bool
guess_constructor_declared(const struct guess_call *c,
			   const struct symbols_unit *unit,
			   const struct guess_constructed *of, Dwarf_Die *class)
{
	struct symbols_units *units = c->debug->units;
	struct symbols_withins *in = (struct symbols_withins *)&unit->withins;
	const char *name;
	size_t i;

	symbols_withins_load(in, &units->scan, &unit->code);
	for (i = 0; symbols_withins_entry(in, &unit->code, i, class); i++) {
		if (!dies_is_class(class))
			continue;
		name = dwarf_diename(class);
		if (!name || !same_base(name, of->base) || !dies_size(class))
			continue;
		name = guess_die_name(c, class);
		if (name && strcmp(name, of->name) == 0)
			return true;
	}
	return false;
}
