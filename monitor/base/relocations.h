/* SPDX-License-Identifier: MIT */
/* What a module asks the loader for. */
#ifndef MEMMON_RELOCATIONS_H
#define MEMMON_RELOCATIONS_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/*
 * One relocation by a symbol: what the symbol is, its name, and where the
 * loader puts what it finds.
 */
struct mmi_relocation {
	const struct link_map *map;
	const ElfW(Sym) *symbol;
	const char *name;
	unsigned type; /* R_* of the machine */
	const void *at;
};

/*
 * Call f for each of a module, which stays loaded meanwhile, until that is
 * true.  Was it?  By relocations, not by the symbols that are undefined: where
 * nothing is exported the hash table, which tells how many there are, is empty.
 * ctx: slow.
 */
bool mmi_relocations_each(const struct link_map *m,
			  bool (*f)(const struct mmi_relocation *r, void *arg),
			  void *arg);

/*
 * The same of a module that may be unloaded meanwhile, by its bias and where
 * its dynamic section is.  map is NULL; what `symbol' and `name' point to are
 * copies, of the name the first MMI_RELOCATION_NAME - 1 bytes.  Between
 * mmi_peek_begin() and _end().  ctx: slow.
 */
#define MMI_RELOCATION_NAME 64u
void mmi_relocations_peek(uintptr_t bias, uintptr_t dynamic,
			  bool (*f)(const struct mmi_relocation *r, void *arg),
			  void *arg);

#pragma GCC visibility pop

#endif
