/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The content of sections, which may be compressed. */
#ifndef MEMMON_SECTION_H
#define MEMMON_SECTION_H

#include "reduce/base/arena.h"

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>

/* Decompress what libelf may not be able to, before libdw looks. */
void section_unpack(struct owned *m, Elf *elf);

/*
 * The content of a section, decompressed, or NULL: it has none, or it can't be
 * had.  It lives as long as elf and m.
 */
Elf_Data *section_data(struct owned *m, Elf *elf, Elf_Scn *scn);

/* The symbols that the file has packed in .gnu_debugdata; NULL: none. */
Elf *section_mini(struct owned *m, Elf *elf);

#endif
