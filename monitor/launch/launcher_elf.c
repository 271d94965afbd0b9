/* SPDX-License-Identifier: MIT */
/* Which dynamic loader does a program request, and can it be recorded? */
#include "monitor/launch/launcher_elf.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "monitor/base/arch.h"

/* Larger tables are skipped. */
#define TABLE_MAX ((size_t)16 << 20)

/* The section's bytes and a NUL, to be freed; NULL if it can't be read. */
static char *
section_read(int fd, const Elf64_Shdr *sh)
{
	size_t n = sh->sh_size;
	char *p = n <= TABLE_MAX ? malloc(n + 1) : NULL;

	if (p && pread(fd, p, n, (off_t)sh->sh_offset) != (ssize_t)n) {
		free(p);
		return NULL;
	}
	if (p)
		p[n] = '\0';
	return p;
}

/* The file's header; false: no header, or unknown section headers. */
static bool
header_read(int fd, Elf64_Ehdr *e)
{
	return pread(fd, e, sizeof(*e), 0) == sizeof(*e) &&
	       e->e_shentsize == sizeof(Elf64_Shdr);
}

/* The header of section i, which must be below e_shnum; false: unreadable. */
static bool
section_header(int fd, const Elf64_Ehdr *e, unsigned i, Elf64_Shdr *sh)
{
	return pread(fd, sh, sizeof(*sh),
		     (off_t)(e->e_shoff + (Elf64_Off)i * sizeof(*sh))) ==
	       sizeof(*sh);
}

/* Has the file a section that only Go's linker writes? */
static bool
is_go(int fd)
{
	static const char mark[] = "gopclntab";
	Elf64_Shdr sh;
	Elf64_Ehdr e;
	char *names;
	bool go;

	if (!header_read(fd, &e) || e.e_shstrndx >= e.e_shnum ||
	    !section_header(fd, &e, e.e_shstrndx, &sh))
		return false;
	names = section_read(fd, &sh);
	go = names && memmem(names, sh.sh_size, mark, sizeof(mark) - 1);
	free(names);
	return go;
}

bool
launcher_elf_records(int fd)
{
	/* The name of one of the monitor's settings. */
	static const char mark[] = "MEMMON_SAMPLE_SEED";
	struct stat st;
	char *text;
	bool found;

	if (fstat(fd, &st) != 0 || st.st_size <= 0)
		return false;
	text = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (text == MAP_FAILED)
		return false;
	found = memmem(text, (size_t)st.st_size, mark, sizeof(mark));
	munmap(text, (size_t)st.st_size);
	return found;
}

/* Does an ELF file end before the end of its list of segments? */
static bool
is_truncated(int fd)
{
	Elf64_Ehdr e;
	Elf64_Phdr ph;
	ssize_t n = pread(fd, &e, sizeof(e), 0);

	if (n < SELFMAG || memcmp(e.e_ident, ELFMAG, SELFMAG) != 0)
		return false;
	return n != sizeof(e) || !e.e_phnum ||
	       pread(fd, &ph, sizeof(ph),
		     (off_t)(e.e_phoff + (e.e_phnum - 1) * sizeof(ph))) !=
		       sizeof(ph);
}

/* Is there an operator new, and no file of the C++ library that defines one? */
static bool
has_new(const Elf64_Sym *s, size_t n, const char *str, size_t size)
{
	static const char *const theirs[] = { "new_op.", "new_opv.",
					      "stdlib_new_delete." };
	bool new = false, library = false;
	const char *name;

	for (; n-- > 0; s++) {
		if (s->st_shndx == SHN_UNDEF || s->st_name >= size)
			continue;
		name = str + s->st_name;
		if (ELF64_ST_TYPE(s->st_info) == STT_FUNC)
			new |= !strcmp(name, "_Znwm") || !strcmp(name, "_Znam");
		if (ELF64_ST_TYPE(s->st_info) != STT_FILE)
			continue;
		for (size_t i = 0; i < sizeof(theirs) / sizeof(theirs[0]); i++)
			library |= !strncmp(name, theirs[i], strlen(theirs[i]));
	}
	return new && !library;
}

bool
launcher_elf_has_new(int fd)
{
	Elf64_Shdr sh, names;
	bool has = false;
	char *table, *str;
	Elf64_Ehdr e;

	if (!header_read(fd, &e))
		return false;
	for (unsigned i = 0; i < e.e_shnum && !has; i++) {
		if (!section_header(fd, &e, i, &sh))
			return false;
		if (sh.sh_type != SHT_SYMTAB || sh.sh_link >= e.e_shnum)
			continue;
		if (!section_header(fd, &e, sh.sh_link, &names))
			return false;
		table = section_read(fd, &sh);
		str = section_read(fd, &names);
		has = table && str &&
		      has_new((Elf64_Sym *)table,
			      sh.sh_size / sizeof(Elf64_Sym), str,
			      names.sh_size);
		free(table);
		free(str);
	}
	return has;
}

int
launcher_elf_loader(int fd, char *to, size_t n)
{
	Elf64_Phdr ph;
	Elf64_Ehdr e;

	if (pread(fd, &e, sizeof(e), 0) != sizeof(e) ||
	    e.e_phentsize != sizeof(ph))
		return -1;
	for (unsigned i = 0; i < e.e_phnum; i++) {
		off_t at = (off_t)(e.e_phoff + (Elf64_Off)i * sizeof(ph));

		if (pread(fd, &ph, sizeof(ph), at) != sizeof(ph))
			return -1;
		if (ph.p_type != PT_INTERP)
			continue;
		if (!ph.p_filesz || ph.p_filesz > n ||
		    pread(fd, to, ph.p_filesz, (off_t)ph.p_offset) !=
			    (ssize_t)ph.p_filesz)
			return -1;
		to[ph.p_filesz - 1] = '\0';
		return 1;
	}
	return 0;
}

/* The complete build-id among notes of this alignment; or NULL. */
static Elf64_Nhdr *
note_find(char *notes, size_t n, size_t align)
{
	size_t up = align > 4 ? align - 1 : 3, size, at = 0;

	for (; at + sizeof(Elf64_Nhdr) <= n; at += size) {
		Elf64_Nhdr *h = (Elf64_Nhdr *)(notes + at);

		size = sizeof(*h) + (((size_t)h->n_namesz + up) & ~up);
		if (h->n_type == NT_GNU_BUILD_ID && h->n_namesz == 4 &&
		    at + size + h->n_descsz <= n &&
		    !memcmp(h + 1, ELF_NOTE_GNU, 4))
			return h;
		size += ((size_t)h->n_descsz + up) & ~up;
	}
	return NULL;
}

void
launcher_elf_build_id(int fd, char *to, size_t n)
{
	char notes[4096] __attribute__((aligned(8)));
	Elf64_Nhdr *note;
	Elf64_Phdr ph;
	Elf64_Ehdr e;

	to[0] = '\0';
	if (pread(fd, &e, sizeof(e), 0) != sizeof(e) ||
	    e.e_phentsize != sizeof(ph))
		return;
	for (unsigned i = 0; i < e.e_phnum; i++) {
		off_t at = (off_t)(e.e_phoff + (Elf64_Off)i * sizeof(ph));

		if (pread(fd, &ph, sizeof(ph), at) != sizeof(ph))
			return;
		if (ph.p_type != PT_NOTE || ph.p_filesz > sizeof(notes) ||
		    pread(fd, notes, ph.p_filesz, (off_t)ph.p_offset) !=
			    (ssize_t)ph.p_filesz)
			continue;
		note = note_find(notes, ph.p_filesz, ph.p_align);
		if (!note || note->n_descsz * 2 >= n)
			continue;
		for (unsigned k = 0; k < note->n_descsz; k++)
			snprintf(to + 2 * k, 3, "%02x",
				 ((unsigned char *)(note + 1))[4 + k]);
		return;
	}
}

#ifdef MEMMON_MUSL
#define LIBC "musl"
#else
#define LIBC "glibc"
#endif

/* The libc that a loader belongs to, by the loader's name; NULL: unknown. */
static const char *
libc_of(const char *loader)
{
	static const char *const known[][2] = {
		{ "ld-linux", "glibc" },	  { "ld-2.", "glibc" },
		{ "ld-musl-", "musl" },		  { "ld64-uClibc", "uClibc" },
		{ "linker64", "Android's libc" },
	};
	const char *slash = strrchr(loader, '/');
	const char *name = slash ? slash + 1 : loader;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strncmp(name, known[i][0], strlen(known[i][0])))
			return known[i][1];
	return NULL;
}

/* Another libc's loader may be missing; its name tells the libc. */
static bool
is_other_loader(const char *loader)
{
	const char *libc = libc_of(loader);

	return libc && strcmp(libc, LIBC) != 0 && access(loader, F_OK) != 0;
}

/* Why the library can't be loaded into a program that has another libc. */
static void
refuse_libc(const struct mmi_program *p, const char *file, char *why, size_t n)
{
	const char *loader = p->loader[0] ? p->loader : file;
	const char *libc = libc_of(loader);

	if (p->kind == MMI_PROGRAM_OLD)
		snprintf(why, n,
			 "is run by glibc 2.%u (%s), and this memmon's library "
			 "needs glibc 2.%u or later",
			 p->release, loader, MMI_PROGRAM_GLIBC);
	else if (libc && !strcmp(libc, LIBC))
		snprintf(why, n,
			 "is run by a " LIBC " (%s) that is too old for this "
			 "memmon's library; see MACHINES in "
			 "memmon-circumstances(7)",
			 loader);
	else
		snprintf(why, n,
			 "is linked with %s, and this memmon's library is "
			 "for " LIBC
			 "; see MACHINES in memmon-circumstances(7)",
			 libc ? libc : "another C library");
}

void
launcher_elf_look(int fd, struct mmi_program *p)
{
	mmi_program_look(fd, p);
	if (p->kind == MMI_PROGRAM_FITS && p->loader[0])
		mmi_program_begin(p->loader);
}

bool
launcher_elf_refuses(int fd, const char *file, bool by_other, char *why,
		     size_t n)
{
	struct mmi_program p;

	launcher_elf_look(fd, &p);
	if (is_other_loader(p.loader))
		p.kind = MMI_PROGRAM_LIBC;
	if (by_other &&
	    (p.kind == MMI_PROGRAM_LIBC || p.kind == MMI_PROGRAM_OLD))
		p.kind = MMI_PROGRAM_FITS;
	why[0] = '\0';
	switch (p.kind) {
	case MMI_PROGRAM_FITS:
		break;
	case MMI_PROGRAM_UNKNOWN:
		/* A shell would take it for a script. */
		if (is_truncated(fd))
			snprintf(why, n, "is truncated or damaged");
		break;
	case MMI_PROGRAM_MACHINE:
		snprintf(why, n, "is not an " ARCH_NAME " program");
		break;
	case MMI_PROGRAM_STATIC:
		if (launcher_elf_records(fd))
			break;
		snprintf(why, n, "%s",
			 is_go(fd) ? "is a Go program, whose memory does not "
				     "come from malloc; use Go's profiler, "
				     "runtime/pprof"
				   : "is statically linked, so nothing can be "
				     "loaded into it; link it with the output "
				     "of pkg-config --static --libs memmon");
		break;
	case MMI_PROGRAM_LIBC:
	case MMI_PROGRAM_OLD:
		refuse_libc(&p, file, why, n);
		break;
	case MMI_PROGRAM_SANITIZER:
		snprintf(why, n,
			 "is built with a sanitizer%s%s, which has its own "
			 "malloc; build the program without -fsanitize",
			 p.sanitizer[0] ? ": " : "", p.sanitizer);
		break;
	}
	return why[0];
}
