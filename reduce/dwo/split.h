/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units of debug information in files of their own. */
#ifndef MEMMON_SPLIT_H
#define MEMMON_SPLIT_H

#include <elfutils/libdw.h>
#include <stddef.h>

#include "reduce/elf/searchpath.h"
#include "reduce/elf/section.h"

/*
 * Find units in files of their own in places where libdw doesn't look.  dwarf:
 * of elf, whose path is `path'; it may be closed and opened again with copies
 * of sections in m.  *unlinked grows by the number of units that aren't found.
 * Returns dwarf or its replacement; NULL if that can't be opened.
 */
Dwarf *split_find(struct owned *m, const struct searchpath *searchpath,
		  Elf *elf, const char *path, Dwarf *dwarf, size_t *unlinked);

#endif
