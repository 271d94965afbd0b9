/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The place of a type's definition, from its file and its name: in the
 * program's own files or in others.
 */
#ifndef MEMMON_REDUCE_TYPES_PLACE_H
#define MEMMON_REDUCE_TYPES_PLACE_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "reduce/dwarf/dies.h"

/* The lower the value, the more likely the type is the user's own. */
enum types_place {
	TYPES_OWN,	/* in the source file that was compiled */
	TYPES_HEADER,	/* in a header of the program */
	TYPES_NODE,	/* a node or block of the library's containers */
	TYPES_SYSTEM,	/* in a header of the system */
	TYPES_RESERVED, /* in a header of the system, with a reserved name */
	TYPES_INTERNAL	/* inside the C++ library */
};

/* Is the last part of the name reserved: "_A", "__a"? */
bool types_name_is_reserved(const char *part);

/*
 * The place of a type's definition by its qualified name.  declared: the place
 * by its file.  scoped: names have namespaces before them.
 */
enum types_place types_name_place(const char *name, enum types_place declared,
				  bool scoped);

/*
 * Is it a system type that is never a heap block by itself: a view, an
 * iterator, the storage of a node's value, div_t?
 */
bool types_name_is_noise(const char *name);

/* ----------------------------------------------------------------- files -- */

#define TYPES_FILES 64 /* entries in the cache, a power of two */

/* A cache of the files of a unit. */
struct types_files {
	Dwarf_Die where;     /* its entry, or that of the skeleton unit */
	char own[DIES_PATH]; /* its source file, "" unknown */
	struct {
		Dwarf_CU *cu;
		unsigned file;
		enum types_place place;
	} v[TYPES_FILES];
};

/* die: the unit's own entry; where: the entry that the linker saw. */
void types_files_start(struct types_files *f, Dwarf_Die *die,
		       const Dwarf_Die *where);

/*
 * The place of the entry's declaration.  Each file is usually looked up once.
 */
enum types_place types_files_place(struct types_files *f, Dwarf_Die *die);

#endif
