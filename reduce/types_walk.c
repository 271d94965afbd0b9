/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding the types in debug information. */
#include <dwarf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/dies.h"
#include "reduce/symbols_pool.h"
#include "reduce/types_name.h"
#include "reduce/types_walk.h"

#define NAME_BYTES 8192 /* longer qualified names are cut */
#define PEEL 16		/* typedefs of typedefs of ... */
#define FILES 64	/* files remembered, a power of two */

struct walk {
	Dwarf *dwarf;
	struct symbols_pool *pool;
	int (*add)(const struct types_found *found, void *arg);
	void *arg;
	/* Of the present unit. */
	Dwarf_Die where;     /* its entry, or the linked one of a split */
	bool scoped;	     /* names have namespaces before them */
	char own[DIES_PATH]; /* its source file, "" unknown */
	struct {
		Dwarf_CU *cu;
		unsigned file;
		enum types_place place;
	} files[FILES];
	const char *prefix[DIES_DEPTH]; /* "a::b::" at each depth; "" none */
	struct dies dies;
	/* What types that are only declared stand in: for definitions that
	 * stand elsewhere. */
	struct hash declared; /* address of the entry -> place in outer */
	const char **outer;
	size_t nouter;
	size_t outer_room;
	/* Units of a file that several files share, as they are imported. */
	struct hash imported;
	Dwarf_Die *imports;
	size_t nimports;
	size_t imports_room;
};

/* Take "x/../" and "./" out of an absolute path.  "" when it's too long. */
static void
normalize(const char *path, char *out)
{
	size_t n = 0;

	while (*path) {
		size_t length = strcspn(path, "/");

		if (n + length + 2 > DIES_PATH) {
			n = 0;
			break;
		}
		if (length == 2 && !memcmp(path, "..", 2)) {
			while (n && out[--n] != '/')
				;
		} else if (length && (length != 1 || *path != '.')) {
			out[n++] = '/';
			memcpy(out + n, path, length);
			n += length;
		}
		path += length + (path[length] == '/');
	}
	out[n] = '\0';
}

static enum types_place
place_of_file(struct walk *w, const Dwarf_Attribute *a)
{
	char path[DIES_PATH], plain[DIES_PATH];

	if (!dies_file(a, &w->where, path))
		return TYPES_HEADER;
	normalize(path, plain);
	if (w->own[0] && strcmp(plain, w->own) == 0)
		return TYPES_OWN;
	return types_name_is_system_path(plain) ? TYPES_SYSTEM : TYPES_HEADER;
}

/* Where the entry is declared; the files of a unit are looked at once. */
static enum types_place
decl_place(struct walk *w, Dwarf_Die *die)
{
	Dwarf_Attribute a;
	Dwarf_Word file;
	size_t i;

	if (!dwarf_attr_integrate(die, DW_AT_decl_file, &a) ||
	    dwarf_formudata(&a, &file) != 0 || file > UINT16_MAX)
		return TYPES_HEADER;
	i = file % FILES;
	if (w->files[i].cu != a.cu || w->files[i].file != file) {
		w->files[i].cu = a.cu;
		w->files[i].file = (unsigned)file;
		w->files[i].place = place_of_file(w, &a);
	}
	return w->files[i].place;
}

/* "a::b::" and "c": "a::b::c", interned.  NULL when out of memory. */
static const char *
join(struct walk *w, const char *prefix, const char *name, const char *end)
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

static bool
is_aggregate(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
	       tag == DW_TAG_union_type || tag == DW_TAG_interface_type;
}

/* The size in bytes; 0: none, or only declared. */
static uint64_t
size_of(Dwarf_Die *die)
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
 * The size of the struct, class, union or array that a typedef is for, or 0.
 * of: that type, or the innermost elements'.
 */
static uint64_t
typedef_size(const Dwarf_Die *die, Dwarf_Die *of, bool *is_array)
{
	Dwarf_Die next;
	Dwarf_Attribute a;
	Dwarf_Word size = 0;
	uint64_t count = 1;
	int i;

	*of = *die;
	*is_array = false;
	for (i = 0; i < PEEL; i++) {
		int tag = dwarf_tag(of);

		if (tag == DW_TAG_array_type) {
			*is_array = true;
			if (__builtin_mul_overflow(count, dies_array_count(of),
						   &count))
				return 0;
		} else if (!is_aggregate(tag) && tag != DW_TAG_typedef &&
			   tag != DW_TAG_const_type &&
			   tag != DW_TAG_volatile_type &&
			   tag != DW_TAG_atomic_type) {
			break;
		}
		if (!dwarf_attr(of,
				is_aggregate(tag) ? DW_AT_signature
						  : DW_AT_type,
				&a) ||
		    !dwarf_formref_die(&a, &next))
			break;
		*of = next;
	}
	if (is_aggregate(dwarf_tag(of)))
		size = size_of(of);
	else if (!*is_array || dwarf_aggregate_size(of, &size) != 0)
		return 0;
	return __builtin_mul_overflow(count, size, &size) ? 0 : size;
}

/*
 * The name of the type, which may be in a unit of its own; or NULL.  gcc calls
 * an unnamed one "typedef main()::t t" for its typedef t.
 */
static const char *
type_name(Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	Dwarf_Attribute a;
	Dwarf_Die type;

	if (!name && dwarf_attr(die, DW_AT_signature, &a) &&
	    dwarf_formref_die(&a, &type))
		name = dwarf_diename(&type);
	return name && !strncmp(name, "typedef ", 8) ? NULL : name;
}

static int
declared_add(struct walk *w, const Dwarf_Die *die, const char *prefix)
{
	if (w->nouter >= HASH_NONE ||
	    symbols_grow(&w->outer, &w->outer_room, w->nouter) < 0 ||
	    hash_intern(&w->declared, (uintptr_t)die->addr, 0, 0,
			(uint32_t)w->nouter) == HASH_NONE)
		return -1;
	w->outer[w->nouter++] = prefix;
	return 0;
}

/* What the type stands in where it is declared; prefix: where it is here. */
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

static int
found_add(struct walk *w, const char *prefix, const char *name,
	  struct types_found *found, enum types_place declared)
{
	found->name = join(w, prefix, name, "");
	if (!found->name)
		return -1;
	found->place = types_name_place(found->name, declared, w->scoped);
	if (found->place > TYPES_HEADER && types_name_is_noise(found->name))
		return 0;
	return w->add(found, w->arg);
}

/* name: the entry's own, or NULL. */
static int
type_add(struct walk *w, Dwarf_Die *die, const char *prefix, const char *name)
{
	struct types_found found = { 0 };

	found.size = size_of(die);
	found.die = die;
	/* The compiler's own __va_list_tag has odd names, and no file. */
	if (!name || !*name || !found.size || strstr(name, "__va_list_tag"))
		return 0;
	return found_add(w, prefix, name, &found, decl_place(w, die));
}

static bool
is_local(const struct dies *d)
{
	unsigned i;

	for (i = 0; i < d->depth; i++)
		if (dwarf_tag((Dwarf_Die *)&d->at[i]) == DW_TAG_subprogram)
			return true;
	return false;
}

/*
 * Those of libraries and what they have inside functions and classes name
 * nothing that is on the heap; a class's value_type nothing new.
 */
static int
typedef_add(struct walk *w, Dwarf_Die *die, unsigned depth, const char *prefix)
{
	bool member = depth && is_aggregate(dwarf_tag(&w->dies.at[depth - 1]));
	struct types_found found = { .is_typedef = 1 };
	const char *name = dwarf_diename(die), *target;
	enum types_place declared;
	bool is_array;
	Dwarf_Die of;

	found.size = typedef_size(die, &of, &is_array);
	found.die = is_array ? NULL : &of;
	if (!name || !*name || !found.size)
		return 0;
	target = type_name(&of);
	if (target && strstr(target, "__va_list_tag"))
		return 0;
	if (member && target && !is_array)
		return 0;
	declared = decl_place(w, die);
	if (declared > TYPES_HEADER &&
	    (member || is_array || is_local(&w->dies)))
		return 0;
	if (types_name_is_reserved(name) && is_local(&w->dies))
		return 0;
	if (target && types_name_is_noise(target) &&
	    decl_place(w, &of) > TYPES_HEADER)
		return 0;
	return found_add(w, prefix, name, &found, declared);
}

/* Note the unit that is imported if it is in the shared file. */
static int
import(struct walk *w, Dwarf_Die *die)
{
	Dwarf_Attribute a;
	Dwarf_Die unit;
	uint32_t i;

	if (!dwarf_attr(die, DW_AT_import, &a) ||
	    !dwarf_formref_die(&a, &unit) ||
	    dwarf_cu_getdwarf(unit.cu) == w->dwarf || w->nimports >= HASH_NONE)
		return 0;
	if (symbols_grow(&w->imports, &w->imports_room, w->nimports) < 0)
		return -1;
	i = hash_intern(&w->imported, (uintptr_t)unit.addr, 0, 0,
			(uint32_t)w->nimports);
	if (i == w->nimports)
		w->imports[w->nimports++] = unit;
	return i == HASH_NONE ? -1 : 0;
}

static int
entry_add(struct walk *w, Dwarf_Die *die, unsigned depth)
{
	const char *prefix = depth ? w->prefix[depth - 1] : "";
	int tag = dwarf_tag(die);
	const char *name;

	w->prefix[depth] = prefix;
	switch (tag) {
	case DW_TAG_imported_unit:
		return import(w, die);
	case DW_TAG_typedef:
		return typedef_add(w, die, depth, prefix);
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_subprogram:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		break;
	default:
		return 0;
	}
	name = is_aggregate(tag) ? type_name(die) : dwarf_diename(die);
	if (w->scoped && is_aggregate(tag)) {
		if (dwarf_hasattr(die, DW_AT_declaration) &&
		    declared_add(w, die, prefix) < 0)
			return -1;
		prefix = outer_of(w, die, prefix);
	}
	if (is_aggregate(tag) && type_add(w, die, prefix, name) < 0)
		return -1;
	if (!name && tag == DW_TAG_namespace)
		name = "(anonymous namespace)";
	if (!w->scoped || !name || dwarf_haschildren(die) <= 0)
		return 0;
	w->prefix[depth] = join(w, prefix, name, "::");
	return w->prefix[depth] ? 0 : -1;
}

/* The source file that the unit was compiled from. */
static void
own_file(struct walk *w, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	char path[DIES_PATH];

	if (!name)
		name = dwarf_diename(&w->where);
	w->own[0] = '\0';
	if (name && dies_path(name, &w->where, path))
		normalize(path, w->own);
}

/* die: the unit's own entry; where: the one that the linker saw. */
static int
unit_walk(struct walk *w, Dwarf_Die *die, const Dwarf_Die *where)
{
	struct dies *d = &w->dies;

	w->where = *where;
	w->scoped = dies_scoped(die);
	own_file(w, die);
	memset(w->files, 0, sizeof w->files);
	dies_start(d, die);
	do {
		if (entry_add(w, &d->at[d->depth], d->depth) < 0)
			return -1;
	} while (dies_next(d));
	return 0;
}

/* The units of the file of a split unit: types are in units of their own. */
static int
split_walk(struct walk *w, const Dwarf_Die *split, const Dwarf_Die *where)
{
	Dwarf *dwarf = dwarf_cu_getdwarf(split->cu);
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;

	while (dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &die, NULL) == 0)
		if (unit_walk(w, &die, where) < 0)
			return -1;
	return 0;
}

int
types_walk(Dwarf *dwarf, struct symbols_pool *pool,
	   int (*add)(const struct types_found *found, void *arg), void *arg)
{
	struct walk *w = calloc(1, sizeof *w);
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, sub;
	uint8_t type;
	size_t i;
	int bad = 0;

	if (!w)
		return -1;
	w->dwarf = dwarf;
	w->pool = pool;
	w->add = add;
	w->arg = arg;
	while (!bad &&
	       dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, &sub) == 0)
		bad = type == DW_UT_skeleton && sub.addr
			      ? split_walk(w, &sub, &die)
			      : unit_walk(w, &die, &die);
	for (i = 0; i < w->nimports && !bad; i++) {
		die = w->imports[i];
		bad = unit_walk(w, &die, &die);
	}
	hash_fini(&w->declared);
	hash_fini(&w->imported);
	free(w->outer);
	free(w->imports);
	free(w);
	return bad;
}
