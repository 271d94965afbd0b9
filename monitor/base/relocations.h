/* SPDX-License-Identifier: MIT */
/* The symbols that a library needs from the loader. */
#ifndef MEMMON_RELOCATIONS_H
#define MEMMON_RELOCATIONS_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/*
 * One relocation by a symbol: the symbol, its name, and where the loader stores
 * the address that it finds.
 */
struct mmi_relocation {
	const struct link_map *map;
	const ElfW(Sym) *symbol;
	const char *name;
	unsigned type; /* R_* of the machine */
	const void *at;
};

/*
 * Calls f for each relocation of a library, which stays loaded meanwhile, until
 * f returns true.  Returns whether f did.  Uses relocations, not undefined
 * symbols: if nothing is exported, the hash table, which has the number of
 * symbols, is empty.  ctx: slow.
 */
bool mmi_relocations_each(const struct link_map *m,
			  bool (*f)(const struct mmi_relocation *r, void *arg),
			  void *arg);

/*
 * The same for a library that may be unloaded meanwhile, by its bias and the
 * address of its dynamic section.  map is NULL; `symbol' and `name' point to
 * copies, of the name's first MMI_RELOCATION_NAME - 1 bytes.  Call it between
 * mmi_peek_begin() and _end().  ctx: slow.
 */
#define MMI_RELOCATION_NAME 64u
void mmi_relocations_peek(uintptr_t bias, uintptr_t dynamic,
			  bool (*f)(const struct mmi_relocation *r, void *arg),
			  void *arg);

#pragma GCC visibility pop

#endif
