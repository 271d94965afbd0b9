/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read entries of debug information: files, names, types, sizes, members.  Runs
 * inside guard_run().
 */
#ifndef MEMMON_DIES_H
#define MEMMON_DIES_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "reduce/base/arena.h"
#include "reduce/base/names.h"

/* A longer path counts as unknown. */
#define DIES_PATH 4096

/*
 * Write the path of the source file whose number the attribute contains into
 * path[DIES_PATH], made absolute.  unit: the entry of its unit.  If the unit is
 * in a separate file, pass the entry that the linker saw, because it has the
 * working directory.  Returns whether the path is known; if not, path is "".
 */
bool dies_file(const Dwarf_Attribute *a, const Dwarf_Die *unit, char *path);

/* The same for the name of a file in debug information. */
bool dies_path(const char *name, const Dwarf_Die *unit, char *path);

/*
 * The number in the attribute; 0 if there is none, or it is too large.  a may
 * be NULL.
 */
unsigned dies_number(const Dwarf_Attribute *a);

/*
 * Read a number from an attribute of the entry into *n.  False if there is
 * none.
 */
bool dies_value(Dwarf_Die *die, unsigned attribute, uint64_t *n);

/* Do names in the unit have namespaces or classes before them? */
bool dies_scoped(const Dwarf_Die *unit);

/* --------------------------------------------------------------- entries -- */

/*
 * Find the entry of the unit that contains the entry.  False if there is none.
 */
bool dies_unit(const Dwarf_Die *die, Dwarf_Die *unit);

/*
 * Walk the children of an entry: for (more = dies_child(&c, die, &left); more;
 * more = dies_next(&c)).  *left limits how many entries are looked at; each one
 * takes 1 off.
 */
struct dies_child {
	Dwarf_Die die;
	unsigned *left;
};

/* Go to the first child, or to the next one.  False if there is none. */
bool dies_child(struct dies_child *c, const Dwarf_Die *die, unsigned *left);
bool dies_next(struct dies_child *c);

/*
 * The name of the entry, or of its abstract origin or specification; NULL if
 * there is none.
 */
const char *dies_name(const Dwarf_Die *die);

/* The linker's name of the entry; NULL if there is none. */
const char *dies_linkage(const Dwarf_Die *die);

/*
 * The name of an entry that contains others.  A namespace without a name has a
 * name here, too.
 */
const char *dies_scope(const Dwarf_Die *die);

/* ----------------------------------------------------------------- types -- */

/*
 * Types may refer to types this deep; a longer row means a cycle in a damaged
 * file.
 */
#define DIES_PEEL 24

/*
 * The type that DW_AT_type of the entry, or of its abstract origin or
 * specification, refers to.  False, with *type unchanged, if there is none,
 * which means void.
 */
bool dies_type(const Dwarf_Die *die, Dwarf_Die *type);

/*
 * If *type is a declaration with a signature, go to its definition in a type
 * unit.
 */
void dies_define(Dwarf_Die *type);

/*
 * dies_unqualify() removes const, volatile and the like; dies_peel() removes
 * typedefs, too.  Both then go to the definition.
 */
void dies_unqualify(Dwarf_Die *type);
void dies_peel(Dwarf_Die *type);

/* Is it a struct, class or union? */
bool dies_is_class(const Dwarf_Die *die);

static inline bool
dies_is_class_tag(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
	       tag == DW_TAG_union_type || tag == DW_TAG_interface_type;
}

/*
 * The type's own name; NULL if there is none.  gcc names an unnamed type
 * "typedef t t" after its typedef t.
 */
const char *dies_type_name(const Dwarf_Die *type);

/*
 * Is the type a pointer, without typedefs and the like?  If so, *to gets the
 * type that it points to, with its own typedefs; to->addr is NULL for void.
 */
bool dies_pointee(const Dwarf_Die *type, Dwarf_Die *to);

/* The number of elements of an array type; 0 if unknown. */
uint64_t dies_array_count(Dwarf_Die *array);

/*
 * The size of the type in bytes; 0 if unknown, for example if the type is only
 * declared.
 */
uint64_t dies_size(const Dwarf_Die *type);

/* Is it the class of a lambda?  Such a class contains the call operator. */
bool dies_is_lambda(const Dwarf_Die *die);

/*
 * The type as it is written in C or C++, shortened: without namespaces and
 * parameters.
 */
const char *dies_type_text(struct arena *a, const Dwarf_Die *type);

/* The text of a type; the caller sets scopes and arg. */
struct dies_text {
	/*
	 * Writes the scopes of a C++ type before its name; the text is then
	 * written in full, as the plugin for gcc writes it.  NULL: the text is
	 * shortened.
	 */
	void (*scopes)(struct dies_text *t, const Dwarf_Die *die);
	const void *arg; /* for scopes */
	bool cxx;	 /* the type's unit is in C++ */
	bool bad;	 /* it has no name, or the text is too long */
	size_t n;
	char s[NAMES_TYPE_MAX];
};

/* dies_put() appends to the text; dies_put_type() writes a type. */
void dies_put(struct dies_text *t, const char *s);
void dies_put_type(struct dies_text *t, const Dwarf_Die *type);

/* ------------------------------------------------------------ locations -- */

/* Where a location expression says that a value is. */
enum dies_where {
	DIES_REGISTER, /* in the register */
	DIES_MEMORY,   /* in memory, at the register plus off */
	DIES_VALUE,    /* nowhere: the value is the register plus off */
	DIES_FRAME,    /* in memory, at the function's frame base plus off */
	DIES_CFA       /* at the address of the call frame */
};

struct dies_location {
	enum dies_where where;
	uint64_t reg; /* DWARF's number for the register */
	int64_t off;  /* bytes */
};

/*
 * Read a location from the first of n operations, n at least 1.  Returns how
 * many operations were used, or 0 if it is a location of another kind.
 */
size_t dies_location(const Dwarf_Op *op, size_t n, struct dies_location *p);

/* --------------------------------------------------------------- members -- */

/* Is the entry a member or a base class that each object contains? */
bool dies_is_part(Dwarf_Die *die);

/*
 * The type of such a member, its offset in the object and its size, in bytes.
 * For a bit-field: the bytes that contain a part of it.  False if these are
 * unknown or differ between objects.
 */
bool dies_member(Dwarf_Die *die, Dwarf_Die *type, uint64_t *offset,
		 uint64_t *size);

#endif
