/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Open an object file, check that it is the one that was run, and find its
 * debug information, which may be in a file of its own.
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
	Elf *elf;     /* the file that was run, or what stands in for it: it
		       * has that one's sections, but not what is loaded from
		       * them; NULL when not fine */
	Elf *debug;   /* its separate debug file, or NULL */
	Elf *mini;    /* the symbols that it has packed, or NULL */
	Dwarf *dwarf; /* from elf or debug, or NULL: none there */
	int error;    /* errno of ELFFILE_MISSING */
	/*
	 * What is wrong with the file that was run, when a debug file of the
	 * recorded build-id, whose path is standin, stands in for it.
	 */
	enum elffile_state itself;
	char *standin; /* NULL: it is the file itself */
	/* Of elf's file, when fine: no other has both. */
	uint64_t dev, ino;
	/* What dwarf refers to in yet another file, or NULL. */
	Elf *alt_elf;
	Dwarf *alt;
	size_t unlinked; /* units of it that are nowhere to be found */
	struct owned memory; /* of sections, until close */
};

/*
 * path: the file.  id, len: the build-id as recorded, len 0 when there was
 * none.  Looks for debug information in the search path, which may be NULL.
 * Fills *f, which the caller closes even when the answer isn't ELFFILE_FINE.
 * If the file isn't there or has another build-id, but there is a debug file of
 * the recorded one, that stands in for it, and the answer is ELFFILE_FINE.
 */
enum elffile_state debugfile_open(struct debugfile *f,
				  const struct searchpath *searchpath,
				  const char *path, const unsigned char *id,
				  size_t len);
void debugfile_close(struct debugfile *f);

#endif
