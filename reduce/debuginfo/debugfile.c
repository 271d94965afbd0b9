/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Object files, by libelf: libbfd reads far more of a file than is needed to
 * find its debug file, and is asked for what libelf can't read
 * (debugfile_sections.c).
 */
#define _GNU_SOURCE
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reduce/debuginfo/debugfile_parts.h"

/* Machine and word size of this program, e.g. EM_X86_64, ELFCLASS64. */
static bool
is_host(Elf *elf)
{
	GElf_Ehdr mine, its;
	bool same = true;
	Elf *self;
	int fd;

	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	self = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	if (self && gelf_getehdr(self, &mine) && gelf_getehdr(elf, &its))
		same = mine.e_machine == its.e_machine &&
		       mine.e_ident[EI_CLASS] == its.e_ident[EI_CLASS] &&
		       mine.e_ident[EI_DATA] == its.e_ident[EI_DATA];
	elf_end(self);
	if (fd >= 0)
		close(fd);
	return same;
}

bool
debugfile_has_id(Elf *elf, const void *id, size_t len)
{
	const void *its;
	ssize_t n = dwelf_elf_gnu_build_id(elf, &its);

	return n > 0 && (size_t)n == len && memcmp(its, id, len) == 0;
}

/* ".debug_info", or ".zdebug_info" for the same compressed. */
static bool
is_named(const char *name, const char *plain)
{
	return strcmp(name, plain) == 0 || (name[0] == '.' && name[1] == 'z' &&
					    strcmp(name + 2, plain + 1) == 0);
}

Elf_Scn *
debugfile_named(Elf *elf, const char *name)
{
	Elf_Scn *scn = NULL;
	const char *its;
	GElf_Shdr sh;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings) < 0)
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS)
			continue;
		its = elf_strptr(elf, strings, sh.sh_name);
		if (its && is_named(its, name))
			return scn;
	}
	return NULL;
}

struct debugfile_contents
debugfile_look(Elf *elf)
{
	struct debugfile_contents c = { 0 };
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB)
			c.symtab = true;
	c.info = debugfile_named(elf, ".debug_info");
	c.calls = debugfile_named(elf, ".debug_memmon");
	c.mini = debugfile_named(elf, ".gnu_debugdata");
	return c;
}

bool
debugfile_is_regular(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

Elf *
debugfile_elf(const char *path, int *fd, enum debugfile_state *state)
{
	struct stat st;
	Elf *elf;

	/*
	 * A device mustn't even be opened: a data file could name one that does
	 * something then.  A FIFO must not make us wait.
	 */
	*fd = -1;
	*state = DEBUGFILE_NOT_REGULAR;
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return NULL;
	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	*state = DEBUGFILE_MISSING;
	if (*fd < 0 || fstat(*fd, &st) < 0)
		return NULL;
	*state = DEBUGFILE_NOT_REGULAR;
	if (!S_ISREG(st.st_mode))
		return NULL;
	*state = DEBUGFILE_NOT_OBJECT;
	elf = elf_begin(*fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		return elf;
	elf_end(elf);
	return NULL;
}

void
debugfile_let_go(Elf *elf, int fd)
{
	if (elf)
		elf_cntl(elf, ELF_C_FDREAD);
	if (fd >= 0)
		close(fd);
}

Dwarf *
debugfile_begin(struct debugfile *f, const struct places *places, Elf *elf,
		const char *path)
{
	Dwarf *dwarf;

	debugfile_unpack(f, elf);
	dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (dwarf)
		dwarf = debugfile_split(f, places, elf, path, dwarf);
	if (dwarf)
		debugfile_find_alt(f, places, dwarf, path);
	return dwarf;
}

static enum debugfile_state
check(Elf *elf, const unsigned char *id, size_t len)
{
	GElf_Ehdr eh;

	if (!gelf_getehdr(elf, &eh))
		return DEBUGFILE_NOT_OBJECT;
	if (eh.e_type != ET_EXEC && eh.e_type != ET_DYN)
		return DEBUGFILE_NOT_OBJECT;
	/* The build-id proves more than the machine does. */
	if (len)
		return debugfile_has_id(elf, id, len) ? DEBUGFILE_FINE
						      : DEBUGFILE_OTHER;
	return is_host(elf) ? DEBUGFILE_FINE : DEBUGFILE_MACHINE;
}

/* The file itself is there: find the rest. */
static void
take(struct debugfile *f, const struct places *places, const char *path, int fd)
{
	struct debugfile_contents has = debugfile_look(f->elf);
	struct stat st;

	if (fstat(fd, &st) == 0) {
		f->dev = st.st_dev;
		f->ino = st.st_ino;
	}
	if (has.info)
		f->dwarf = debugfile_begin(f, places, f->elf, path);
	if (!f->dwarf || !has.symtab)
		debugfile_separate(f, places, path, has);
	if (!has.symtab && has.mini)
		f->mini = debugfile_mini(f, f->elf);
}

enum debugfile_state
debugfile_open(struct debugfile *f, const struct places *places,
	       const char *path, const unsigned char *id, size_t len)
{
	enum debugfile_state state;
	int fd;

	*f = (struct debugfile){ 0 };
	if (elf_version(EV_CURRENT) == EV_NONE)
		return DEBUGFILE_NOMEM;
	f->elf = debugfile_elf(path, &fd, &state);
	f->error = errno;
	if (f->elf)
		state = check(f->elf, id, len);
	if (state == DEBUGFILE_FINE) {
		take(f, places, path, fd);
		debugfile_let_go(f->elf, fd);
		return state;
	}
	elf_end(f->elf);
	f->elf = NULL;
	if (fd >= 0)
		close(fd);
	f->itself = state;
	/* Another machine's file of the same build-id is no matter. */
	return debugfile_stand_in(f, places, id, len) ? DEBUGFILE_FINE : state;
}

void
debugfile_close(struct debugfile *f)
{
	size_t i;

	dwarf_end(f->dwarf);
	dwarf_end(f->alt);
	elf_end(f->alt_elf);
	elf_end(f->mini);
	elf_end(f->debug);
	elf_end(f->elf);
	for (i = 0; i < f->nmemory; i++)
		free(f->memory[i]);
	free(f->memory);
	free(f->standin);
	*f = (struct debugfile){ 0 };
}
