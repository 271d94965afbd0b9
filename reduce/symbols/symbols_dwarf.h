/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines and inlined functions from debug information.
 *
 * Read with libdw: for a function that only its own unit can see, libbfd gives
 * an inlined copy the name of the function around it, and no qualified name.
 */
#ifndef MEMMON_SYMBOLS_DWARF_H
#define MEMMON_SYMBOLS_DWARF_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/symbols/symbols_elf.h"
#include "reduce/symbols/symbols_frame.h"
#include "reduce/symbols/symbols_name.h"
#include "reduce/symbols/symbols_unit.h"

/* At most so many functions at one address. */
#define SYMBOLS_DWARF_FRAMES 256

/* All zero is a file without debug information. */
struct symbols_dwarf {
	struct symbols_units units;
	const struct symbols_elf *elf;
	struct symbols_names *names;
	uint64_t seed;	   /* tells this module's keys from others' */
	struct hash known; /* abstract entry, unit -> place in v */
	struct symbols_function *v;
	size_t n;
	size_t room;
};

/*
 * elf, names: the module's symbols and the place for strings, both to live
 * longer.  module: a string that tells the module from others.  0, or -1 when
 * out of memory.
 */
int symbols_dwarf_load(struct symbols_dwarf *d, Dwarf *dwarf,
		       const struct symbols_elf *elf,
		       struct symbols_names *names, const char *module);
void symbols_dwarf_fini(struct symbols_dwarf *d);

/*
 * What is known of the address, as for symbols_find(), into frames[], room for
 * SYMBOLS_DWARF_FRAMES of them.  Returns how many; the last one is the
 * function that is really there, with the name NULL and `known' false when
 * only the line is known.  Strings are never NULL otherwise.  0: nothing.
 */
size_t symbols_dwarf_find(struct symbols_dwarf *d, uint64_t addr,
			  struct symbols_frame *frames);

#endif
