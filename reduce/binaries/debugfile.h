/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Open an object file, check that it is the one that ran, and find its debug
 * information, which may be in another file.
 */
#ifndef MEMMON_DEBUGFILE_H
#define MEMMON_DEBUGFILE_H

#include <elfutils/libdw.h>
#include <libelf.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/elf/elffile.h"
#include "reduce/elf/searchpath.h"
#include "reduce/elf/section.h"

/*
 * An object file and its debug information.  All pointers into the sections
 * live until close.
 */
struct debugfile {
	Elf *elf;     /* the file that ran, or the debug file that replaces it:
		       * that has the same sections, without the bytes of loaded
		       * ones; NULL when not fine */
	Elf *debug;   /* its separate debug file, or NULL */
	Elf *mini;    /* the symbols in its compressed .gnu_debugdata, or
		       * NULL */
	Dwarf *dwarf; /* from elf or debug, or NULL: none there */
	int error;    /* errno of ELFFILE_MISSING */
	/*
	 * The state of the file that ran, when a debug file of the recorded
	 * build-id replaces it.  standin is the path of that debug file.
	 */
	enum elffile_state itself;
	char *standin; /* NULL: elf is the file itself */
	/* Of elf's file, when fine: these two identify it. */
	uint64_t dev, ino;
	/* The further file that dwarf refers to, or NULL. */
	Elf *alt_elf;
	Dwarf *alt;
	size_t unlinked; /* its units that weren't found */
	struct owned memory; /* memory of sections, until close */
};

/*
 * path: the file.  id, len: the recorded build-id; len 0: there was none.
 * Looks for debug information in the search path, which may be NULL.  Fills *f,
 * which the caller closes even when the result isn't ELFFILE_FINE.  If the file
 * is missing or has another build-id, a debug file with the recorded build-id
 * replaces it if there is one; then the result is ELFFILE_FINE.
 */
enum elffile_state debugfile_open(struct debugfile *f,
				  const struct searchpath *searchpath,
				  const char *path, const unsigned char *id,
				  size_t len);
void debugfile_close(struct debugfile *f);

#endif
