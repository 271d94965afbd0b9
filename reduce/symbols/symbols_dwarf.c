/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines and inlined functions. */
#define _GNU_SOURCE
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/symbols/symbols_dwarf.h"
#include "reduce/base/names.h"
#include "reduce/dwarf/dies.h"

/* The longest qualified name, in bytes and parts. */
#define NAME_MAX_BYTES 4096
#define NAME_MAX_PARTS 64

/* The most places in a name that may be a constructor's. */
#define STRUCTORS_MAX 8

/* A function, from its abstract entry. */
struct symbols_function {
	const char *name;
	const char *linkage; /* of the symbol; NULL: not known */
	const char *file;
	unsigned line;
	uint64_t entry;
};

void
symbols_dwarf_load(struct symbols_dwarf *d, Dwarf *dwarf,
		   const struct symbols_elf *elf, struct symbols_names *names,
		   const char *module)
{
	d->elf = elf;
	d->names = names;
	d->seed = hash_bytes(HASH_BYTES, module, strlen(module) + 1);
	symbols_units_load(&d->units, dwarf);
}

void
symbols_dwarf_fini(struct symbols_dwarf *d)
{
	symbols_units_fini(&d->units);
	hash_fini(&d->known);
	free(d->v);
	*d = (struct symbols_dwarf){ 0 };
}

static const char *
symbols_dwarf_intern(struct symbols_dwarf *d, const char *s)
{
	const char *t =
		s ? symbols_pool_intern(&d->names->pool, s, strlen(s)) : NULL;

	return t ? t : "";
}

/* The source file whose number is in the attribute, or "". */
static const char *
attr_file(struct symbols_dwarf *d, const Dwarf_Attribute *a)
{
	const struct symbols_unit *unit;
	Dwarf_Die die = { 0 };
	char path[DIES_PATH];

	if (!a)
		return "";
	die.cu = a->cu;
	unit = symbols_units_of(&d->units, &die);
	dies_file(a, unit ? &unit->die : NULL, path);
	return symbols_dwarf_intern(d, path);
}

static bool
has_flag(const Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Die at = *die;
	Dwarf_Attribute a;
	bool flag = false;

	return dwarf_attr_integrate(&at, attribute, &a) &&
	       dwarf_formflag(&a, &flag) == 0 && flag;
}

/* A class with this function, but without a name, is a lambda. */
#define CALL_OPERATOR "operator()"

/* inner: the name of the entry inside of this one, or NULL. */
static const char *
part_name(const Dwarf_Die *die, const char *inner)
{
	const char *name = dies_scope(die);

	if (name)
		return name;
	return inner && strcmp(inner, CALL_OPERATOR) == 0 ? "{lambda}"
							  : "<unnamed>";
}

/* The name with the names of all enclosing entries, outermost first. */
static const char *
qualified_name(struct symbols_dwarf *d, const Dwarf_Die *die)
{
	Dwarf_Die at = symbols_unit_follow(die, DW_AT_specification);
	struct symbols_unit *unit = symbols_units_of(&d->units, &at);
	const char *parts[NAME_MAX_PARTS];
	char text[NAME_MAX_BYTES];
	size_t n = 0, used = 0;

	parts[n++] = part_name(die, NULL);
	if (unit && dies_scoped(&unit->code))
		while (n < NAME_MAX_PARTS &&
		       symbols_units_within(&d->units, unit, &at, &at))
			parts[n] = part_name(&at, parts[n - 1]), n++;
	while (n--) {
		size_t length = strlen(parts[n]);

		if (length > sizeof text - 3 - used)
			break;
		memcpy(text + used, parts[n], length);
		used += length;
		memcpy(text + used, "::", n ? 2 : 0);
		used += n ? 2 : 0;
	}
	return symbols_pool_intern(&d->names->pool, text, used);
}

/* A function's out-of-line copies may be in other units than the function. */
static bool
copy_counts(struct symbols_dwarf *d, const struct symbols_copy *copy,
	    const struct symbols_unit *home, const struct symbols_unit *unit)
{
	return !home || !home->partial || &d->units.v[copy->unit] == unit;
}

/*
 * The symbol of the function with this abstract entry, as seen from the unit.
 * A symbol that isn't a clone is preferred, then the lowest address.
 */
static const struct symbols_symbol *
copy_symbol(struct symbols_dwarf *d, struct symbols_unit *unit,
	    const Dwarf_Die *origin)
{
	struct symbols_unit *home = symbols_units_of(&d->units, origin);
	const struct symbols_symbol *best = NULL, *s, *whole;
	bool external = has_flag(origin, DW_AT_external);
	struct symbols_copy *copy;
	uint32_t i;

	/* Link-time optimization puts the code into units of its own. */
	if (home && home != unit && !home->partial)
		symbols_units_copies(&d->units);
	i = hash_find(&d->units.origins, (uintptr_t)origin->addr, 0, 0);
	for (i = i == HASH_NONE ? 0 : i + 1; i; i = copy->next) {
		copy = &d->units.copies[i - 1];
		s = symbols_elf_at(d->elf, copy->entry);
		if (!s || !copy_counts(d, copy, home, unit))
			continue;
		/* A deleting destructor does more than the destructor. */
		if (memmem(s->name, s->length, "D0Ev", 4))
			continue;
		whole = symbols_elf_whole(d->elf, s);
		/* A static function isn't a global one of another unit. */
		if (external || whole->group == s->group)
			s = whole;
		if (!best ||
		    symbols_elf_is_clone(s) < symbols_elf_is_clone(best) ||
		    (symbols_elf_is_clone(s) == symbols_elf_is_clone(best) &&
		     s->value < best->value))
			best = s;
	}
	return best;
}

/*
 * The abstract entry of a constructor or destructor has a name of no kind (C4,
 * D4).  Look for the complete one, then for the base one.
 */
static const struct symbols_symbol *
constructor_symbol(const struct symbols_elf *elf, const char *name)
{
	const struct symbols_symbol *s;
	size_t length = strlen(name), i, places = 0;
	char other[NAME_MAX_BYTES];

	if (length < 6 || length >= sizeof other)
		return NULL;
	memcpy(other, name, length + 1);
	for (i = length - 3; i > 3; i--) {
		if ((name[i] != 'C' && name[i] != 'D') || name[i + 1] != '4')
			continue;
		if (name[i + 2] != 'E' && name[i + 2] != 'I')
			continue;
		if (places++ == STRUCTORS_MAX)
			break;
		for (other[i + 1] = '1'; other[i + 1] < '3'; other[i + 1]++) {
			s = symbols_elf_named(elf, other, length, 0);
			if (s)
				return s;
		}
		other[i + 1] = '4';
	}
	return NULL;
}

static const struct symbols_symbol *
real_symbol(struct symbols_dwarf *d, struct symbols_unit *unit,
	    const Dwarf_Die *origin, const char *linkage)
{
	const struct symbols_symbol *s = copy_symbol(d, unit, origin);
	Dwarf_Die at = *origin;
	const char *name = linkage ? linkage : dwarf_diename(&at);

	/* Only a name that other units can see is unique. */
	if (s || !name || !has_flag(origin, DW_AT_external))
		return s;
	s = symbols_elf_named(d->elf, name, strlen(name), 0);
	return s ? s : constructor_symbol(d->elf, name);
}

/* Is a "_ZN1AC4Ev" for b "_ZN1AC1Ev" or "_ZN1AC2Ev"? */
static bool
same_constructor(const char *a, const char *b, size_t n)
{
	size_t i = 1;

	while (i < n && a[i] == b[i])
		i++;
	return i + 1 < n && a[i] == '4' &&
	       (a[i - 1] == 'C' || a[i - 1] == 'D') && b[i] >= '1' &&
	       b[i] <= '5' && memcmp(a + i + 1, b + i + 1, n - i - 1) == 0;
}

/*
 * Does the symbol have the function's own name?  One address can have the
 * symbols of several functions, because compilers fold functions with the same
 * code.
 */
static bool
symbols_dwarf_has_name(const struct symbols_symbol *s, const char *linkage,
		       const char *name)
{
	size_t n = names_linked(s->name, s->length), length;

	if (!linkage && !name)
		return true;
	if (!linkage && s->name[0] == '_' && s->name[1] == 'Z')
		return memmem(s->name, n, name, strlen(name));
	if (!linkage)
		linkage = name;
	length = names_linked(linkage, strcspn(linkage, "@"));
	return n == length && (memcmp(linkage, s->name, n) == 0 ||
			       same_constructor(linkage, s->name, n));
}

/* Set where the function is defined; if the compiler made it, its class. */
static void
place_fill(struct symbols_dwarf *d, const Dwarf_Die *origin,
	   struct symbols_function *f)
{
	Dwarf_Die at = *origin;
	struct symbols_unit *unit;
	Dwarf_Attribute a;

	if (!dwarf_hasattr_integrate(&at, DW_AT_decl_line)) {
		at = symbols_unit_follow(&at, DW_AT_specification);
		unit = symbols_units_of(&d->units, &at);
		if (!unit || !symbols_units_within(&d->units, unit, &at, &at) ||
		    !dies_is_class(&at))
			return;
	}
	f->file = attr_file(d, dwarf_attr_integrate(&at, DW_AT_decl_file, &a));
	f->line = dies_number(dwarf_attr_integrate(&at, DW_AT_decl_line, &a));
}

static void
function_fill(struct symbols_dwarf *d, struct symbols_unit *unit,
	      const Dwarf_Die *origin, struct symbols_function *f)
{
	const char *linkage = dies_linkage(origin);
	Dwarf_Die at = *origin;
	const struct symbols_symbol *s;
	uint64_t key = d->seed, offset = dwarf_dieoffset(&at);

	s = real_symbol(d, unit, origin, linkage);
	if (s && !symbols_dwarf_has_name(s, linkage, dwarf_diename(&at)))
		s = NULL;
	*f = (struct symbols_function){ .file = "" };
	place_fill(d, origin, f);
	if (s)
		f->linkage = symbols_names_plain(d->names, s->name, s->length);
	else if (linkage)
		f->linkage = symbols_names_plain(d->names, linkage,
						 strcspn(linkage, "@"));
	if (s)
		f->name = symbols_names_show(d->names, s->name, s->length);
	else if (linkage)
		f->name = symbols_names_show(d->names, linkage,
					     strcspn(linkage, "@"));
	else if (has_flag(origin, DW_AT_external))
		f->name = symbols_dwarf_intern(d, part_name(origin, NULL));
	else
		f->name = qualified_name(d, origin);
	if (!f->name)
		f->name = "";
	key = hash_bytes(key, f->name, strlen(f->name) + 1);
	key = hash_bytes(key, f->file, strlen(f->file) + 1);
	/* Without a linkage name, several functions may have the same name. */
	if (!linkage)
		key = hash_bytes(key, &f->line, sizeof f->line);
	if (!linkage && !f->line)
		key = hash_bytes(key, &offset, sizeof offset);
	f->entry = s ? s->value : key | SYMBOLS_KEY;
}

/* The function of a scope. */
static const struct symbols_function *
symbols_dwarf_function_of(struct symbols_dwarf *d, struct symbols_unit *unit,
			  const Dwarf_Die *die)
{
	Dwarf_Die origin = symbols_unit_follow(die, DW_AT_abstract_origin);
	struct symbols_unit *home = symbols_units_of(&d->units, &origin);
	uint64_t seen_from = 0;
	uint32_t i;

	if (home && home->partial)
		seen_from = (uint64_t)(unit - d->units.v) + 1;
	if (d->n >= HASH_NONE)
		heap_out();
	ARRAY_ROOM(d->v, d->room, d->n + 1);
	i = hash_intern(&d->known, (uintptr_t)origin.addr, seen_from, 0,
			(uint32_t)d->n);
	if (i == d->n) {
		d->n++;
		function_fill(d, unit, &origin, &d->v[i]);
	}
	return &d->v[i];
}

static void
frame_fill(struct symbols_dwarf *d, struct symbols_unit *unit,
	   const struct symbols_scope *scope, struct symbols_frame *frame)
{
	Dwarf_Die die = symbols_unit_entry(unit, scope);
	const struct symbols_function *f =
		symbols_dwarf_function_of(d, unit, &die);

	frame->inlined = scope->inlined;
	frame->name = f->name;
	frame->linkage = f->linkage;
	frame->known = true;
	frame->entry = f->entry;
	/* A function with code has an address, even without a symbol. */
	if (!scope->inlined && (f->entry & SYMBOLS_KEY))
		frame->entry = scope->entry;
	frame->def_file = f->file;
	frame->def_line = f->line;
}

/* Where the inlined function was called. */
static void
call_site(struct symbols_dwarf *d, const struct symbols_unit *unit,
	  const struct symbols_scope *scope, struct symbols_frame *frame)
{
	Dwarf_Die at = symbols_unit_entry(unit, scope);
	Dwarf_Attribute a;

	frame->file = attr_file(d, dwarf_attr(&at, DW_AT_call_file, &a));
	frame->line = dies_number(dwarf_attr(&at, DW_AT_call_line, &a));
}

static void
symbols_dwarf_line_of(struct symbols_dwarf *d, struct symbols_unit *unit,
		      uint64_t addr, struct symbols_frame *frame)
{
	Dwarf_Line *line = dwarf_getsrc_die(&unit->die, addr);
	char path[DIES_PATH];
	const char *file;
	int n;

	if (!line)
		return;
	file = dwarf_linesrc(line, NULL, NULL);
	if (file && dies_path(file, &unit->die, path))
		frame->file = symbols_dwarf_intern(d, path);
	if (dwarf_lineno(line, &n) == 0 && n > 0)
		frame->line = (unsigned)n;
}

/*
 * Is the scope a part that the compiler split off the surrounding function and
 * then inlined again?  The place of such a call is the function's declaration.
 * A call in the source has a place behind that, possibly on the same line.
 */
static bool
is_split(const struct symbols_unit *unit, const struct symbols_scope *scope)
{
	Dwarf_Die at = symbols_unit_entry(unit, scope), origin, around;
	Dwarf_Attribute a, b;
	unsigned line;

	if (!scope->inlined || !scope->parent)
		return false;
	origin = symbols_unit_follow(&at, DW_AT_abstract_origin);
	around = symbols_unit_entry(unit, &unit->scopes[scope->parent - 1]);
	around = symbols_unit_follow(&around, DW_AT_abstract_origin);
	line = dies_number(dwarf_attr(&at, DW_AT_call_line, &a));
	return origin.addr == around.addr && line &&
	       line == dies_number(dwarf_attr_integrate(&origin,
							DW_AT_decl_line, &b)) &&
	       dies_number(dwarf_attr(&at, DW_AT_call_column, &a)) ==
		       dies_number(dwarf_attr_integrate(&origin,
							DW_AT_decl_column, &b));
}

size_t
symbols_dwarf_find(struct symbols_dwarf *d, uint64_t addr,
		   struct symbols_frame *frames)
{
	static const struct symbols_frame empty = { .file = "",
						    .def_file = "" };
	struct symbols_unit *unit = symbols_units_at(&d->units, addr);
	const struct symbols_scope *scope;
	size_t n = 0;

	if (!unit)
		return 0;
	scope = symbols_unit_scope(unit, addr);
	frames[0] = empty;
	symbols_dwarf_line_of(d, unit, addr, &frames[0]);
	while (scope) {
		if (is_split(unit, scope)) {
			scope = &unit->scopes[scope->parent - 1];
			continue;
		}
		frame_fill(d, unit, scope, &frames[n]);
		if (!scope->inlined || n + 1 == SYMBOLS_DWARF_FRAMES)
			break;
		frames[++n] = empty;
		call_site(d, unit, scope, &frames[n]);
		scope = scope->parent ? &unit->scopes[scope->parent - 1] : NULL;
	}
	frames[n].inlined = false;
	return n + 1;
}
