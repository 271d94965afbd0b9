/* SPDX-License-Identifier: MIT */
/* An object's own names, as it has them in memory.  ctx of all: any. */
#ifndef MEMMON_SYMBOL_H
#define MEMMON_SYMBOL_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

struct mmi_symbol_tables {
	const uint32_t *hash; /* DT_GNU_HASH, or NULL */
	const Elf64_Sym *sym;
	const char *str;
};

/*
 * Those of an object that stands in memory `bias' bytes above what it says
 * itself, by its dynamic section.  False: not all of them are there.
 */
bool mmi_symbol_tables(uintptr_t bias, const void *dynamic,
		       struct mmi_symbol_tables *t);

/* Note one entry of the dynamic section. */
void mmi_symbol_note(struct mmi_symbol_tables *t, uintptr_t bias,
		     const Elf64_Dyn *d);

/* A name that the object defines, by its hash; or NULL. */
uint32_t mmi_symbol_hash(const char *name);
const Elf64_Sym *mmi_symbol_find(const struct mmi_symbol_tables *t,
				 const char *name, uint32_t hash);

/*
 * Where it defines `name', or 0; 0 also if a function of the object has to
 * choose the address.
 */
uintptr_t mmi_symbol_in(uintptr_t bias, const void *dynamic, const char *name);

#endif
