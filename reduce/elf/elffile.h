/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ELF files and their sections. */
#ifndef MEMMON_ELFFILE_H
#define MEMMON_ELFFILE_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>

/* What can be wrong with a file that is opened. */
enum elffile_state {
	ELFFILE_FINE,
	ELFFILE_NOMEM,
	ELFFILE_MISSING,     /* can't be opened; errno has why */
	ELFFILE_NOT_REGULAR, /* a directory, a device ... */
	ELFFILE_NOT_OBJECT,  /* no ELF program or library */
	ELFFILE_MACHINE,     /* for another kind of machine */
	ELFFILE_OTHER	       /* has another build-id */
};

/*
 * Open an ELF file, mapped; *fd stays open for as long as libdw may want to
 * know the file's directory.  NULL with *state set, and errno for _MISSING.
 */
Elf *elffile_open(const char *path, int *fd, enum elffile_state *state);

/* From now on the map is enough. */
void elffile_let_go(Elf *elf, int fd);

bool elffile_has_id(Elf *elf, const void *id, size_t len);

/* Is there a regular file? */
bool elffile_is_regular(const char *path);

/* What a file has for us. */
struct elffile_contents {
	bool symtab;
	bool info;  /* .debug_info, compressed or not */
	bool calls; /* .debug_memmon, the same */
	bool mini;  /* .gnu_debugdata: symbols, packed */
};

struct elffile_contents elffile_look(Elf *elf);

/*
 * The first section of the name that has content, be it compressed by way of
 * its name (".zdebug_info"); or NULL.
 */
Elf_Scn *elffile_named(Elf *elf, const char *name);

/*
 * Call f() for the symbols that have a name in the file's tables of that type,
 * SHT_SYMTAB or SHT_DYNSYM, or of both, SHT_NULL, in their order, until it
 * returns something else than 0: that, or 0.  elf NULL has none.  The name
 * lives as long as elf.
 */
typedef int elffile_symbol(void *arg, const GElf_Sym *sym, const char *name);
int elffile_symbols(Elf *elf, unsigned type, elffile_symbol *f, void *arg);

#endif
