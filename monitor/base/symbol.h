/* SPDX-License-Identifier: MIT */
/* An object's own names, by its tables in memory.  ctx of all: any. */
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
 * The tables of an object that is `bias' bytes above its own addresses, from
 * its dynamic section.  False: a table is missing.
 */
bool mmi_symbol_tables(uintptr_t bias, const void *dynamic,
		       struct mmi_symbol_tables *t);

/* Note one entry of the dynamic section. */
void mmi_symbol_note(struct mmi_symbol_tables *t, uintptr_t bias,
		     const Elf64_Dyn *d);

/*
 * The hash of a name; and the symbol of that name and hash that the object
 * defines, or NULL.
 */
uint32_t mmi_symbol_hash(const char *name);
const Elf64_Sym *mmi_symbol_find(const struct mmi_symbol_tables *t,
				 const char *name, uint32_t hash);

/*
 * The address of the definition of `name', or 0; also 0 if a function of the
 * object must choose the address.
 */
uintptr_t mmi_symbol_in(uintptr_t bias, const void *dynamic, const char *name);

#endif
