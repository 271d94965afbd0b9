/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of single units, in memory, for libdw to open.  libdw reads only the
 * first of several sections with one name (gcc makes a section for each type),
 * and can't decompress all of them.
 */
#define _GNU_SOURCE
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reduce/elf/elffile.h"
#include "reduce/elf/section.h"
#include "reduce/dwo/dwo.h"

/* The most sections of a written file, and bytes of their names. */
#define SECTIONS 16u
#define NAMES 512u

/* A file that is being written: its section headers and their names. */
struct out {
	int fd;
	bool bad;
	uint64_t at;
	Elf64_Shdr head[SECTIONS];
	unsigned n;
	char names[NAMES];
	size_t nnames;
};

static void
dwo_put(struct out *o, const void *p, size_t n)
{
	const char *at = p;
	ssize_t done;

	while (n && !o->bad) {
		done = write(o->fd, at, n);
		o->bad = done <= 0;
		if (o->bad)
			return;
		at += done;
		o->at += (size_t)done;
		n -= (size_t)done;
	}
}

/* Begin a section.  dwo_put() adds to it until dwo_end(). */
static void
dwo_begin(struct out *o, const char *name, unsigned type)
{
	Elf64_Shdr *h = &o->head[o->n];
	size_t n = strlen(name) + 1;

	if (o->n == SECTIONS || n > sizeof(o->names) - o->nnames) {
		o->bad = true;
		return;
	}
	*h = (Elf64_Shdr){ .sh_name = (Elf64_Word)o->nnames,
			   .sh_type = type,
			   .sh_offset = o->at,
			   .sh_addralign = 1 };
	memcpy(o->names + o->nnames, name, n);
	o->nnames += n;
	o->n++;
}

static void
dwo_end(struct out *o)
{
	if (!o->bad)
		o->head[o->n - 1].sh_size = o->at - o->head[o->n - 1].sh_offset;
}

/* Start the file with an empty header; dwo_finish() writes the real one. */
static void
dwo_start(struct out *o)
{
	static const Elf64_Ehdr nothing;

	*o = (struct out){ .n = 1, .nnames = 1 };
	o->fd = memfd_create("unit", MFD_CLOEXEC);
	o->bad = o->fd < 0;
	dwo_put(o, &nothing, sizeof(nothing));
}

/* Write the rest of the file, for the machine of `like'. */
static int
dwo_finish(struct out *o, Elf *like)
{
	static const char zero[8];
	Elf64_Ehdr eh = { .e_type = ET_REL,
			  .e_version = EV_CURRENT,
			  .e_ehsize = sizeof(eh),
			  .e_shentsize = sizeof(Elf64_Shdr) };
	GElf_Ehdr its;

	dwo_begin(o, ".shstrtab", SHT_STRTAB);
	dwo_put(o, o->names, o->nnames);
	dwo_end(o);
	dwo_put(o, zero, (size_t)(-o->at & 7));
	if (gelf_getehdr(like, &its)) {
		memcpy(eh.e_ident, its.e_ident, sizeof(eh.e_ident));
		eh.e_ident[EI_CLASS] = ELFCLASS64;
		eh.e_machine = its.e_machine;
		eh.e_shoff = o->at;
		eh.e_shnum = (Elf64_Half)o->n;
		eh.e_shstrndx = (Elf64_Half)(o->n - 1);
	}
	dwo_put(o, o->head, o->n * sizeof(o->head[0]));
	if (!o->bad && eh.e_shoff &&
	    pwrite(o->fd, &eh, sizeof(eh), 0) == sizeof(eh))
		return o->fd;
	if (o->fd >= 0)
		close(o->fd);
	return -1;
}

int
dwo_write(Elf *like, const struct dwo_part *part, size_t n)
{
	struct out o;
	size_t i;

	dwo_start(&o);
	for (i = 0; i < n; i++) {
		if (!part[i].n)
			continue;
		dwo_begin(&o, part[i].name, SHT_PROGBITS);
		dwo_put(&o, part[i].p, part[i].n);
		dwo_end(&o);
	}
	return dwo_finish(&o, like);
}

/* ------------------------------------------------------------- one unit -- */

/* The sections of a unit that libdw uses. */
static const char *const sections[] = {
	".debug_info.dwo",     ".debug_types.dwo", ".debug_abbrev.dwo",
	".debug_line.dwo",     ".debug_loc.dwo",   ".debug_loclists.dwo",
	".debug_rnglists.dwo", ".debug_str.dwo",   ".debug_str_offsets.dwo",
};

/* The next section with this name after scn, or NULL. */
static Elf_Scn *
next_named(Elf *elf, Elf_Scn *scn, const char *name)
{
	GElf_Shdr sh;
	const char *its;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings) < 0)
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		its = gelf_getshdr(scn, &sh) && sh.sh_type != SHT_NOBITS
			      ? elf_strptr(elf, strings, sh.sh_name)
			      : NULL;
		if (its && strcmp(its, name) == 0)
			return scn;
	}
	return NULL;
}

/* Is there a section that libdw would not read, or not whole? */
static bool
is_odd(Elf *elf)
{
	Elf_Scn *scn;
	GElf_Shdr sh;
	size_t i;

	/* An object file of -gsplit-dwarf=single: libdw reads the other one. */
	if (next_named(elf, NULL, ".debug_info") &&
	    next_named(elf, NULL, ".debug_info.dwo"))
		return true;
	for (i = 0; i < sizeof(sections) / sizeof(*sections); i++) {
		scn = next_named(elf, NULL, sections[i]);
		if (!scn)
			continue;
		if (!gelf_getshdr(scn, &sh) || (sh.sh_flags & SHF_COMPRESSED) ||
		    next_named(elf, scn, sections[i]))
			return true;
	}
	return false;
}

int
dwo_open(const char *path)
{
	struct owned own = { 0 };
	enum elffile_state state;
	Elf_Data *data;
	Elf_Scn *scn;
	struct out o;
	size_t i;
	Elf *elf;
	int fd;

	elf = elffile_open(path, &fd, &state);
	elffile_let_go(elf, fd);
	fd = -1;
	if (elf && is_odd(elf)) {
		dwo_start(&o);
		for (i = 0; i < sizeof(sections) / sizeof(*sections); i++) {
			scn = next_named(elf, NULL, sections[i]);
			if (scn)
				dwo_begin(&o, sections[i], SHT_PROGBITS);
			for (; scn; scn = next_named(elf, scn, sections[i])) {
				data = section_data(&own, elf, scn);
				if (data && data->d_buf)
					dwo_put(&o, data->d_buf, data->d_size);
				dwo_end(&o);
			}
		}
		fd = dwo_finish(&o, elf);
	}
	elf_end(elf);
	owned_free(&own);
	return fd;
}
