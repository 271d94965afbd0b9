/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a type is declared: in the program's own files or in others. */
#ifndef MEMMON_REDUCE_TYPES_FILES_H
#define MEMMON_REDUCE_TYPES_FILES_H

#include <elfutils/libdw.h>

#include "reduce/dies/dies.h"
#include "reduce/types/types_name.h"

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
