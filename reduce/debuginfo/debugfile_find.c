/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where debug files are: by build-id, by the name in .gnu_debuglink, from a
 * server; and the file that several share, by .gnu_debugaltlink.
 */
#define _GNU_SOURCE
#include <elfutils/libdwelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reduce/base/crc32.h"
#include "reduce/debuginfo/debugfile_parts.h"
#include "reduce/debuginfo/debuginfod.h"

/* Longer build-ids are no linker's. */
#define ID_MAX 256

/* How a debug file proves that it belongs to the file. */
struct proof {
	const void *id; /* the same build-id */
	size_t len;	/* 0: it has none; then by the checksum */
	uint32_t crc;
};

/* What is looked for. */
struct search {
	struct debugfile *f;
	const struct places *places;
	struct proof proof;
	struct debugfile_contents has; /* what the file has itself */
	bool (*take)(struct search *s, Elf *elf, int fd, const char *path);
};

static bool
proves(Elf *debug, const struct proof *p)
{
	const char *bytes;
	size_t n;

	if (p->len)
		return debugfile_has_id(debug, p->id, p->len);
	bytes = elf_rawfile(debug, &n);
	return bytes && crc32_add(0, bytes, n) == p->crc;
}

/* Take the file at the path, which is freed, if it is one that fits. */
static bool
try_file(struct search *s, char *path)
{
	enum debugfile_state state;
	bool taken = false;
	Elf *elf;
	int fd;

	if (!path)
		return false;
	elf = debugfile_elf(path, &fd, &state);
	if (elf && proves(elf, &s->proof))
		taken = s->take(s, elf, fd, path);
	if (taken)
		debugfile_let_go(elf, fd);
	else
		elf_end(elf);
	if (!taken && fd >= 0)
		close(fd);
	free(path);
	return taken;
}

__attribute__((format(printf, 1, 2))) static char *
print(const char *format, ...)
{
	va_list args;
	char *s;
	int n;

	va_start(args, format);
	n = vasprintf(&s, format, args);
	va_end(args);
	return n < 0 ? NULL : s;
}

/* Below each root, .build-id/xx/yyy.debug. */
static bool
try_id(struct search *s)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *id = s->proof.id;
	size_t n, i, len = s->proof.len;
	const struct places_root *r = places_roots(s->places, &n);
	char text[2 * ID_MAX + 2], *at = text;

	if (len < 2 || len > ID_MAX)
		return false;
	for (i = 0; i < len; i++) {
		*at++ = digits[id[i] >> 4];
		*at++ = digits[id[i] & 15];
		if (i == 0)
			*at++ = '/';
	}
	*at = '\0';
	for (i = 0; i < n; i++)
		if (try_file(s,
			     print("%s/.build-id/%s.debug", r[i].path, text)))
			return true;
	return false;
}

/* The directory of a file, without a slash at its end; to be freed. */
static char *
directory(const char *path)
{
	char *real = realpath(path, NULL);

	if (real)
		*strrchr(real, '/') = '\0';
	return real;
}

/* By .gnu_debuglink: beside the file, in .debug there, below the roots. */
static bool
try_link(struct search *s, const char *path, const char *link)
{
	size_t n, i;
	const struct places_root *r = places_roots(s->places, &n);
	char *dir = directory(path);
	const char *within;
	bool found;

	/* Only a name: it mustn't lead elsewhere. */
	if (!dir || !*link || strchr(link, '/')) {
		free(dir);
		return false;
	}
	within = places_within(s->places, dir);
	found = try_file(s, print("%s/%s", dir, link)) ||
		try_file(s, print("%s/.debug/%s", dir, link));
	for (i = 0; i < n && !found; i++) {
		found = (within && try_file(s, print("%s%s/%s", r[i].path,
						     within, link))) ||
			try_file(s, print("%s%s/%s", r[i].path, dir, link)) ||
			(r[i].given &&
			 try_file(s, print("%s/%s", r[i].path, link)));
	}
	free(dir);
	return found;
}

/* From a server, if one is to be asked. */
static bool
try_server(struct search *s)
{
	const char *path = debuginfod_find(places_debuginfod(s->places),
					   s->proof.id, s->proof.len);

	return path && try_file(s, strdup(path));
}

/* A file that has what the file itself lacks. */
static bool
take_debug(struct search *s, Elf *elf, int fd, const char *path)
{
	struct debugfile_contents its = debugfile_look(elf);
	struct debugfile *f = s->f;
	Dwarf *dwarf = NULL;

	(void)fd;
	if (its.info && !f->dwarf)
		dwarf = debugfile_begin(f, s->places, elf, path);
	if (!dwarf && (!its.symtab || s->has.symtab) &&
	    (!its.calls || s->has.calls))
		return false;
	if (dwarf)
		f->dwarf = dwarf;
	f->debug = elf;
	return true;
}

void
debugfile_separate(struct debugfile *f, const struct places *places,
		   const char *path, struct debugfile_contents has)
{
	struct search s = {
		.f = f, .places = places, .has = has, .take = take_debug
	};
	ssize_t n = dwelf_elf_gnu_build_id(f->elf, &s.proof.id);
	const char *link = dwelf_elf_gnu_debuglink(f->elf, &s.proof.crc);

	s.proof.len = n > 0 ? (size_t)n : 0;
	if (s.proof.len && try_id(&s))
		return;
	if (link && try_link(&s, path, link))
		return;
	if (s.proof.len && !f->dwarf)
		try_server(&s);
}

/* A debug file in place of the file. */
static bool
take_instead(struct search *s, Elf *elf, int fd, const char *path)
{
	struct debugfile_contents its = debugfile_look(elf);
	struct debugfile *f = s->f;
	struct stat st;

	if (!its.info && !its.symtab)
		return false;
	f->standin = strdup(path);
	if (!f->standin)
		return false;
	if (its.info)
		f->dwarf = debugfile_begin(f, s->places, elf, path);
	if (fstat(fd, &st) == 0) {
		f->dev = st.st_dev;
		f->ino = st.st_ino;
	}
	f->elf = elf;
	return true;
}

bool
debugfile_stand_in(struct debugfile *f, const struct places *places,
		   const unsigned char *id, size_t len)
{
	struct search s = { .f = f,
			    .places = places,
			    .proof = { .id = id, .len = len },
			    .take = take_instead };

	return len && (try_id(&s) || try_server(&s));
}

static bool
take_alt(struct search *s, Elf *elf, int fd, const char *path)
{
	(void)fd;
	(void)path;
	debugfile_unpack(s->f, elf);
	s->f->alt = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (s->f->alt)
		s->f->alt_elf = elf;
	return s->f->alt;
}

/* By the name: as it is, or from the directory of the file that has it. */
static bool
try_alt_name(struct search *s, const char *path, const char *name)
{
	char *dir = directory(path);
	const char *slash = strrchr(name, '/');
	size_t n, i;
	const struct places_root *r = places_roots(s->places, &n);
	bool found = false;

	slash = slash ? slash + 1 : name;
	if (name[0] == '/')
		found = try_file(s, places_below(s->places, name)) ||
			try_file(s, strdup(name));
	else if (dir)
		found = try_file(s, print("%s/%s", dir, name));
	for (i = 0; i < n && !found && *slash; i++)
		found = try_file(s, print("%s/.dwz/%s", r[i].path, slash)) ||
			(r[i].given &&
			 try_file(s, print("%s/%s", r[i].path, slash)));
	free(dir);
	return found;
}

void
debugfile_find_alt(struct debugfile *f, const struct places *places,
		   Dwarf *dwarf, const char *path)
{
	struct search s = { .f = f, .places = places, .take = take_alt };
	const char *name;
	ssize_t n;

	n = dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &s.proof.id);
	/* The information of one file only is read. */
	if (n <= 0 || f->alt)
		return;
	s.proof.len = (size_t)n;
	if (try_id(&s) || try_alt_name(&s, path, name))
		dwarf_setalt(dwarf, f->alt);
}
