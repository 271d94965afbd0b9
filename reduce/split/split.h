/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units of debug information that are in files of their own. */
#ifndef MEMMON_SPLIT_H
#define MEMMON_SPLIT_H

#include <elfutils/libdw.h>
#include <stddef.h>

#include "reduce/elf/searchpath.h"
#include "reduce/elf/section.h"

/*
 * Find the units that are in files of their own where libdw doesn't look for
 * them.  dwarf: of elf, whose path is `path'; it may be ended and begun anew
 * with copies of sections in m.  *unlinked grows by the units that aren't
 * found.  Returns dwarf, or what has taken its place; NULL: out of memory.
 */
Dwarf *split_find(struct owned *m, const struct searchpath *searchpath,
		  Elf *elf, const char *path, Dwarf *dwarf, size_t *unlinked);

#endif
