/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Symbol tables: which function covers an address, and which symbol has a name.
 *
 * Read with libelf, for libbfd doesn't tell the size of a symbol, and without
 * the size a local function of a stripped library would go by the name of its
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
	uint32_t group;	    /* source file that a local one belongs to, as
				 * a number; 0 for others, and for those that
				 * the linker made local */
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
	struct symbols_spans sized; /* items are places in v */
	struct symbols_spans sizeless;
};

/*
 * Take the symbols of the first of two files that has a full table, or else
 * the dynamic ones of the last and those of mini, which completes them.  debug
 * and mini may be NULL.  Names stay in the files, which must not be closed
 * before.  0, or -1 when out of memory.
 */
int symbols_elf_load(struct symbols_elf *t, Elf *debug, Elf *elf, Elf *mini);
void symbols_elf_fini(struct symbols_elf *t);

/* The function that covers the address, or NULL. */
const struct symbols_symbol *symbols_elf_at(const struct symbols_elf *t,
					    uint64_t addr);

/*
 * The function of that name if there is one only, aliases at one address
 * counting as one: of the local ones of that group, else of the global ones,
 * else of those without a group; with the group 0, else of all.  NULL when
 * there is none or it isn't clear.
 */
const struct symbols_symbol *symbols_elf_named(const struct symbols_elf *t,
					       const char *name, size_t length,
					       uint32_t group);

/*
 * The symbol of the function that s is part of: that of f for the symbols
 * f.cold, f.part.0 or f.constprop.0, when it can be told, else s.
 */
const struct symbols_symbol *symbols_elf_whole(const struct symbols_elf *t,
					       const struct symbols_symbol *s);

/* Is the symbol a clone or a part of a function, by its name? */
bool symbols_elf_is_clone(const struct symbols_symbol *s);

#endif
