/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Symbol tables: the function that covers an address, and the symbol with a
 * name.
 *
 * Read with libelf, because libbfd doesn't give the size of a symbol.  Without
 * sizes, a local function of a stripped library would get the name of its
 * exported neighbour.
 */
#ifndef MEMMON_SYMBOLS_ELF_H
#define MEMMON_SYMBOLS_ELF_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/symbols/symbols_span.h"

struct symbols_symbol {
	uint64_t value;	    /* address in the file */
	uint64_t size;	    /* bytes, 0 unknown */
	const char *name;   /* in the file's string table */
	uint32_t length;    /* of the name without "@VERSION" */
	uint32_t group;	    /* number of a local symbol's source file; 0 for
			     * global ones, and for those that the linker made
			     * local */
	unsigned char bind; /* STB_* */
	unsigned char type; /* STT_* */
};

/* All zero is an empty table. */
struct symbols_elf {
	struct symbols_symbol *v; /* sorted by name */
	size_t n;
	size_t room;
	bool dynamic;		    /* only what the dynamic linker needs */
	struct symbols_spans text;  /* sections with code */
	struct symbols_spans sized; /* items are indices in v */
	struct symbols_spans sizeless;
};

/*
 * Take the symbols of the first of the two files that has a full table.  If
 * none has, take the dynamic symbols of elf and those of mini, which completes
 * them.  debug and mini may be NULL.  Names stay in the files: close them after
 * t.
 */
int symbols_elf_load(struct symbols_elf *t, Elf *debug, Elf *elf, Elf *mini);
void symbols_elf_fini(struct symbols_elf *t);

/* The function that covers the address, or NULL. */
const struct symbols_symbol *symbols_elf_at(const struct symbols_elf *t,
					    uint64_t addr);

/*
 * The function with this name, if there is only one; aliases at one address
 * count as one.  Looks first for local ones of the group, then for global ones,
 * then for those without a group; with group 0, for all.  NULL: none, or more
 * than one.
 */
const struct symbols_symbol *symbols_elf_named(const struct symbols_elf *t,
					       const char *name, size_t length,
					       uint32_t group);

/*
 * The symbol of the function that s is a part of: f for the symbols f.cold,
 * f.part.0 or f.constprop.0, if it can be found, else s.
 */
const struct symbols_symbol *symbols_elf_whole(const struct symbols_elf *t,
					       const struct symbols_symbol *s);

/* Is the symbol a clone or a part of a function, by its name? */
bool symbols_elf_is_clone(const struct symbols_symbol *s);

#endif
