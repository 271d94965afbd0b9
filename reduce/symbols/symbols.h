/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names, lines and inlined frames for addresses, from symbols and debug
 * information.
 *
 * Every string handed out lives until symbols_free().  A module is opened when
 * it is first asked for, and each distinct address is looked up once.
 */
#ifndef MEMMON_SYMBOLS_H
#define MEMMON_SYMBOLS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/symbols/symbols_frame.h"

struct searchpath;
struct symbols;
struct symbols_elf;
struct symbols_units;

/*
 * demangle: false leaves the names as the linker has them.
 * Returns NULL only when out of memory.
 */
struct symbols *symbols_new(bool demangle);

/*
 * Before the first symbols_find(): where files are looked for, to live longer.
 */
void symbols_look(struct symbols *s, const struct searchpath *searchpath);
void symbols_free(struct symbols *s);

/*
 * Add a module and return its number (from 0).  path: its file (copied).
 * build_id: len bytes as recorded at run time; len 0 when it had none.  offset
 * names ("[libx.so+0x12]") use the last part of path.  Nothing is opened yet.
 */
size_t symbols_add(struct symbols *s, const char *path,
		   const unsigned char *build_id, size_t len);

/*
 * What became of module m's file when that can be told, as "was deleted while
 * the program ran", or NULL.  It must live longer.
 */
void symbols_gone(struct symbols *s, size_t m, const char *what);

/*
 * What generated code in module m is called, which has no file (copied): before
 * that address is looked up.  0, or -1 when out of memory.
 */
int symbols_add_code(struct symbols *s, size_t m, uint64_t start, uint64_t size,
		     const char *name);

/* Is module m of that path and build-id?  False too when there is no m. */
bool symbols_is(const struct symbols *s, size_t m, const char *path,
		const unsigned char *id, size_t len);

/*
 * What is at the return address `ra' (an address in the file, not yet minus
 * one: the lookup is done at ra - 1) of module m.  *frames gets the innermost
 * first; the last one is the function that is really there.  Returns how many,
 * at least 1.
 */
size_t symbols_find(struct symbols *s, size_t m, uint64_t ra,
		    const struct symbols_frame **frames);

/* At most so many functions at one address, inlined ones and the physical. */
#define SYMBOLS_FUNCTIONS 64

/* The debug information at an address. */
struct symbols_debug {
	Dwarf *dwarf;
	Elf *elf;			 /* the file that was run */
	struct symbols_units *units;	 /* of dwarf: symbols_unit.h */
	const struct symbols_elf *table; /* its functions; NULL: not known */
	uint64_t ra;	/* the return address that was looked up */
	Dwarf_Die unit; /* that the functions are in: of the .dwo, if split */
	Dwarf_Die line; /* that has the line table */
	/* The functions at ra - 1: inlined ones, innermost first, and at last
	 * the physical one. */
	Dwarf_Die die[SYMBOLS_FUNCTIONS];
	size_t n; /* 0: nothing is known */
};

/*
 * The same address's debug information.  All of it lives until symbols_free().
 * Call it, and read what it gives, in guard_run() only.  Returns whether there
 * is any.
 */
bool symbols_debug(struct symbols *s, size_t m, uint64_t ra,
		   struct symbols_debug *p);

/* The file of module m, for guard_run(). */
const char *symbols_path(const struct symbols *s, size_t m);

struct debugfile;

/*
 * Module m opened, and its debug information; NULL when it can't be read.  The
 * rest as for symbols_debug().  Several modules may have one file.
 */
const struct debugfile *symbols_file(struct symbols *s, size_t m);

/*
 * Nothing of module m is to be read any more, for guard_run() returned
 * GUARD_FAULT.
 */
void symbols_give_up(struct symbols *s, size_t m);

/* What it has cost so far, for tests. */
struct symbols_cost {
	uint64_t lookups; /* of addresses; each distinct one once */
	uint64_t units;	  /* of all modules' debug information */
	uint64_t walks;	  /* over units ... */
	uint64_t entries; /* ... and entries gone by on them */
};

void symbols_cost(const struct symbols *s, struct symbols_cost *cost);

/*
 * One line on what is amiss with module m, or NULL: the file is gone, can't be
 * read, isn't an object file, has another build-id than was recorded (then no
 * name is taken from it, unless a debug file stands in for it), has no symbols,
 * or no debug information.  *severe is true when names are missing altogether.
 * Only after symbols_find().
 */
const char *symbols_problem(struct symbols *s, size_t m, bool *severe);

#endif
