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

#include "reduce/debuginfo/places.h"

/* What open can find wrong. */
enum debugfile_state {
	DEBUGFILE_FINE,
	DEBUGFILE_NOMEM,
	DEBUGFILE_MISSING,     /* can't be opened; error has why */
	DEBUGFILE_NOT_REGULAR, /* a directory, a device ... */
	DEBUGFILE_NOT_OBJECT,  /* no ELF program or library */
	DEBUGFILE_MACHINE,     /* for another kind of machine */
	DEBUGFILE_OTHER	       /* has another build-id */
};

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
	int error;    /* errno of DEBUGFILE_MISSING */
	/*
	 * What is wrong with the file that was run, when a debug file of the
	 * recorded build-id, whose path is standin, stands in for it.
	 */
	enum debugfile_state itself;
	char *standin; /* NULL: it is the file itself */
	/* Of elf's file, when fine: no other has both. */
	uint64_t dev, ino;
	/* What dwarf refers to in yet another file, or NULL. */
	Elf *alt_elf;
	Dwarf *alt;
	size_t unlinked; /* units of it that are nowhere to be found */
	/* Memory that sections are in, freed on close. */
	void **memory;
	size_t nmemory, memory_room;
};

/*
 * path: the file.  id, len: the build-id as recorded, len 0 when there was
 * none.  Looks for debug information in the places, which may be NULL.  Fills
 * *f; close it even when the answer isn't DEBUGFILE_FINE.  When the file isn't
 * there or has another build-id, but there is a debug file of the recorded
 * one, that stands in for it, and the answer is DEBUGFILE_FINE.
 */
enum debugfile_state debugfile_open(struct debugfile *f,
				    const struct places *places,
				    const char *path, const unsigned char *id,
				    size_t len);
void debugfile_close(struct debugfile *f);

/*
 * The first section of the name that has content, be it compressed by way of
 * its name (".zdebug_info"); or NULL.
 */
Elf_Scn *debugfile_named(Elf *elf, const char *name);

/*
 * The content of a section, decompressed, or NULL: it has none, or it can't be
 * had.  elf: of f.  It lives until close.
 */
Elf_Data *debugfile_section(struct debugfile *f, Elf *elf, Elf_Scn *scn);

#endif
