/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines and inlined functions from debug information.
 *
 * Read with libdw, because libbfd gives an inlined copy of a static function
 * the name of the surrounding function, and no qualified names.
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

/* The most functions at one address. */
#define SYMBOLS_DWARF_FRAMES 256

/* All zero is a file without debug information. */
struct symbols_dwarf {
	struct symbols_units units;
	const struct symbols_elf *elf;
	struct symbols_names *names;
	uint64_t seed;	   /* makes keys of different modules different */
	struct hash known; /* abstract entry, unit -> index in v */
	struct symbols_function *v;
	size_t n;
	size_t room;
};

/*
 * elf, names: the module's symbols and the store of strings; both must live
 * longer than d.  module: a string that is different for each module.
 */
void symbols_dwarf_load(struct symbols_dwarf *d, Dwarf *dwarf,
			const struct symbols_elf *elf,
			struct symbols_names *names, const char *module);
void symbols_dwarf_fini(struct symbols_dwarf *d);

/*
 * Look up the address as symbols_find() does, into frames[], which has room for
 * SYMBOLS_DWARF_FRAMES.  Returns the number of frames.  The last one is the
 * physical function; if only the line is known, its name is NULL and `known' is
 * false.  Other strings are never NULL.  0: nothing is known.
 */
size_t symbols_dwarf_find(struct symbols_dwarf *d, uint64_t addr,
			  struct symbols_frame *frames);

#endif
