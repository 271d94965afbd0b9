/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where types are defined, from their names and files. */
#include <ctype.h>
#include <dwarf.h>
#include <stdint.h>
#include <string.h>

#include "reduce/types/types_place.h"
#include "reduce/base/names.h"
#include "reduce/base/str.h"

/* "a::b<c>::d" has the parts a, b and d. */
struct part {
	const char *name;
	size_t n; /* bytes, without arguments */
	bool last;
};

bool
types_name_is_reserved(const char *part)
{
	return part[0] == '_' &&
	       (part[1] == '_' || isupper((unsigned char)part[1]));
}

/* Read the part that starts at name; returns the start of the next part. */
static const char *
part_take(const char *name, struct part *p)
{
	const char *end = name + strlen(name);
	size_t n;

	p->name = name;
	p->n = strcspn(name, "<:,>");
	for (name += p->n; *name && *name != ',' && *name != '>'; name += n) {
		if (name[0] == ':' && name[1] == ':')
			break;
		n = *name == '<' ? names_bracket(name, end) : 1;
		n += !n;
	}
	p->last = *name != ':';
	return name + 2 * !p->last;
}

static bool
part_in(const struct part *p, const char *const *names, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (p->n == strlen(names[i]) &&
		    !memcmp(p->name, names[i], p->n))
			return true;
	return false;
}

static bool
part_ends(const struct part *p, const char *end)
{
	size_t n = strlen(end);

	return p->n >= n && memcmp(p->name + p->n - n, end, n) == 0;
}

/* Is it a node or block of libstdc++'s or libc++'s containers and pointers? */
static bool
types_place_is_node(const struct part *p)
{
	static const char *const names[] = {
		"_Rb_tree_node",	"_Hash_node",
		"_List_node",		"_Fwd_list_node",
		"_Sp_counted_ptr",	"_Sp_counted_ptr_inplace",
		"_Sp_counted_deleter",	"_State_impl",
		"__tree_node",		"__hash_node",
		"__list_node",		"__forward_list_node",
		"__shared_ptr_emplace", "__shared_ptr_pointer",
	};

	return p->last && part_in(p, names, STR_COUNT(names));
}

enum types_place
types_name_place(const char *name, enum types_place declared, bool scoped)
{
	static const char *const libraries[] = { "std", "core", "alloc",
						 "__gnu_cxx", "__cxxabiv1" };
	bool library = false, reserved = false;
	const char *next = name;
	struct part p;

	do {
		bool first = next == name;

		next = part_take(next, &p);
		if (first && !p.last && scoped)
			library = part_in(&p, libraries, STR_COUNT(libraries));
		reserved |= types_name_is_reserved(p.name);
	} while (!p.last);
	if (library && types_place_is_node(&p))
		return TYPES_NODE;
	if (library && reserved)
		return TYPES_INTERNAL;
	if (library && declared == TYPES_HEADER)
		return TYPES_SYSTEM;
	return declared == TYPES_SYSTEM && reserved ? TYPES_RESERVED : declared;
}

static bool
is_iterator(const struct part *p)
{
	return part_ends(p, "iterator") || part_ends(p, "iterator_base") ||
	       part_ends(p, "_iter");
}

static bool
is_noise(const struct part *p)
{
	static const char *const names[] = {
		"basic_string_view",
		"initializer_list",
		"aligned_storage",
		"aligned_union",
		"__aligned_buffer",
		"__aligned_membuf",
		"mbstate_t",
		"__mbstate_t",
		"fpos_t",
		"__fpos_t",
		"_G_fpos_t",
		"fpos64_t",
		"__fpos64_t",
		"_G_fpos64_t",
		"fpos",
		"div_t",
		"ldiv_t",
		"lldiv_t",
		"imaxdiv_t",
	};

	return part_in(p, names, STR_COUNT(names)) || is_iterator(p);
}

bool
types_name_is_noise(const char *name)
{
	static const char pair[] = "std::pair<";
	const char *next = name;
	struct part p;

	do {
		next = part_take(next, &p);
		if (is_noise(&p))
			return true;
	} while (!p.last);
	if (!str_starts(name, pair))
		return false;
	/* The result type of insert(). */
	next = name + strlen(pair);
	do
		next = part_take(next, &p);
	while (!p.last);
	return is_iterator(&p);
}

/* ----------------------------------------------------------------- files -- */

/* Is the file, by its absolute path, one of the system or of a compiler? */
static bool
is_system_path(const char *path)
{
	static const char *const roots[] = {
		"/usr/include/",       "/usr/lib/", "/usr/lib64/",
		"/usr/local/include/", "/rustc/",
	};

	return STR_PREFIX(path, roots);
}

static enum types_place
place_of_file(struct types_files *f, const Dwarf_Attribute *a)
{
	char path[DIES_PATH], plain[DIES_PATH];

	if (!dies_file(a, &f->where, path))
		return TYPES_HEADER;
	str_plain_path(path, plain);
	if (f->own[0] && strcmp(plain, f->own) == 0)
		return TYPES_OWN;
	return is_system_path(plain) ? TYPES_SYSTEM : TYPES_HEADER;
}

enum types_place
types_files_place(struct types_files *f, Dwarf_Die *die)
{
	Dwarf_Attribute a;
	Dwarf_Word file;
	size_t i;

	if (!dwarf_attr_integrate(die, DW_AT_decl_file, &a) ||
	    dwarf_formudata(&a, &file) != 0 || file > UINT16_MAX)
		return TYPES_HEADER;
	i = file % TYPES_FILES;
	if (f->v[i].cu != a.cu || f->v[i].file != file) {
		f->v[i].cu = a.cu;
		f->v[i].file = (unsigned)file;
		f->v[i].place = place_of_file(f, &a);
	}
	return f->v[i].place;
}

void
types_files_start(struct types_files *f, Dwarf_Die *die, const Dwarf_Die *where)
{
	const char *name = dwarf_diename(die);
	char path[DIES_PATH];

	f->where = *where;
	memset(f->v, 0, sizeof f->v);
	if (!name)
		name = dwarf_diename(&f->where);
	f->own[0] = '\0';
	if (name && dies_path(name, &f->where, path))
		str_plain_path(path, f->own);
}
