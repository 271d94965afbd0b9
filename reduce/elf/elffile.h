/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ELF files and their sections. */
#ifndef MEMMON_ELFFILE_H
#define MEMMON_ELFFILE_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>

/* The result of opening a file. */
enum elffile_state {
	ELFFILE_FINE,
	ELFFILE_MISSING,     /* can't be opened; see errno */
	ELFFILE_NOT_REGULAR, /* a directory, a device ... */
	ELFFILE_NOT_OBJECT,  /* not an ELF program or library */
	ELFFILE_MACHINE,     /* for another kind of machine */
	ELFFILE_OTHER	       /* has another build-id */
};

/*
 * Open an ELF file and map it.  Keep *fd open as long as libdw may need the
 * file's directory.  NULL with *state set, and errno for ELFFILE_MISSING.
 */
Elf *elffile_open(const char *path, int *fd, enum elffile_state *state);

/* Close fd; the mapped file is enough from now on. */
void elffile_let_go(Elf *elf, int fd);

bool elffile_has_id(Elf *elf, const void *id, size_t len);

/* Is the path a regular file? */
bool elffile_is_regular(const char *path);

/* The contents of a file that memmon can use. */
struct elffile_contents {
	bool symtab;
	bool info;  /* .debug_info, compressed or not */
	bool calls; /* .debug_memmon, compressed or not */
	bool mini;  /* .gnu_debugdata: packed symbols */
};

struct elffile_contents elffile_look(Elf *elf);

/*
 * The first section of the name that has content.  A section whose name says
 * that it is compressed (".zdebug_info") counts, too.  NULL if there is none.
 */
Elf_Scn *elffile_named(Elf *elf, const char *name);

/*
 * Call f() for each symbol with a name in the file's symbol tables of the type
 * SHT_SYMTAB or SHT_DYNSYM, or of both for SHT_NULL, in their order, until f()
 * returns a value other than 0.  Returns that value, or 0.  elf may be NULL,
 * which has no symbols.  The name is valid as long as elf.
 */
typedef int elffile_symbol(void *arg, const GElf_Sym *sym, const char *name);
int elffile_symbols(Elf *elf, unsigned type, elffile_symbol *f, void *arg);

#endif
