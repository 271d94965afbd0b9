/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The content of sections, which may be compressed. */
#ifndef MEMMON_SECTION_H
#define MEMMON_SECTION_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>

/* Memory that sections are in.  All zero is none. */
struct section_memory {
	void **v;
	size_t n, room;
};

/* p, to be freed by fini; false: p is NULL, or it was freed at once. */
bool section_keep(struct section_memory *m, void *p);

/* n bytes that live until fini, or NULL. */
void *section_alloc(struct section_memory *m, size_t n);
void section_fini(struct section_memory *m);

/* Decompress what libelf may not be able to, before libdw looks. */
void section_unpack(struct section_memory *m, Elf *elf);

/*
 * The content of a section, decompressed, or NULL: it has none, or it can't be
 * had.  It lives as long as elf and m.
 */
Elf_Data *section_data(struct section_memory *m, Elf *elf, Elf_Scn *scn);

/* The symbols that the file has packed in .gnu_debugdata; NULL: none. */
Elf *section_mini(struct section_memory *m, Elf *elf);

#endif
