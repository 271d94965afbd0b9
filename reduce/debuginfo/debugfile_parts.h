/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of debugfile share. */
#ifndef MEMMON_DEBUGFILE_PARTS_H
#define MEMMON_DEBUGFILE_PARTS_H

#include <stdbool.h>

#include "reduce/debuginfo/debugfile.h"

/* What a file has for us. */
struct debugfile_contents {
	bool symtab;
	bool info;  /* .debug_info, compressed or not */
	bool calls; /* .debug_memmon, the same */
	bool mini;  /* .gnu_debugdata: symbols, packed */
};

/* ------------------------------------------------------------ debugfile -- */

/*
 * Open an ELF file, mapped; *fd stays open for as long as libdw may want to
 * know the file's directory.  NULL with *state set, and errno for _MISSING.
 */
Elf *debugfile_elf(const char *path, int *fd, enum debugfile_state *state);

/* From now on the map is enough. */
void debugfile_let_go(Elf *elf, int fd);

struct debugfile_contents debugfile_look(Elf *elf);

bool debugfile_has_id(Elf *elf, const void *id, size_t len);

/* Is there a regular file? */
bool debugfile_is_regular(const char *path);

/*
 * Begin to read the debug information in the file, with all that it has in
 * other files.  path: elf's, open as fd still.  NULL: none.
 */
Dwarf *debugfile_begin(struct debugfile *f, const struct places *places,
		       Elf *elf, const char *path);

/* ------------------------------------------------------------- sections -- */

/* p, to be freed on close; false: p is NULL, or it was freed at once. */
bool debugfile_keep(struct debugfile *f, void *p);

/* n bytes that live until close, or NULL. */
void *debugfile_memory(struct debugfile *f, size_t n);

/* Decompress what libelf may not be able to, before libdw looks. */
void debugfile_unpack(struct debugfile *f, Elf *elf);

/* The symbols that the file has packed in .gnu_debugdata; NULL: none. */
Elf *debugfile_mini(struct debugfile *f, Elf *elf);

/* ----------------------------------------------------------------- find -- */

/* Take the separate debug file of the file at the path, if there is one. */
void debugfile_separate(struct debugfile *f, const struct places *places,
			const char *path, struct debugfile_contents has);

/* Take a debug file of the build-id for elf.  Returns whether there is one. */
bool debugfile_stand_in(struct debugfile *f, const struct places *places,
			const unsigned char *id, size_t len);

/* Find what dwarf, from the file at the path, refers to in another file. */
void debugfile_find_alt(struct debugfile *f, const struct places *places,
			Dwarf *dwarf, const char *path);

/* ---------------------------------------------------------------- split -- */

/*
 * Find the units that are in files of their own where libdw doesn't look for
 * them.  Returns dwarf, or what has taken its place; NULL: out of memory.
 */
Dwarf *debugfile_split(struct debugfile *f, const struct places *places,
		       Elf *elf, const char *path, Dwarf *dwarf);

/* A section of a file that is made. */
struct debugfile_part {
	const char *name;
	const void *p;
	size_t n; /* bytes; 0: there is none */
};

/*
 * A file in memory with n sections, for the machine of the file `like'.
 * Returns a descriptor, to be closed, or -1.
 */
int debugfile_write(Elf *like, const struct debugfile_part *part, size_t n);

/*
 * The file of a unit so that libdw can read all of it, in memory.  Returns a
 * descriptor, to be closed; -1: it can as it is, or nobody can.
 */
int debugfile_dwo(const char *path);

/* Units packed into one file (.dwp). */
struct debugfile_dwp;

/* The one at the path; NULL: there is none.  It lives until free. */
struct debugfile_dwp *debugfile_dwp_open(const char *path);
void debugfile_dwp_free(struct debugfile_dwp *p);

/* Has it the unit? */
bool debugfile_dwp_has(const struct debugfile_dwp *p, uint64_t id);

/*
 * The unit by itself, as an ELF file in memory.  Returns a descriptor, to be
 * closed, or -1.
 */
int debugfile_dwp_unit(struct debugfile_dwp *p, uint64_t id);

#endif
