/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a type is defined, in the program's own files or in others, by its file
 * and by its name.
 */
#ifndef MEMMON_REDUCE_TYPES_PLACE_H
#define MEMMON_REDUCE_TYPES_PLACE_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "reduce/dies/dies.h"

/* Where a type is defined: the less, the more likely it is the user's own. */
enum types_place {
	TYPES_OWN,	/* in the source file that was compiled */
	TYPES_HEADER,	/* in another one of the program */
	TYPES_NODE,	/* what the library's containers have on the heap */
	TYPES_SYSTEM,	/* in a header of the system */
	TYPES_RESERVED, /* there, under a name reserved for it */
	TYPES_INTERNAL	/* inside the C++ library */
};

/* Is the name, without what it stands in, reserved: "_A", "__a"? */
bool types_name_is_reserved(const char *part);

/*
 * Where a type is defined by its qualified name; declared: by its file.
 * scoped: names have namespaces before them.
 */
enum types_place types_name_place(const char *name, enum types_place declared,
				  bool scoped);

/*
 * Is a type of the system one that is never on the heap by itself: views,
 * iterators, the bytes that a node's value lies in, div_t?
 */
bool types_name_is_noise(const char *name);

/* ----------------------------------------------------------------- files -- */

#define TYPES_FILES 64 /* remembered, a power of two */

/* Of a unit. */
struct types_files {
	Dwarf_Die where;     /* its entry, or the linked one of a split */
	char own[DIES_PATH]; /* its source file, "" unknown */
	struct {
		Dwarf_CU *cu;
		unsigned file;
		enum types_place place;
	} v[TYPES_FILES];
};

/* die: the unit's own entry; where: the one that the linker saw. */
void types_files_start(struct types_files *f, Dwarf_Die *die,
		       const Dwarf_Die *where);

/* Where the unit's entry is declared; each file is looked at once, mostly. */
enum types_place types_files_place(struct types_files *f, Dwarf_Die *die);

#endif
