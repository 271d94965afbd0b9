/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names, lines and inlined frames for addresses, from symbols and debug
 * information.
 *
 * All returned strings live until symbols_free().  A module is opened when its
 * first address is looked up; each distinct address is looked up once.
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

/* demangle: false: leave linkage names as they are. */
struct symbols *symbols_new(bool demangle);

/*
 * Set where to look for files, before the first symbols_find().  searchpath
 * must live longer than s.
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
 * Set what happened to module m's file, if that is known, for example "was
 * deleted while the program ran", or NULL.  The text must live longer than s.
 */
void symbols_gone(struct symbols *s, size_t m, const char *what);

/*
 * Add the name of generated code in module m; such code has no file.  The name
 * is copied.  Call it before the address is looked up.
 */
void symbols_add_code(struct symbols *s, size_t m, uint64_t start,
		      uint64_t size, const char *name);

/* Does module m have this path and build-id?  False if m doesn't exist. */
bool symbols_is(const struct symbols *s, size_t m, const char *path,
		const unsigned char *id, size_t len);

/*
 * Look up the return address `ra' of module m.  ra is an address in the file;
 * the lookup is at ra - 1.  *frames gets the innermost function first, and the
 * physical function last.  Returns the number of frames, at least 1.
 */
size_t symbols_find(struct symbols *s, size_t m, uint64_t ra,
		    const struct symbols_frame **frames);

/* The most functions at one address, inlined ones and the physical one. */
#define SYMBOLS_FUNCTIONS 64

/* The debug information at an address. */
struct symbols_debug {
	Dwarf *dwarf;
	Elf *elf;			 /* the file that ran */
	struct symbols_units *units;	 /* of dwarf: symbols_unit.h */
	const struct symbols_elf *table; /* its functions; NULL: not known */
	uint64_t ra;	/* the return address that was looked up */
	Dwarf_Die unit; /* contains the functions; of the .dwo, if split */
	Dwarf_Die line; /* that has the line table */
	/* The functions at ra - 1: inlined ones, innermost first, then the
	 * physical one. */
	Dwarf_Die die[SYMBOLS_FUNCTIONS];
	size_t n; /* 0: not known */
};

/*
 * Get the debug information at a return address, given as for symbols_find().
 * All of it lives until symbols_free().  Call it, and read its results, only in
 * guard_run().  Returns whether there is any.
 */
bool symbols_debug(struct symbols *s, size_t m, uint64_t ra,
		   struct symbols_debug *p);

/* The file of module m, for guard_run(). */
const char *symbols_path(const struct symbols *s, size_t m);

struct debugfile;

/*
 * The opened file of module m, with its debug information; NULL when it can't
 * be read.  Otherwise as for symbols_debug().  Several modules may have one
 * file.
 */
const struct debugfile *symbols_file(struct symbols *s, size_t m);

/*
 * Stop reading the file of module m, because guard_run() returned GUARD_FAULT.
 */
void symbols_give_up(struct symbols *s, size_t m);

/* The cost so far, for tests. */
struct symbols_cost {
	uint64_t lookups; /* of addresses; each distinct address counts once */
	uint64_t units;	  /* of all modules' debug information */
	uint64_t walks;	  /* over units ... */
	uint64_t entries; /* ... and entries that they passed */
};

void symbols_cost(const struct symbols *s, struct symbols_cost *cost);

/*
 * A line about the problem of module m, or NULL.  Problems: the file is
 * missing, can't be read, isn't an object file, has another build-id than was
 * recorded (then its names aren't used, unless a debug file replaces it), has
 * no symbols, or no debug information.  *severe: the module has no names at
 * all.  Call it only after symbols_find().
 */
const char *symbols_problem(struct symbols *s, size_t m, bool *severe);

#endif
