/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Units of debug information in files of their own (-gsplit-dwarf).
 *
 * libdw opens these files only at the path that the program names, and can't
 * read packed ones.  To make all readers of libdw's units find them, this file
 * changes the names, in a copy of the sections, and only while libdw opens a
 * unit.
 */
#define _GNU_SOURCE
#include <dwarf.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reduce/elf/elffile.h"
#include "reduce/dwo/dwo.h"
#include "reduce/dwo/dwp.h"
#include "reduce/dwo/split.h"

/* Room for another name after the strings. */
#define SLOT (PATH_MAX + 1)

/* A section that is replaced by a copy. */
struct copy {
	Elf_Data *data;
	unsigned char *bytes;
	size_t n; /* without the SLOT bytes */
};

/* The sections that the offset of a name may be in. */
enum { INFO, STR, LINE_STR, OFFSETS, COPIES };

struct split {
	struct owned *memory;
	const struct searchpath *searchpath;
	Elf *elf;
	const char *path;
	char *dir; /* the directory of path, with a slash at its end */
	Dwarf *dwarf;
	struct dwp *dwp;
	struct copy copy[COPIES];
	size_t *unlinked; /* counts units that aren't found */
};

/* A skeleton unit: the rest of it is in another file. */
struct skeleton {
	Dwarf_CU *cu;
	Dwarf_Die die;
	uint64_t id;
	Dwarf_Attribute name_at;
	const char *name, *dir;
};

/* ----------------------------------------------------------- skeletons -- */

/* Is the unit a skeleton? */
static bool
skeleton_of(Dwarf_CU *cu, struct skeleton *k)
{
	Dwarf_Attribute a;
	uint8_t type;

	if (dwarf_cu_info(cu, NULL, &type, &k->die, NULL, &k->id, NULL, NULL) ||
	    type != DW_UT_skeleton)
		return false;
	if (!dwarf_attr(&k->die, DW_AT_dwo_name, &k->name_at) &&
	    !dwarf_attr(&k->die, DW_AT_GNU_dwo_name, &k->name_at))
		return false;
	k->cu = cu;
	k->name = dwarf_formstring(&k->name_at);
	k->dir = dwarf_attr(&k->die, DW_AT_comp_dir, &a) ? dwarf_formstring(&a)
							 : NULL;
	return k->name && *k->name;
}

/* "a/b", or b alone if it is absolute; a may be NULL.  To be freed. */
static char *
split_join(const char *a, const char *b)
{
	if (*b == '/' || !a)
		return heap_text(b);
	return heap_print("%s/%s", a, b);
}

/* The path that libdw will open, to be freed; NULL: it finds none. */
static char *
split_usual(const struct split *s, const struct skeleton *k)
{
	char *path = split_join(s->dir, k->name), *dir;

	if (access(path, F_OK) == 0)
		return path;
	free(path);
	dir = k->dir && *k->name != '/' ? split_join(s->dir, k->dir) : NULL;
	path = dir ? split_join(dir, k->name) : NULL;
	free(dir);
	if (path && access(path, F_OK) == 0)
		return path;
	free(path);
	return NULL;
}

/* --------------------------------------------------------------- search -- */

/* Is it the other part of the unit?  Frees the path and returns NULL if not. */
static char *
split_fits(char *path, uint64_t id)
{
	enum elffile_state state;
	Dwarf *dwarf = NULL;
	Dwarf_CU *cu = NULL;
	bool found = false;
	uint64_t its;
	uint8_t type;
	Elf *elf;
	int fd;

	if (!path)
		return NULL;
	fd = dwo_open(path);
	elf = fd >= 0 ? elf_begin(fd, ELF_C_READ_MMAP, NULL)
		      : elffile_open(path, &fd, &state);
	if (elf)
		dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	while (dwarf && !found &&
	       dwarf_get_units(dwarf, cu, &cu, NULL, NULL, NULL, NULL) == 0)
		found = dwarf_cu_info(cu, NULL, &type, NULL, NULL, &its, NULL,
				      NULL) == 0 &&
			type == DW_UT_split_compile && its == id;
	dwarf_end(dwarf);
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	if (found)
		return path;
	free(path);
	return NULL;
}

/* Look where libdw doesn't.  Returns a path to be freed, or NULL. */
static char *
find_dwo(const struct split *s, const struct skeleton *k)
{
	const char *slash = strrchr(k->name, '/');
	const char *last = slash ? slash + 1 : k->name;
	char *whole = split_join(k->dir, k->name), *found = NULL;
	size_t n, i;
	const struct searchpath_root *r = searchpath_roots(s->searchpath, &n);

	found = split_fits(searchpath_below(s->searchpath, whole), k->id);
	for (i = 0; i < n && !found; i++) {
		if (*whole == '/')
			found = split_fits(split_join(r[i].path, whole + 1),
					   k->id);
		if (!found && r[i].given && *k->name != '/')
			found = split_fits(split_join(r[i].path, k->name),
					   k->id);
		if (!found && r[i].given)
			found = split_fits(split_join(r[i].path, last), k->id);
	}
	if (!found && s->dir)
		found = split_fits(split_join(s->dir, last), k->id);
	free(whole);
	return found;
}

/* Open PATH.dwp; frees the path. */
static struct dwp *
try_dwp(char *path)
{
	struct dwp *p = NULL;
	char *name;

	if (path) {
		name = heap_print("%s.dwp", path);
		p = dwp_open(name);
		free(name);
	}
	free(path);
	return p;
}

static struct dwp *
find_dwp(const struct split *s)
{
	char *real = realpath(s->path, NULL);
	size_t n, i, length = strlen(s->path);
	const struct searchpath_root *r = searchpath_roots(s->searchpath, &n);
	struct dwp *p = try_dwp(heap_text(s->path));
	const char *within, *last;

	if (!p && length > 6 && strcmp(s->path + length - 6, ".debug") == 0)
		p = try_dwp(heap_part(s->path, length - 6));
	if (!p && real)
		p = try_dwp(heap_text(real));
	for (i = 0; i < n && !p && real; i++) {
		within = searchpath_within(s->searchpath, real);
		last = strrchr(real, '/') + 1;
		if (within)
			p = try_dwp(split_join(r[i].path, within + 1));
		if (!p)
			p = try_dwp(split_join(r[i].path, real + 1));
		if (!p && r[i].given)
			p = try_dwp(split_join(r[i].path, last));
	}
	free(real);
	return p;
}

/* ---------------------------------------------------------------- libdw -- */

static void
copy_section(struct split *s, int which, const char *name)
{
	Elf_Scn *scn = elffile_named(s->elf, name);
	struct copy *c = &s->copy[which];
	Elf_Data *data;

	data = scn ? section_data(s->memory, s->elf, scn) : NULL;
	if (!data || !data->d_buf)
		return;
	c->bytes = owned_add(s->memory, heap_new(data->d_size + SLOT));
	memcpy(c->bytes, data->d_buf, data->d_size);
	memset(c->bytes + data->d_size, 0, SLOT);
	c->n = data->d_size;
	c->data = data;
	data->d_buf = c->bytes;
	if (which == STR || which == LINE_STR)
		data->d_size += SLOT;
}

/* Read a number of n bytes at `at'.  False: not inside the section. */
static bool
split_number(const struct copy *c, const unsigned char *at, size_t n,
	     uint64_t *to)
{
	uint32_t little = 0;

	if (at < c->bytes || at > c->bytes + c->n ||
	    (size_t)(c->bytes + c->n - at) < n)
		return false;
	memcpy(&little, at, n);
	*to = little;
	return true;
}

/* The place of the name's offset in the unit's table of strings. */
static unsigned char *
offset_at(const struct split *s, const struct skeleton *k, size_t size)
{
	const struct copy *info = &s->copy[INFO], *all = &s->copy[OFFSETS];
	const unsigned char *at = k->name_at.valp;
	Dwarf_Attribute a;
	Dwarf_Word base = 0;
	Dwarf_Half version = 0;
	uint64_t i = 0, byte;
	unsigned shift = 0;

	switch (k->name_at.form) {
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
		if (!split_number(info, at,
				  k->name_at.form - DW_FORM_strx1 + 1u, &i))
			return NULL;
		break;
	default:
		do {
			if (shift > 28 || !split_number(info, at++, 1, &byte))
				return NULL;
			i |= (byte & 127) << shift;
			shift += 7;
		} while (byte & 128);
	}
	dwarf_cu_info(k->cu, &version, NULL, NULL, NULL, NULL, NULL, NULL);
	if (dwarf_attr((Dwarf_Die *)&k->die, DW_AT_str_offsets_base, &a))
		dwarf_formudata(&a, &base);
	else if (version >= 5)
		base = 8;
	if (!all->bytes || base > all->n || i > (all->n - base) / size ||
	    (all->n - base) / size - i < 1)
		return NULL;
	return all->bytes + base + i * size;
}

/* The place of the offset of the unit's name; *strings: the name's section. */
static unsigned char *
name_place(const struct split *s, const struct skeleton *k, size_t size,
	   const struct copy **strings)
{
	const struct copy *info = &s->copy[INFO];
	uint64_t old;

	*strings = &s->copy[STR];
	switch (k->name_at.form) {
	case DW_FORM_line_strp:
		*strings = &s->copy[LINE_STR];
		__attribute__((fallthrough));
	case DW_FORM_strp:
		if (!split_number(info, k->name_at.valp, 4, &old))
			return NULL;
		return info->bytes + (k->name_at.valp - info->bytes);
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
	case DW_FORM_GNU_str_index:
		return offset_at(s, k, size);
	default:
		return NULL;
	}
}

/* Make libdw look for the unit at the path. */
static void
lead(struct split *s, struct skeleton *k, const char *path)
{
	const struct copy *strings;
	uint32_t old, slot;
	unsigned char *at;
	uint8_t size = 0;
	Dwarf_Die sub;

	dwarf_cu_info(k->cu, NULL, NULL, NULL, NULL, NULL, NULL, &size);
	/* No program has more than 4 GiB of names. */
	if (size != 4 || strlen(path) >= SLOT)
		return;
	at = name_place(s, k, size, &strings);
	if (!at || !strings->bytes || strings->n > UINT32_MAX)
		return;
	slot = (uint32_t)strings->n;
	memcpy(strings->bytes + slot, path, strlen(path) + 1);
	memcpy(&old, at, sizeof(old));
	memcpy(at, &slot, sizeof(slot));
	dwarf_cu_info(k->cu, NULL, NULL, NULL, &sub, NULL, NULL, NULL);
	memcpy(at, &old, sizeof(old));
}

/* Make libdw read an open file; closes it. */
static void
lead_open(struct split *s, struct skeleton *k, int fd)
{
	char name[64];

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	lead(s, k, name);
	close(fd);
}

/* Find one unit's other part. */
static void
link_unit(struct split *s, struct skeleton *k)
{
	char *there, *path = NULL;
	int fd = -1;

	if (s->dwp && dwp_has(s->dwp, k->id))
		fd = dwp_unit(s->dwp, k->id);
	if (fd >= 0) {
		lead_open(s, k, fd);
		return;
	}
	there = split_usual(s, k);
	if (!there || !elffile_is_regular(there))
		path = find_dwo(s, k);
	fd = dwo_open(path ? path : there ? there : "");
	if (fd >= 0)
		lead_open(s, k, fd);
	else if (path)
		lead(s, k, path);
	else if (!there || !elffile_is_regular(there))
		++*s->unlinked;
	/* Keep libdw from opening what isn't a regular file. */
	if (fd < 0 && !path && there && !elffile_is_regular(there))
		lead(s, k, "/proc/self/fd/none");
	free(there);
	free(path);
}

/* Would libdw fail to find the unit, or to read all of it? */
static bool
is_lost(const struct split *s, const struct skeleton *k)
{
	char *path = split_usual(s, k);
	int fd = -1;
	bool lost = !path || !elffile_is_regular(path);

	if (!lost)
		fd = dwo_open(path);
	if (fd >= 0)
		close(fd);
	free(path);
	return lost || fd >= 0;
}

/* ----------------------------------------------------------- interface -- */

/* Is there a unit that libdw wouldn't find? */
static bool
is_needed(struct split *s)
{
	struct skeleton k;
	Dwarf_CU *cu = NULL;
	bool any = false, missing = false;

	/* A program with such units has their addresses in this section. */
	if (!elffile_named(s->elf, ".debug_addr"))
		return false;
	while (!missing && dwarf_get_units(s->dwarf, cu, &cu, NULL, NULL, NULL,
					   NULL) == 0) {
		if (!skeleton_of(cu, &k))
			continue;
		if (!any)
			s->dwp = find_dwp(s);
		any = true;
		missing = s->dwp || is_lost(s, &k);
	}
	return missing;
}

static void
copy_sections(struct split *s)
{
	static const char *const names[] = {
		[INFO] = ".debug_info",
		[STR] = ".debug_str",
		[LINE_STR] = ".debug_line_str",
		[OFFSETS] = ".debug_str_offsets",
	};
	int i;

	for (i = 0; i < COPIES; i++)
		copy_section(s, i, names[i]);
}

/* The directory of the file, as libdw computes it. */
static char *
directory(const char *path)
{
	char *real = realpath(path, NULL);

	if (real)
		strrchr(real, '/')[1] = '\0';
	return real;
}

Dwarf *
split_find(struct owned *m, const struct searchpath *searchpath, Elf *elf,
	   const char *path, Dwarf *dwarf, size_t *unlinked)
{
	struct split s = { m, searchpath,	 elf,
			   path, .dwarf = dwarf, .unlinked = unlinked };
	struct skeleton k;
	Dwarf_CU *cu = NULL;

	s.dir = directory(path);
	if (is_needed(&s)) {
		/* Open it again, because it has noted where the sections
		 * are. */
		dwarf_end(s.dwarf);
		s.dwarf = NULL;
		copy_sections(&s);
		s.dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
		while (s.dwarf && dwarf_get_units(s.dwarf, cu, &cu, NULL, NULL,
						  NULL, NULL) == 0)
			if (skeleton_of(cu, &k))
				link_unit(&s, &k);
	}
	dwp_free(s.dwp);
	free(s.dir);
	return s.dwarf;
}
