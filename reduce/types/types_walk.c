/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the types in debug information. */
#include <dwarf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/types/types_walk.h"
#include "reduce/dwarf/dies.h"
#include "reduce/dwarf/scan.h"
#include "reduce/symbols/symbols_name.h"
#include "reduce/symbols/symbols_pool.h"
#include "reduce/types/types_place.h"

#define NAME_BYTES 8192 /* longer qualified names are shortened */

struct walk {
	Dwarf *dwarf;
	struct symbols_pool *pool;
	struct types_visit *visit;
	struct scan scan;
	struct hash seen;   /* types that were added, by name and other
			     * properties */
	struct hash splits; /* files of split units */
	/* For the current unit. */
	bool scoped; /* names have namespaces before them */
	struct types_files files;
	/* By depth: "a::b::", the prefix of names inside of the entry; "" none;
	 * made when needed. */
	struct {
		const unsigned char *addr;
		const char *text;
	} prefix[SCAN_DEPTH];
	/* Prefixes of types that are only declared, for their definitions in
	 * other places. */
	struct hash declared; /* address of the entry -> index in outer */
	const char **outer;
	size_t nouter;
	size_t outer_room;
	/* Imported units that are in the file that several files share. */
	struct hash imported;
	Dwarf_Die *imports;
	size_t nimports;
	size_t imports_room;
};

/* "a::b::" and "c": "a::b::c", interned. */
static const char *
types_walk_join(struct walk *w, const char *prefix, const char *name,
		const char *end)
{
	size_t p = strlen(prefix), n = strlen(name), e = strlen(end);
	char text[NAME_BYTES];

	if (!p && !e)
		return symbols_pool_intern(w->pool, name, n);
	if (n > sizeof text - e)
		n = sizeof text - e;
	if (p > sizeof text - e - n)
		p = 0;
	memcpy(text, prefix, p);
	memcpy(text + p, name, n);
	memcpy(text + p + n, end, e);
	return symbols_pool_intern(w->pool, text, p + n + e);
}

/* The size in bytes; 0: none, or only declared. */
static uint64_t
types_walk_size_of(Dwarf_Die *die)
{
	Dwarf_Attribute a;
	Dwarf_Word size;

	if (dwarf_hasattr(die, DW_AT_declaration) ||
	    !dwarf_attr(die, DW_AT_byte_size, &a) ||
	    dwarf_formudata(&a, &size) != 0)
		return 0;
	return size;
}

/*
 * The size of the struct, class, union or array that a typedef names, or 0.
 * of: that type; of an array, the type of the innermost elements.
 */
static uint64_t
typedef_size(const Dwarf_Die *die, Dwarf_Die *of, bool *is_array)
{
	uint64_t size = 0;
	Dwarf_Die next;
	int i;

	*of = *die;
	dies_peel(of);
	*is_array = dwarf_tag(of) == DW_TAG_array_type;
	if (*is_array || dies_is_class(of))
		size = dies_size(of);
	for (i = 0; i < DIES_PEEL && dwarf_tag(of) == DW_TAG_array_type &&
		    dies_type(of, &next);
	     i++) {
		*of = next;
		dies_peel(of);
	}
	return size;
}

/* The prefix at the type's declaration; prefix: the one at its definition. */
static const char *
outer_of(const struct walk *w, Dwarf_Die *die, const char *prefix)
{
	Dwarf_Attribute a;
	Dwarf_Die decl;
	uint32_t i = HASH_NONE;

	if (dwarf_attr(die, DW_AT_specification, &a) &&
	    dwarf_formref_die(&a, &decl))
		i = hash_find(&w->declared, (uintptr_t)decl.addr, 0, 0);
	return i == HASH_NONE ? prefix : w->outer[i];
}

/* The prefix of names inside of the entry at the depth. */
static const char *
prefix_make(struct walk *w, unsigned depth, const char *outer)
{
	Dwarf_Die die = scan_die(&w->scan, depth);
	int tag = w->scan.tag[depth];
	const char *name = NULL;

	if (dies_is_class_tag(tag))
		name = dies_type_name(&die);
	else if (tag == DW_TAG_namespace || tag == DW_TAG_module ||
		 tag == DW_TAG_subprogram)
		name = dies_scope(&die);
	if (!name)
		return outer;
	if (dies_is_class_tag(tag))
		outer = outer_of(w, &die, outer);
	return types_walk_join(w, outer, name, "::");
}

/* The prefix of the current entry. */
static const char *
prefix_of(struct walk *w)
{
	const struct scan *s = &w->scan;
	unsigned i = s->depth;
	const char *text = "";

	if (!w->scoped)
		return text;
	while (i && w->prefix[i - 1].addr != s->addr[i - 1])
		i--;
	if (i)
		text = w->prefix[i - 1].text;
	for (; i < s->depth && text; i++) {
		text = prefix_make(w, i, text);
		w->prefix[i].addr = text ? s->addr[i] : NULL;
		w->prefix[i].text = text;
	}
	return text;
}

/* Note the prefix of the type that the current entry declares. */
static void
declared_add(struct walk *w, const Dwarf_Die *die)
{
	const char *prefix = prefix_of(w);

	if (!prefix || w->nouter >= HASH_NONE)
		heap_out();
	ARRAY_ROOM(w->outer, w->outer_room, w->nouter + 1);
	hash_intern(&w->declared, (uintptr_t)die->addr, 0, 0,
		    (uint32_t)w->nouter);
	w->outer[w->nouter++] = prefix;
}

/*
 * Was the same type added before?  raw: libdw's pointer to its name; comparing
 * it saves most of the look-ups of names.
 */
static bool
is_seen(struct walk *w, const char *raw, const char *prefix,
	const struct types_found *found, enum types_place declared)
{
	/* A typedef of a type with a name. */
	bool named =
		found->is_typedef && found->die && dies_type_name(found->die);
	uint64_t rest = (uint64_t)declared << 4 | (unsigned)named << 3 |
			(unsigned)!found->die << 2 | (unsigned)w->scoped << 1 |
			(unsigned)found->is_typedef;
	size_t fresh = w->seen.used;
	uint32_t n;

	/* No such type can be right. */
	if (found->size > UINT64_MAX >> 8)
		return true;
	if (fresh >= HASH_NONE)
		heap_out();
	n = hash_intern(&w->seen, (uintptr_t)raw, (uintptr_t)prefix,
			found->size << 8 | rest, (uint32_t)fresh);
	return n != fresh;
}

static int
found_add(struct walk *w, const char *prefix, const char *name,
	  struct types_found *found, enum types_place declared)
{
	char *frame;

	if (is_seen(w, name, prefix, found, declared))
		return 0;
	frame = symbols_coroutine(name);
	found->name = types_walk_join(w, frame ? "" : prefix,
				      frame ? frame : name, "");
	free(frame);
	found->place = types_name_place(found->name, declared, w->scoped);
	if (found->place > TYPES_HEADER && types_name_is_noise(found->name))
		return 0;
	return w->visit->add(found, w->visit->arg);
}

/* Is a type of this size, declared by the entry, asked for? */
static bool
types_walk_is_wanted(struct walk *w, uint64_t size, Dwarf_Die *die)
{
	const struct types_visit *v = w->visit;

	if (!size)
		return false;
	return !v->wants || v->wants(size, v->arg) ||
	       (v->own && types_files_place(&w->files, die) <= TYPES_HEADER);
}

static int
types_walk_type_add(struct walk *w, Dwarf_Die *die)
{
	struct types_found found = { .die = die };
	const char *prefix, *name;

	if (!(w->scan.has & SCAN_SIZE) || (w->scan.has & SCAN_DECLARATION))
		return 0;
	found.size = types_walk_size_of(die);
	if (!types_walk_is_wanted(w, found.size, die))
		return 0;
	name = dies_type_name(die);
	/* The compiler's __va_list_tag has strange names, and no file. */
	if (!name || strstr(name, "__va_list_tag"))
		return 0;
	prefix = prefix_of(w);
	if (w->scoped)
		prefix = outer_of(w, die, prefix);
	return found_add(w, prefix, name, &found,
			 types_files_place(&w->files, die));
}

/* Is the current entry inside of a function? */
static bool
is_local(const struct scan *s)
{
	unsigned i;

	for (i = 0; i < s->depth; i++)
		if (s->tag[i] == DW_TAG_subprogram)
			return true;
	return false;
}

/*
 * Leave out typedefs that never name a heap block: in libraries, those of
 * arrays, and those in functions and classes.  Leave out a class's value_type
 * and the like: it has a name already.
 */
static int
typedef_add(struct walk *w, Dwarf_Die *die)
{
	const struct scan *s = &w->scan;
	bool member = s->depth && dies_is_class_tag(s->tag[s->depth - 1]);
	struct types_found found = { .is_typedef = 1 };
	const char *name = dwarf_diename(die), *target, *prefix;
	enum types_place declared;
	bool is_array;
	Dwarf_Die of;

	found.size = typedef_size(die, &of, &is_array);
	found.die = is_array ? NULL : &of;
	if (!name || !*name || !types_walk_is_wanted(w, found.size, die))
		return 0;
	target = dies_type_name(&of);
	if (target && strstr(target, "__va_list_tag"))
		return 0;
	if (member && target && !is_array)
		return 0;
	declared = types_files_place(&w->files, die);
	if (declared > TYPES_HEADER && (member || is_array || is_local(s)))
		return 0;
	if (types_name_is_reserved(name) && is_local(s))
		return 0;
	if (target && types_name_is_noise(target) &&
	    types_files_place(&w->files, &of) > TYPES_HEADER)
		return 0;
	prefix = prefix_of(w);
	return found_add(w, prefix, name, &found, declared);
}

/* Note the imported unit, if it is in the shared file. */
static void
import(struct walk *w, Dwarf_Die *die)
{
	Dwarf_Attribute a;
	Dwarf_Die unit;
	uint32_t i;

	if (!dwarf_attr(die, DW_AT_import, &a) ||
	    !dwarf_formref_die(&a, &unit) ||
	    dwarf_cu_getdwarf(unit.cu) == w->dwarf || w->nimports >= HASH_NONE)
		return;
	ARRAY_ROOM(w->imports, w->imports_room, w->nimports + 1);
	i = hash_intern(&w->imported, (uintptr_t)unit.addr, 0, 0,
			(uint32_t)w->nimports);
	if (i == w->nimports)
		w->imports[w->nimports++] = unit;
}

/* Tags at which the walk over a unit stops. */
static bool
is_stop(int tag)
{
	return tag == DW_TAG_imported_unit || tag == DW_TAG_typedef ||
	       dies_is_class_tag(tag);
}

static int
entry_add(struct walk *w)
{
	const struct scan *s = &w->scan;
	Dwarf_Die die = scan_die(s, s->depth);

	if (s->tag[s->depth] == DW_TAG_imported_unit) {
		import(w, &die);
		return 0;
	}
	if (s->tag[s->depth] == DW_TAG_typedef)
		return typedef_add(w, &die);
	if (w->scoped && (s->has & SCAN_DECLARATION))
		declared_add(w, &die);
	return types_walk_type_add(w, &die);
}

/* die: the unit's own entry; where: the entry that the linker saw. */
static int
unit_walk(struct walk *w, Dwarf_Die *die, const Dwarf_Die *where)
{
	w->scoped = dies_scoped(die);
	types_files_start(&w->files, die, where);
	scan_start(&w->scan, die, is_stop);
	while (scan_next(&w->scan))
		if (entry_add(w) < 0)
			return -1;
	return 0;
}

/*
 * Walk all units in the file of a split unit, because types are in units of
 * their own.  All split units may be in one file.
 */
static int
split_walk(struct walk *w, const Dwarf_Die *split, const Dwarf_Die *where)
{
	Dwarf *dwarf = dwarf_cu_getdwarf(split->cu);
	uint32_t fresh = (uint32_t)w->splits.used, n;
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;

	n = hash_intern(&w->splits, (uintptr_t)dwarf, 0, 0, fresh);
	if (n != fresh)
		return 0;
	while (dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &die, NULL) == 0)
		if (unit_walk(w, &die, where) < 0)
			return -1;
	return 0;
}

static void
walk_fini(struct walk *w)
{
	scan_fini(&w->scan);
	hash_fini(&w->seen);
	hash_fini(&w->splits);
	hash_fini(&w->declared);
	hash_fini(&w->imported);
	free(w->outer);
	free(w->imports);
	free(w);
}

/* The end of the last unit, in bytes from the start of the section. */
static uint64_t
units_end(Dwarf *dwarf)
{
	Dwarf_Off at = 0, next;
	uint64_t end = 0;

	while (dwarf_next_unit(dwarf, at, &next, NULL, NULL, NULL, NULL, NULL,
			       NULL, NULL) == 0 &&
	       next > at)
		end = at = next;
	return end;
}

int
types_walk(Dwarf *dwarf, struct symbols_pool *pool, struct types_visit *visit)
{
	struct walk *w = heap_array(1, sizeof *w);
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, sub;
	uint64_t end = visit->progress ? units_end(dwarf) : 0;
	uint8_t type;
	size_t i;
	int bad = 0;

	w->dwarf = dwarf;
	w->pool = pool;
	w->visit = visit;
	while (!bad &&
	       dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, &sub) == 0) {
		progress_at(visit->progress, dwarf_dieoffset(&die), end);
		bad = type == DW_UT_skeleton && sub.addr
			      ? split_walk(w, &sub, &die)
			      : unit_walk(w, &die, &die);
	}
	for (i = 0; i < w->nimports && !bad; i++) {
		die = w->imports[i];
		bad = unit_walk(w, &die, &die);
	}
	visit->entries += w->scan.seen;
	walk_fini(w);
	return bad;
}
