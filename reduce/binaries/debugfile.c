/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Object files, and the search for their debug files: by build-id, by the name
 * in .gnu_debuglink, from a server; and for the file that several share, by
 * .gnu_debugaltlink.
 *
 * libdwfl looks in one place at a time.  So a file that doesn't fit doesn't end
 * the search, and a server is asked last, and only if the user wants it.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reduce/base/str.h"
#include "reduce/binaries/debugfile.h"
#include "reduce/dwo/split.h"

/* The most bytes of a build-id that is looked up by path. */
enum { ID_BYTES = 64 };

/* A search for one file. */
struct search {
	struct debugfile *f;
	const struct searchpath *searchpath;
	char *path;	  /* of the object file; NULL: none */
	const void *id;	  /* the build-id of both files */
	size_t len;	  /* 0: none; then the checksum decides */
	const char *link; /* the name in .gnu_debuglink, or NULL */
	uint32_t crc;
	struct elffile_contents has; /* sections of the object file itself */
	bool (*take)(struct search *s, Elf *elf, int fd, const char *path);
};

/* Take the file if it fits.  Takes over, or closes, fd and elf. */
static bool
try_elf(struct search *s, Elf *elf, int fd, const char *path)
{
	if (elf && elf_kind(elf) == ELF_K_ELF &&
	    (!s->len || elffile_has_id(elf, s->id, s->len)) &&
	    s->take(s, elf, fd, path)) {
		elffile_let_go(elf, fd);
		return true;
	}
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return false;
}

/* Take the file that is open.  fd < 0: there is none. */
static bool
try_open(struct search *s, int fd)
{
	char name[64], path[PATH_MAX];
	ssize_t n;

	if (fd < 0)
		return false;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	n = readlink(name, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = '\0';
	return try_elf(s, elf_begin(fd, ELF_C_READ_MMAP, NULL), fd, path);
}

/* Take the file at the path, which may be NULL. */
static bool
try_path(struct search *s, const char *path)
{
	enum elffile_state state;
	int fd = -1;
	Elf *elf = path ? elffile_open(path, &fd, &state) : NULL;

	return try_elf(s, elf, fd, path);
}

/* -------------------------------------------------------------- libdwfl -- */

enum how { BY_ID, BY_LINK, BY_SERVER };

/* A copy of the descriptor, for use after fd is closed; or -1. */
static int
again(int fd)
{
	return fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

/*
 * Let libdwfl look in one directory, its debuginfo_path.  With BY_LINK libdwfl
 * doesn't get the file's build-id, so it asks no server.  When libdwfl finds a
 * build-id, it closes descriptor 0 in dwfl_end(), as of version 0.188.
 */
static bool
debugfile_look(struct search *s, enum how how, char *place)
{
	const Dwfl_Callbacks callbacks = { .debuginfo_path = &place };
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *m = NULL;
	char *name = NULL;
	int fd = -1, kept, zero = again(0);

	if (dwfl)
		m = dwfl_report_module(dwfl, "file", 1, 2);
	if (m && how == BY_LINK)
		fd = dwfl_standard_find_debuginfo(m, NULL, NULL, 0, s->path,
						  s->link, s->crc, &name);
	else if (m && !dwfl_module_report_build_id(m, s->id, s->len, 0) &&
		 how == BY_ID)
		fd = dwfl_build_id_find_debuginfo(m, NULL, NULL, 0, NULL, NULL,
						  0, &name);
	else if (m && how == BY_SERVER &&
		 searchpath_ask(s->searchpath,
				dwfl_get_debuginfod_client(dwfl)))
		fd = dwfl_standard_find_debuginfo(m, NULL, NULL, 0, NULL, NULL,
						  0, &name);
	free(name);
	kept = again(fd);
	if (fd >= 0)
		close(fd);
	dwfl_end(dwfl);
	if (zero >= 0) {
		dup2(zero, 0);
		close(zero);
	}
	return try_open(s, kept);
}

/*
 * Is the name, in the file's own directory or below, anything but a regular
 * file?  The author of the object file may have made that file, and libdwfl
 * would open it.
 */
static bool
is_trap(const struct search *s, const char *below)
{
	char path[PATH_MAX];
	struct stat st;
	int n;

	n = snprintf(path, sizeof(path), "%.*s%s/%s",
		     (int)(str_basename(s->path) - s->path), s->path, below,
		     s->link);
	return n >= (int)sizeof(path) ||
	       (stat(path, &st) == 0 && !S_ISREG(st.st_mode));
}

/* By the name: in .debug beside the file, beside the file, below the roots. */
static bool
try_link(struct search *s)
{
	/* Compare the checksum? */
	const char check = s->len ? '-' : '+';
	size_t n, i;
	const struct searchpath_root *r = searchpath_roots(s->searchpath, &n);
	char place[PATH_MAX + 1] = { check };
	bool found = false;

	/* libdwfl also looks beside the file, unless it found one in .debug. */
	if (!is_trap(s, "") && !is_trap(s, ".debug")) {
		snprintf(place + 1, sizeof(place) - 1, ".debug");
		found = debugfile_look(s, BY_LINK, place);
	}
	for (i = 0; i < n && !found; i++) {
		snprintf(place + 1, sizeof(place) - 1, "%s", r[i].real);
		found = debugfile_look(s, BY_LINK, place);
	}
	return found;
}

/* Is it for the machine and the word size of this program? */
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

static enum elffile_state
debugfile_check(Elf *elf, const unsigned char *id, size_t len)
{
	GElf_Ehdr eh;

	if (!gelf_getehdr(elf, &eh))
		return ELFFILE_NOT_OBJECT;
	if (eh.e_type != ET_EXEC && eh.e_type != ET_DYN)
		return ELFFILE_NOT_OBJECT;
	/* A build-id says more than the machine does. */
	if (len)
		return elffile_has_id(elf, id, len) ? ELFFILE_FINE
						    : ELFFILE_OTHER;
	return is_host(elf) ? ELFFILE_FINE : ELFFILE_MACHINE;
}

/* The file at path if it has the build-id, opened; or NULL. */
static Elf *
open_itself(const char *path, const unsigned char *id, size_t len, int *fd)
{
	enum elffile_state state;
	Elf *elf = elffile_open(path, fd, &state);

	if (elf && debugfile_check(elf, id, len) == ELFFILE_FINE)
		return elf;
	elf_end(elf);
	if (*fd >= 0)
		close(*fd);
	return NULL;
}

/* The most files that are opened in each directory of --debug-dir. */
enum { FILES_MOST = 1000 };

/* The first file in dir, by name, that has the build-id; path gets its path. */
static Elf *
find_among(const char *dir, const unsigned char *id, size_t len,
	   char path[PATH_MAX], int *fd)
{
	struct dirent **file;
	int n = scandir(dir, &file, NULL, alphasort), i;
	Elf *elf = NULL;

	if (n < 0)
		return NULL;
	for (i = 0; i < n; i++) {
		if (!elf && i < FILES_MOST && *file[i]->d_name != '.') {
			snprintf(path, PATH_MAX, "%s/%s", dir, file[i]->d_name);
			elf = open_itself(path, id, len, fd);
		}
		free(file[i]);
	}
	free(file);
	return elf;
}

/*
 * Find a copy of the file by its build-id: as .build-id/xx/yyy below a root, or
 * under any name in a directory of --debug-dir.  Returns it opened, or NULL.
 */
static Elf *
find_itself(const struct searchpath *searchpath, const unsigned char *id,
	    size_t len, char path[PATH_MAX], int *fd)
{
	size_t n, i;
	const struct searchpath_root *r = searchpath_roots(searchpath, &n);
	char hex[2 * ID_BYTES + 1];
	Elf *elf = NULL;

	if (len < 2 || len > ID_BYTES)
		return NULL;
	for (i = 0; i < len; i++)
		snprintf(hex + 2 * i, 3, "%02x", id[i]);
	for (i = 0; i < n && !elf; i++) {
		snprintf(path, PATH_MAX, "%s/.build-id/%.2s/%s", r[i].path, hex,
			 hex + 2);
		elf = open_itself(path, id, len, fd);
		if (!elf && r[i].given)
			elf = find_among(r[i].path, id, len, path, fd);
	}
	return elf;
}

/* Below each root, .build-id/xx/yyy.debug. */
static bool
try_id(struct search *s)
{
	size_t n, i;
	const struct searchpath_root *r = searchpath_roots(s->searchpath, &n);

	for (i = 0; i < n && s->len; i++)
		if (debugfile_look(s, BY_ID, r[i].real))
			return true;
	return false;
}

/* From a server, if one is to be asked. */
static bool
try_server(struct search *s)
{
	char nowhere[] = "";
	bool found;

	if (!s->len || !searchpath_asks(s->searchpath))
		return false;
	found = debugfile_look(s, BY_SERVER, nowhere);
	searchpath_asked(s->searchpath);
	return found;
}

/* ------------------------------------------------- shared debug files -- */

static bool
take_alt(struct search *s, Elf *elf, int fd, const char *path)
{
	(void)fd;
	(void)path;
	section_unpack(&s->f->memory, elf);
	s->f->alt = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (s->f->alt)
		s->f->alt_elf = elf;
	return s->f->alt;
}

/* By the name: as it is, or relative to the file that refers to it. */
static bool
try_alt_name(struct search *s, const char *name)
{
	char dwz[PATH_MAX], *path;
	const char *names[] = { name, dwz, dwz + strlen(".dwz/") };
	bool found = false;
	size_t i;

	if (*name == '/') {
		path = searchpath_below(s->searchpath, name);
		found = try_path(s, path) || try_path(s, name);
		free(path);
	}
	snprintf(dwz, sizeof(dwz), ".dwz/%s", str_basename(name));
	for (i = *name == '/'; i < 3 && s->path && !found; i++) {
		s->link = names[i];
		found = try_link(s);
	}
	return found;
}

static void
find_alt(struct debugfile *f, const struct searchpath *searchpath, Dwarf *dwarf,
	 const char *path)
{
	struct search s = { .f = f,
			    .searchpath = searchpath,
			    .take = take_alt };
	const char *name;
	ssize_t n;

	n = dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &s.id);
	/* Only one such file is read. */
	if (n <= 0 || f->alt)
		return;
	s.len = (size_t)n;
	s.path = realpath(path, NULL);
	if (try_id(&s) || try_alt_name(&s, name))
		dwarf_setalt(dwarf, f->alt);
	free(s.path);
}

/*
 * Begin to read the debug information in the file and in the files that it
 * refers to.  path: elf's, still open.  NULL: none.
 */
static Dwarf *
debugfile_begin(struct debugfile *f, const struct searchpath *searchpath,
		Elf *elf, const char *path)
{
	Dwarf *dwarf;

	section_unpack(&f->memory, elf);
	dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (dwarf)
		dwarf = split_find(&f->memory, searchpath, elf, path, dwarf,
				   &f->unlinked);
	if (dwarf)
		find_alt(f, searchpath, dwarf, path);
	return dwarf;
}

/* ----------------------------------------------- separate debug files -- */

/* Take a file that has sections that the object file lacks. */
static bool
take_debug(struct search *s, Elf *elf, int fd, const char *path)
{
	struct elffile_contents its = elffile_look(elf);
	struct debugfile *f = s->f;
	Dwarf *dwarf = NULL;

	(void)fd;
	if (its.info && !f->dwarf)
		dwarf = debugfile_begin(f, s->searchpath, elf, path);
	if (!dwarf && (!its.symtab || s->has.symtab) &&
	    (!its.calls || s->has.calls))
		return false;
	if (dwarf)
		f->dwarf = dwarf;
	f->debug = elf;
	return true;
}

/* Take the separate debug file of the file at the path, if there is one. */
static void
separate(struct debugfile *f, const struct searchpath *searchpath,
	 const char *path, struct elffile_contents has)
{
	struct search s = { .f = f,
			    .searchpath = searchpath,
			    .path = realpath(path, NULL),
			    .has = has,
			    .take = take_debug };
	ssize_t n = dwelf_elf_gnu_build_id(f->elf, &s.id);

	s.link = dwelf_elf_gnu_debuglink(f->elf, &s.crc);
	s.len = n > 0 ? (size_t)n : 0;
	/* A link may only be a file name, and it needs a checksum to
	 * compare. */
	if (s.link &&
	    (!s.path || !*s.link || strchr(s.link, '/') || (!s.len && !s.crc)))
		s.link = NULL;
	if (!try_id(&s) && !(s.link && try_link(&s)) && !f->dwarf)
		try_server(&s);
	free(s.path);
}

/* ------------------------------------------------------ replacements -- */

/* Take a debug file instead of the object file. */
static bool
take_instead(struct search *s, Elf *elf, int fd, const char *path)
{
	struct elffile_contents its = elffile_look(elf);
	struct debugfile *f = s->f;
	struct stat st;

	if (!its.info && !its.symtab)
		return false;
	f->standin = searchpath_shown(s->searchpath, path);
	if (its.info)
		f->dwarf = debugfile_begin(f, s->searchpath, elf, path);
	if (fstat(fd, &st) == 0) {
		f->dev = st.st_dev;
		f->ino = st.st_ino;
	}
	f->elf = elf;
	return true;
}

/* Use a debug file with this build-id as elf, if there is one. */
static bool
stand_in(struct debugfile *f, const struct searchpath *searchpath,
	 const unsigned char *id, size_t len)
{
	struct search s = { .f = f,
			    .searchpath = searchpath,
			    .id = id,
			    .len = len,
			    .take = take_instead };

	return try_id(&s) || try_server(&s);
}

/* ---------------------------------------------------------- interface -- */

/* The object file itself fits: find its debug files. */
static void
debugfile_take(struct debugfile *f, const struct searchpath *searchpath,
	       const char *path, int fd)
{
	struct elffile_contents has = elffile_look(f->elf);
	struct stat st;

	if (fstat(fd, &st) == 0) {
		f->dev = st.st_dev;
		f->ino = st.st_ino;
	}
	if (has.info)
		f->dwarf = debugfile_begin(f, searchpath, f->elf, path);
	if (!f->dwarf || !has.symtab)
		separate(f, searchpath, path, has);
	if (!has.symtab && has.mini)
		f->mini = section_mini(&f->memory, f->elf);
}

enum elffile_state
debugfile_open(struct debugfile *f, const struct searchpath *searchpath,
	       const char *path, const unsigned char *id, size_t len)
{
	enum elffile_state state;
	char found[PATH_MAX];
	int fd;

	*f = (struct debugfile){ 0 };
	elf_version(EV_CURRENT);
	f->elf = elffile_open(path, &fd, &state);
	f->error = errno;
	if (f->elf)
		state = debugfile_check(f->elf, id, len);
	if (state == ELFFILE_FINE) {
		debugfile_take(f, searchpath, path, fd);
		elffile_let_go(f->elf, fd);
		return state;
	}
	elf_end(f->elf);
	f->elf = NULL;
	if (fd >= 0)
		close(fd);
	f->itself = state;
	f->elf = find_itself(searchpath, id, len, found, &fd);
	if (f->elf) {
		f->standin = searchpath_shown(searchpath, found);
		debugfile_take(f, searchpath, found, fd);
		elffile_let_go(f->elf, fd);
		return ELFFILE_FINE;
	}
	/* With the same build-id, a file of another machine doesn't matter. */
	return stand_in(f, searchpath, id, len) ? ELFFILE_FINE : state;
}

void
debugfile_close(struct debugfile *f)
{
	dwarf_end(f->dwarf);
	dwarf_end(f->alt);
	elf_end(f->alt_elf);
	elf_end(f->mini);
	elf_end(f->debug);
	elf_end(f->elf);
	owned_free(&f->memory);
	free(f->standin);
	*f = (struct debugfile){ 0 };
}
