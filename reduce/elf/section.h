/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The content of sections, which may be compressed. */
#ifndef MEMMON_SECTION_H
#define MEMMON_SECTION_H

#include "reduce/base/arena.h"

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Decompress the sections that libelf may not be able to, before libdw reads
 * them.
 */
void section_unpack(struct owned *m, Elf *elf);

/*
 * The content of a section, decompressed.  NULL for a section without content,
 * or if it can't be read.  It is valid as long as elf and m.
 */
Elf_Data *section_data(struct owned *m, Elf *elf, Elf_Scn *scn);

/* The symbols that are packed in .gnu_debugdata; NULL if there are none. */
Elf *section_mini(struct owned *m, Elf *elf);

#endif
