/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ELF files, by libelf.  libbfd would read much more of a file than is needed
 * to find its debug file, so it is used only for what libelf can't read
 * (section.c).
 */
#define _GNU_SOURCE
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reduce/elf/elffile.h"

bool
elffile_has_id(Elf *elf, const void *id, size_t len)
{
	const void *its;
	ssize_t n = dwelf_elf_gnu_build_id(elf, &its);

	return n > 0 && (size_t)n == len && memcmp(its, id, len) == 0;
}

/*
 * Is the name, for example, ".debug_info", or ".zdebug_info" for the compressed
 * section?
 */
static bool
is_named(const char *name, const char *plain)
{
	return strcmp(name, plain) == 0 || (name[0] == '.' && name[1] == 'z' &&
					    strcmp(name + 2, plain + 1) == 0);
}

Elf_Scn *
elffile_named(Elf *elf, const char *name)
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

struct elffile_contents
elffile_look(Elf *elf)
{
	struct elffile_contents c = { 0 };
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB)
			c.symtab = true;
	c.info = elffile_named(elf, ".debug_info");
	c.calls = elffile_named(elf, ".debug_memmon");
	c.mini = elffile_named(elf, ".gnu_debugdata");
	return c;
}

/*
 * The strings of the section; NULL if there are none.  A string that begins
 * before *end ends in NUL.  Calling elf_strptr() for each symbol would take
 * most of the time.
 */
static const char *
strings_of(Elf *elf, uint32_t section, size_t *end)
{
	Elf_Scn *scn = elf_getscn(elf, section);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	const char *last;
	GElf_Shdr sh;

	if (!data || !data->d_buf || !gelf_getshdr(scn, &sh) ||
	    sh.sh_type != SHT_STRTAB)
		return NULL;
	last = memrchr(data->d_buf, '\0', data->d_size);
	*end = last ? (size_t)(last - (const char *)data->d_buf) + 1 : 0;
	return data->d_buf;
}

static int
symbols_of(Elf *elf, Elf_Scn *scn, uint32_t strings, elffile_symbol *f,
	   void *arg)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t end = 0;
	const char *names = strings_of(elf, strings, &end);
	GElf_Sym sym;
	int i, status = 0;

	for (i = 0; data && !status && gelf_getsym(data, i, &sym); i++)
		if (sym.st_name < end)
			status = f(arg, &sym, names + sym.st_name);
	return status;
}

int
elffile_symbols(Elf *elf, unsigned type, elffile_symbol *f, void *arg)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	int status = 0;

	while (elf && !status && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) &&
		    (sh.sh_type == SHT_SYMTAB || sh.sh_type == SHT_DYNSYM) &&
		    (type == SHT_NULL || sh.sh_type == type))
			status = symbols_of(elf, scn, sh.sh_link, f, arg);
	return status;
}

bool
elffile_is_regular(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

Elf *
elffile_open(const char *path, int *fd, enum elffile_state *state)
{
	struct stat st;
	Elf *elf;

	/*
	 * A device mustn't even be opened, because opening it may have an
	 * effect, and a damaged data file could name one.  A FIFO must not make
	 * mpreduce wait.
	 */
	*fd = -1;
	*state = ELFFILE_NOT_REGULAR;
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return NULL;
	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	*state = ELFFILE_MISSING;
	if (*fd < 0 || fstat(*fd, &st) < 0)
		return NULL;
	*state = ELFFILE_NOT_REGULAR;
	if (!S_ISREG(st.st_mode))
		return NULL;
	*state = ELFFILE_NOT_OBJECT;
	elf = elf_begin(*fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		return elf;
	elf_end(elf);
	return NULL;
}

void
elffile_let_go(Elf *elf, int fd)
{
	if (elf)
		elf_cntl(elf, ELF_C_FDREAD);
	if (fd >= 0)
		close(fd);
}
