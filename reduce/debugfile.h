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
	Elf *elf;     /* the file that was run; NULL when not fine */
	Elf *debug;   /* its separate debug file, or NULL */
	Dwarf *dwarf; /* from either, or NULL: none there */
	int error;    /* errno of DEBUGFILE_MISSING */
	/* Of the file that was run, when fine: no other has both. */
	uint64_t dev, ino;
};

/*
 * path: the file.  id, len: the build-id as recorded, len 0 when there was
 * none.  Fills *f; close it even when the answer isn't DEBUGFILE_FINE.
 */
enum debugfile_state debugfile_open(struct debugfile *f, const char *path,
				    const unsigned char *id, size_t len);
void debugfile_close(struct debugfile *f);

#endif
