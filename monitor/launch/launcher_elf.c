/* SPDX-License-Identifier: MIT */
/* Which allocator does a program bring along, and which dynamic loader? */
#include "monitor/launch/launcher_elf.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "monitor/base/arch.h"

/* Larger tables than this are not looked at. */
#define TABLE_MAX ((size_t)64 << 20)

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

/* Runtimes of gcc and of clang that replace malloc, or trace all memory. */
static int
is_sanitizer(const char *lib)
{
	static const char *const name[] = {
		"libasan.",	    "libtsan.",		  "liblsan.",
		"libhwasan.",	    "libclang_rt.asan",	  "libclang_rt.tsan",
		"libclang_rt.msan", "libclang_rt.hwasan",
	};

	for (size_t i = 0; i < sizeof(name) / sizeof(name[0]); i++)
		if (!strncmp(lib, name[i], strlen(name[i])))
			return 1;
	return 0;
}

static void
needed(const Elf64_Dyn *d, size_t n, const char *str, size_t size,
       struct launcher_elf *what)
{
	for (; n-- > 0 && d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_NEEDED && d->d_un.d_val < size &&
		    is_sanitizer(str + d->d_un.d_val))
			strncpy(what->sanitizer, str + d->d_un.d_val,
				sizeof(what->sanitizer) - 1);
}

static void
symbols(const Elf64_Sym *s, size_t n, const char *str, size_t size,
	struct launcher_elf *what)
{
	static const char *const init[] = { "__asan_init", "__tsan_init",
					    "__msan_init", "__hwasan_init",
					    "__lsan_init" };

	for (; n-- > 0; s++) {
		if (s->st_shndx == SHN_UNDEF || s->st_name >= size)
			continue;
		if (!strcmp(str + s->st_name, "malloc"))
			what->own_malloc = 1;
		for (size_t i = 0; i < sizeof(init) / sizeof(init[0]); i++)
			if (!strcmp(str + s->st_name, init[i]))
				what->static_sanitizer = 1;
	}
}

/* One section, whose names are in *names. */
static void
look(int fd, const Elf64_Shdr *sh, const Elf64_Shdr *names,
     struct launcher_elf *what)
{
	char *table = section_read(fd, sh), *str = section_read(fd, names);

	if (table && str && sh->sh_type == SHT_DYNAMIC)
		needed((Elf64_Dyn *)table, sh->sh_size / sizeof(Elf64_Dyn), str,
		       names->sh_size, what);
	else if (table && str)
		symbols((Elf64_Sym *)table, sh->sh_size / sizeof(Elf64_Sym),
			str, names->sh_size, what);
	free(table);
	free(str);
}

void
launcher_elf_read(int fd, struct launcher_elf *what)
{
	Elf64_Shdr sh, names;
	Elf64_Ehdr e;

	memset(what, 0, sizeof(*what));
	if (pread(fd, &e, sizeof(e), 0) != sizeof(e) ||
	    e.e_shentsize != sizeof(sh))
		return;
	for (unsigned i = 0; i < e.e_shnum; i++) {
		off_t at = (off_t)(e.e_shoff + (Elf64_Off)i * sizeof(sh));

		if (pread(fd, &sh, sizeof(sh), at) != sizeof(sh))
			return;
		if ((sh.sh_type != SHT_DYNAMIC && sh.sh_type != SHT_DYNSYM) ||
		    sh.sh_link >= e.e_shnum)
			continue;
		at = (off_t)(e.e_shoff + (Elf64_Off)sh.sh_link * sizeof(sh));
		if (pread(fd, &names, sizeof(names), at) != sizeof(names))
			return;
		look(fd, &sh, &names, what);
	}
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

/* The build-id among notes of that alignment, all of it there; or NULL. */
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

/* The libc that a loader is of, if it is known not to be ours; or NULL. */
static const char *
other_libc(const char *loader)
{
	static const char *const known[][2] = {
#ifdef MEMMON_MUSL
		{ "ld-linux", "glibc" },
#else
		{ "ld-musl-", "musl" },
#endif
		{ "ld64-uClibc", "uClibc" },
		{ "linker64", "Android's libc" },
	};
	const char *slash = strrchr(loader, '/');
	const char *name = slash ? slash + 1 : loader;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strncmp(name, known[i][0], strlen(known[i][0])))
			return known[i][1];
	return NULL;
}

bool
launcher_elf_refuses(int fd, char *why, size_t n)
{
	char loader[PATH_MAX];
	struct launcher_elf what;
	const char *libc = NULL;
	Elf64_Ehdr e;
	int has;

	if (pread(fd, &e, sizeof(e), 0) != sizeof(e) ||
	    memcmp(e.e_ident, ELFMAG, SELFMAG) != 0)
		return false;
	why[0] = '\0';
	if (e.e_ident[EI_CLASS] != ELFCLASS64 || e.e_machine != ARCH_MACHINE) {
		snprintf(why, n, "is not an " ARCH_NAME " program");
		return true;
	}
	has = launcher_elf_loader(fd, loader, sizeof(loader));
	if (has == 1)
		libc = other_libc(loader);
	launcher_elf_read(fd, &what);
	if (has == 0)
		snprintf(why, n,
			 "is statically linked, so nothing can be loaded into "
			 "it; link it with the output of pkg-config --static "
			 "--libs memmon");
	else if (libc)
		snprintf(why, n,
			 "is linked with %s, and this memmon's library is "
			 "for " LIBC "; see MACHINES in memmon(7)",
			 libc);
	else if (what.sanitizer[0] || what.static_sanitizer)
		snprintf(why, n,
			 "is built with a sanitizer%s%s, which has its own "
			 "malloc; build it without -fsanitize",
			 what.sanitizer[0] ? ": " : "", what.sanitizer);
	return why[0];
}
