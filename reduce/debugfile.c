/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Object files and where their debug information is.
 *
 * Files may be damaged or made to do harm, so libbfd isn't let near them: it
 * prints warnings on stderr past the handler set for them, and reads far more
 * than is needed to find a debug file.
 */
#define _GNU_SOURCE
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reduce/crc32.h"
#include "reduce/debugfile.h"

/* Below it are .build-id/xx/yyy.debug and copies of the whole tree. */
#define DEBUG_ROOT "/usr/lib/debug"

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

static bool
has_id(Elf *elf, const unsigned char *id, size_t len)
{
	const void *its;
	ssize_t n = dwelf_elf_gnu_build_id(elf, &its);

	return n > 0 && (size_t)n == len && memcmp(its, id, len) == 0;
}

/* What a file has for us. */
struct contents {
	bool symtab;
	bool info;  /* .debug_info, compressed or not */
	bool calls; /* .debug_memmon, the same */
};

static struct contents
look(Elf *elf)
{
	struct contents c = { 0 };
	Elf_Scn *scn = NULL;
	const char *name;
	GElf_Shdr sh;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings) < 0)
		return c;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS)
			continue;
		if (sh.sh_type == SHT_SYMTAB)
			c.symtab = true;
		name = elf_strptr(elf, strings, sh.sh_name);
		if (name && (strcmp(name, ".debug_info") == 0 ||
			     strcmp(name, ".zdebug_info") == 0))
			c.info = true;
		if (name && (strcmp(name, ".debug_memmon") == 0 ||
			     strcmp(name, ".zdebug_memmon") == 0))
			c.calls = true;
	}
	return c;
}

/*
 * Open an ELF file, mapped; *fd stays open for as long as libdw may want to
 * know the file's directory.  NULL with errno set; 0: not to be had from ELF.
 */
static Elf *
elf_open(const char *path, int *fd, enum debugfile_state *state)
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

/* libdw notes the directory at begin; after that the map is enough. */
static void
let_go(Elf *elf, int fd)
{
	if (elf)
		elf_cntl(elf, ELF_C_FDREAD);
	if (fd >= 0)
		close(fd);
}

/* How a debug file proves that it belongs to the file. */
struct proof {
	const void *id; /* the same build-id */
	size_t len;	/* 0: it has none; then by the checksum */
	uint32_t crc;
};

static bool
proves(Elf *debug, const struct proof *p)
{
	const char *bytes;
	size_t n;

	if (p->len)
		return has_id(debug, p->id, p->len);
	bytes = elf_rawfile(debug, &n);
	return bytes && crc32_add(0, bytes, n) == p->crc;
}

/* Take the debug file at the path if there is one that fits. */
static bool
try_separate(struct debugfile *f, const char *path, const struct proof *proof,
	     struct contents has)
{
	enum debugfile_state state;
	struct contents its;
	Dwarf *dwarf = NULL;
	int fd;

	f->debug = elf_open(path, &fd, &state);
	if (f->debug && proves(f->debug, proof)) {
		its = look(f->debug);
		if (its.info && !f->dwarf)
			dwarf = dwarf_begin_elf(f->debug, DWARF_C_READ, NULL);
		if (dwarf)
			f->dwarf = dwarf;
		if (dwarf || (its.symtab && !has.symtab) ||
		    (its.calls && !has.calls)) {
			let_go(f->debug, fd);
			return true;
		}
	}
	elf_end(f->debug);
	f->debug = NULL;
	if (fd >= 0)
		close(fd);
	return false;
}

/* DEBUG_ROOT/.build-id/xx/yyy.debug, to be freed, or NULL. */
static char *
path_by_id(const unsigned char *id, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	static const char start[] = DEBUG_ROOT "/.build-id/";
	char *path, *at;
	size_t i;

	if (len < 2 || len > 256)
		return NULL;
	path = malloc(sizeof start + 2 * len + sizeof "/.debug");
	if (!path)
		return NULL;
	at = stpcpy(path, start);
	for (i = 0; i < len; i++) {
		*at++ = digits[id[i] >> 4];
		*at++ = digits[id[i] & 15];
		if (i == 0)
			*at++ = '/';
	}
	memcpy(at, ".debug", sizeof ".debug");
	return path;
}

/* By .gnu_debuglink: beside the file, in .debug there, below DEBUG_ROOT. */
static bool
open_by_link(struct debugfile *f, const char *path, const char *link,
	     const struct proof *proof, struct contents has)
{
	static const char *const roots[] = { "", "", DEBUG_ROOT };
	static const char *const folders[] = { "/", "/.debug/", "/" };
	char *real = realpath(path, NULL), *where;
	bool found = false;
	size_t i;

	/* Only a name: it mustn't lead elsewhere. */
	if (!real || !*link || strchr(link, '/')) {
		free(real);
		return false;
	}
	*strrchr(real, '/') = '\0';
	for (i = 0; i < sizeof roots / sizeof *roots && !found; i++) {
		if (asprintf(&where, "%s%s%s%s", roots[i], real, folders[i],
			     link) < 0)
			break;
		found = try_separate(f, where, proof, has);
		free(where);
	}
	free(real);
	return found;
}

static void
open_separate(struct debugfile *f, const char *path, struct contents has)
{
	struct proof proof = { 0 };
	ssize_t n = dwelf_elf_gnu_build_id(f->elf, &proof.id);
	const char *link;
	bool found = false;
	char *where;

	if (n > 0) {
		proof.len = (size_t)n;
		where = path_by_id(proof.id, proof.len);
		found = where && try_separate(f, where, &proof, has);
		free(where);
	}
	link = dwelf_elf_gnu_debuglink(f->elf, &proof.crc);
	if (link && !found)
		open_by_link(f, path, link, &proof, has);
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
		return has_id(elf, id, len) ? DEBUGFILE_FINE : DEBUGFILE_OTHER;
	return is_host(elf) ? DEBUGFILE_FINE : DEBUGFILE_MACHINE;
}

enum debugfile_state
debugfile_open(struct debugfile *f, const char *path, const unsigned char *id,
	       size_t len)
{
	enum debugfile_state state;
	struct contents has;
	struct stat st;
	int fd;

	*f = (struct debugfile){ 0 };
	if (elf_version(EV_CURRENT) == EV_NONE)
		return DEBUGFILE_NOMEM;
	f->elf = elf_open(path, &fd, &state);
	f->error = errno;
	if (f->elf)
		state = check(f->elf, id, len);
	if (state != DEBUGFILE_FINE) {
		elf_end(f->elf);
		f->elf = NULL;
		if (fd >= 0)
			close(fd);
		return state;
	}
	if (fstat(fd, &st) == 0) {
		f->dev = st.st_dev;
		f->ino = st.st_ino;
	}
	has = look(f->elf);
	if (has.info)
		f->dwarf = dwarf_begin_elf(f->elf, DWARF_C_READ, NULL);
	if (!f->dwarf || !has.symtab)
		open_separate(f, path, has);
	let_go(f->elf, fd);
	return DEBUGFILE_FINE;
}

void
debugfile_close(struct debugfile *f)
{
	dwarf_end(f->dwarf);
	elf_end(f->debug);
	elf_end(f->elf);
	*f = (struct debugfile){ 0 };
}
