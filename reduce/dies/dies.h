/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What entries of debug information have: files, names, types, sizes, members.
 * Runs in guard_run().
 */
#ifndef MEMMON_DIES_H
#define MEMMON_DIES_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "reduce/base/arena.h"
#include "reduce/base/names.h"

/* Longer paths count as unknown. */
#define DIES_PATH 4096

/*
 * The source file whose number the attribute has, into path[DIES_PATH], made
 * absolute.  unit: the entry of its unit, or of the one that the linker saw
 * when the unit is in a file of its own: it knows the working directory.
 * Returns whether it is known; "" in path if not.
 */
bool dies_file(const Dwarf_Attribute *a, const Dwarf_Die *unit, char *path);

/* The same for the name of a file as it stands in debug information. */
bool dies_path(const char *name, const Dwarf_Die *unit, char *path);

/* The number that the attribute has; 0: none, or too large.  a may be NULL. */
unsigned dies_number(const Dwarf_Attribute *a);

/* Fill *n from an attribute of the entry; false: it has no such number. */
bool dies_value(Dwarf_Die *die, unsigned attribute, uint64_t *n);

/* Do names in the unit have namespaces or classes before them? */
bool dies_scoped(const Dwarf_Die *unit);

/* --------------------------------------------------------------- entries -- */

/* The entry of the unit that the entry is in.  False if there is none. */
bool dies_unit(const Dwarf_Die *die, Dwarf_Die *unit);

/*
 * The entries below one: for (more = dies_child(&c, die, &left); more; more =
 * dies_next(&c)).  *left is how many may still be looked at, one less by each.
 */
struct dies_child {
	Dwarf_Die die;
	unsigned *left;
};

/* Is there one? */
bool dies_child(struct dies_child *c, const Dwarf_Die *die, unsigned *left);
bool dies_next(struct dies_child *c);

/* The name that the entry, or what it was made of, has; NULL: none. */
const char *dies_name(const Dwarf_Die *die);

/* The linker's name for it; NULL: none. */
const char *dies_linkage(const Dwarf_Die *die);

/* The same for what others stand in: a namespace may have none. */
const char *dies_scope(const Dwarf_Die *die);

/* ----------------------------------------------------------------- types -- */

/* Types of types of ...; more of them is a cycle in a damaged file. */
#define DIES_PEEL 24

/*
 * What DW_AT_type of the entry, or of what it was made of, leads to.  False,
 * and nothing in *type: nowhere, which is void.
 */
bool dies_type(const Dwarf_Die *die, Dwarf_Die *type);

/* From a declaration to the type unit that has the definition, if any. */
void dies_define(Dwarf_Die *type);

/* Take const, volatile and the like off, or typedefs as well; and define. */
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
 * The type's own name; NULL: none.  gcc calls an unnamed one "typedef t t" for
 * its typedef t.
 */
const char *dies_type_name(const Dwarf_Die *type);

/*
 * Is the type, typedefs and the like taken off, a pointer?  If so *to is what
 * it points to, as it is written there; to->addr is NULL for void.
 */
bool dies_pointee(const Dwarf_Die *type, Dwarf_Die *to);

/* How many elements the type of an array has; 0: not known. */
uint64_t dies_array_count(Dwarf_Die *array);

/* Bytes of a value of the type; 0: not known, as what is only declared. */
uint64_t dies_size(const Dwarf_Die *type);

/* Is it the class of a lambda: is its call operator in it? */
bool dies_is_lambda(const Dwarf_Die *die);

/*
 * The type as C or C++ would have it, in short: namespaces and parameters
 * aren't there.  NULL when out of memory.
 */
const char *dies_type_text(struct arena *a, const Dwarf_Die *type);

/* The text of a type; the caller sets scopes and arg. */
struct dies_text {
	/*
	 * Puts what stands before the name of a C++ type: then all is written
	 * in full, as the plugin for gcc does.  NULL: in short.
	 */
	void (*scopes)(struct dies_text *t, const Dwarf_Die *die);
	const void *arg; /* for scopes */
	bool cxx;	 /* of the type's unit */
	bool bad;	 /* it has no name, or one that is too long */
	size_t n;
	char s[NAMES_TYPE_MAX];
};

/* Append to the text; then write a type. */
void dies_put(struct dies_text *t, const char *s);
void dies_put_type(struct dies_text *t, const Dwarf_Die *type);

/* ------------------------------------------------------------ locations -- */

/* where operations of a location say that something is. */
enum dies_where {
	DIES_REGISTER, /* in it */
	DIES_MEMORY,   /* at what is in the register, plus off */
	DIES_VALUE,    /* nowhere: it is what is in the register, plus off */
	DIES_FRAME,    /* at the function's frame base plus off */
	DIES_CFA       /* at the call frame's address */
};

struct dies_location {
	enum dies_where where;
	uint64_t reg; /* of the machine's numbers for DWARF */
	int64_t off;  /* bytes */
};

/*
 * The location that the first of n operations, at least one, describe; returns
 * how many of them do, or 0 if it is of another kind.
 */
size_t dies_location(const Dwarf_Op *op, size_t n, struct dies_location *p);

/* --------------------------------------------------------------- members -- */

/* Is the entry a member, or a base class, that each object has? */
bool dies_is_part(Dwarf_Die *die);

/*
 * The type of such a member, and where it is: bytes from the start, and how
 * many; of a bit-field those that it has a part in.  False: that isn't known,
 * or not the same in every object.
 */
bool dies_member(Dwarf_Die *die, Dwarf_Die *type, uint64_t *offset,
		 uint64_t *size);

#endif
