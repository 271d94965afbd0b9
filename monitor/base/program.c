/* SPDX-License-Identifier: MIT */
/* Files of programs: see program.h. */
#include "monitor/base/program.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "monitor/base/arch.h"
#include "monitor/base/own.h"
#include "monitor/base/process.h"

/* A text that every fitting loader contains, and no other loader. */
#ifdef MEMMON_MUSL
#define LOADER_TEXT "musl libc ("
#else
#define LOADER_TEXT " release version 2."
#endif

/* How many symbols of one hash are read: a file with more is damaged. */
#define CHAIN_MAX 4096u

/* The same for entries of the dynamic section, and for program headers. */
#define ENTRIES_MAX 4096u
#define HEADERS_MAX 512u

#define FDS "/proc/self/fd/"

/* An ELF file, and the places of its dynamic section's tables: 0 nowhere. */
struct file {
	long fd;
	/* The bytes that were read last: most reads are close together. */
	unsigned char window[1024];
	uint64_t window_at;
	size_t window_size;
	Elf64_Ehdr header;
	uint64_t gnu_hash, hash, symbols, strings;
	bool dynamic; /* it has a dynamic section, */
	bool pie;     /* which says that it is a program */
};

/* Reads n bytes at that offset to *to; false: the file is too short. */
static bool
get(struct file *f, uint64_t at, void *to, size_t n)
{
	long got;

	if (n > sizeof(f->window))
		return false;
	if (at < f->window_at || at - f->window_at > f->window_size ||
	    n > f->window_size - (at - f->window_at)) {
		got = ARCH_SYS(SYS_pread64, f->fd, f->window, sizeof(f->window),
			       at, 0, 0);
		f->window_at = at;
		f->window_size = got > 0 ? (size_t)got : 0;
	}
	if (n > f->window_size - (at - f->window_at))
		return false;
	memcpy(to, f->window + (at - f->window_at), n);
	return true;
}

/* Reads a string at that offset; cuts it off if there isn't enough room. */
static void
get_string(struct file *f, uint64_t at, char *to, size_t room)
{
	size_t n = 0;

	while (n < room - 1 && get(f, at + n, to + n, 1) && to[n])
		n++;
	to[n] = '\0';
}

/* The next program header of a type, from *i on; moves *i after it. */
static bool
segment(struct file *f, uint32_t type, unsigned *i, Elf64_Phdr *to)
{
	while (*i < f->header.e_phnum) {
		if (!get(f, f->header.e_phoff + *i * sizeof(*to), to,
			 sizeof(*to)))
			return false;
		++*i;
		if (to->p_type == type)
			return true;
	}
	return false;
}

/* The offset of an address in the file. */
static uint64_t
offset(struct file *f, uint64_t address)
{
	Elf64_Phdr ph;

	for (unsigned i = 0; segment(f, PT_LOAD, &i, &ph);)
		if (address - ph.p_vaddr < ph.p_filesz)
			return ph.p_offset + (address - ph.p_vaddr);
	return 0;
}

/* ------------------------------------------------------- dynamic section -- */

/* Runtimes of gcc and of clang that replace malloc, or trace all memory. */
static const char *const runtime[] = {
	"libasan.",	    "libtsan.",		"liblsan.",
	"libhwasan.",	    "libclang_rt.asan", "libclang_rt.tsan",
	"libclang_rt.msan", "libclang_rt.hwasan",
};

static void
needed(struct file *f, uint64_t name, struct mmi_program *p)
{
	char library[sizeof(p->sanitizer)];

	get_string(f, f->strings + name, library, sizeof(library));
	for (size_t i = 0; i < sizeof(runtime) / sizeof(*runtime); i++)
		if (!memcmp(library, runtime[i], strlen(runtime[i])))
			memcpy(p->sanitizer, library, sizeof(library));
}

static void
entry(struct file *f, const Elf64_Dyn *d, struct mmi_program *p, bool names)
{
	if (d->d_tag == DT_NEEDED && names && f->strings)
		needed(f, d->d_un.d_val, p);
	else if (names)
		return;
	else if (d->d_tag == DT_GNU_HASH)
		f->gnu_hash = offset(f, d->d_un.d_ptr);
	else if (d->d_tag == DT_HASH)
		f->hash = offset(f, d->d_un.d_ptr);
	else if (d->d_tag == DT_SYMTAB)
		f->symbols = offset(f, d->d_un.d_ptr);
	else if (d->d_tag == DT_STRTAB)
		f->strings = offset(f, d->d_un.d_ptr);
	else if (d->d_tag == DT_FLAGS_1)
		f->pie = d->d_un.d_val & DF_1_PIE;
}

/* First the tables; then, with `names', the names in them. */
static void
dynamic(struct file *f, struct mmi_program *p, bool names)
{
	Elf64_Phdr ph;
	Elf64_Dyn d;
	unsigned i = 0;

	if (!segment(f, PT_DYNAMIC, &i, &ph))
		return;
	f->dynamic = true;
	for (uint64_t n = 0; n < ENTRIES_MAX; n++) {
		if (!get(f, ph.p_offset + n * sizeof(d), &d, sizeof(d)) ||
		    d.d_tag == DT_NULL)
			return;
		entry(f, &d, p, names);
	}
}

/* --------------------------------------------------------------- symbols -- */

/* Is symbol i defined, with that name? */
static bool
is_symbol(struct file *f, uint32_t i, const char *name)
{
	size_t n = strlen(name) + 1;
	char text[32];
	Elf64_Sym s;

	return get(f, f->symbols + i * sizeof(s), &s, sizeof(s)) &&
	       s.st_shndx != SHN_UNDEF && n <= sizeof(text) &&
	       get(f, f->strings + s.st_name, text, n) &&
	       !memcmp(text, name, n);
}

/* See mmi_symbol_find() in symbol.c. */
static bool
gnu_defines(struct file *f, const char *name)
{
	uint32_t head[4], h = 5381, i, at;
	uint64_t bucket, chain;

	for (const char *c = name; *c; c++)
		h = h * 33 + (unsigned char)*c;
	if (!get(f, f->gnu_hash, head, sizeof(head)) || !head[0])
		return false;
	bucket = f->gnu_hash + sizeof(head) + 8 * (uint64_t)head[2];
	chain = bucket + 4 * (uint64_t)head[0];
	if (!get(f, bucket + 4 * (uint64_t)(h % head[0]), &i, sizeof(i)) ||
	    i < head[1] || !i)
		return false;
	for (unsigned n = 0; n < CHAIN_MAX; n++, i++) {
		if (!get(f, chain + 4 * (uint64_t)(i - head[1]), &at,
			 sizeof(at)))
			return false;
		if ((at | 1) == (h | 1) && is_symbol(f, i, name))
			return true;
		if (at & 1)
			return false;
	}
	return false;
}

/* DT_HASH: numbers of buckets and of symbols, the buckets, the next symbols. */
static bool
sysv_defines(struct file *f, const char *name)
{
	uint32_t head[2], h = 0, i;
	uint64_t at;

	for (const char *c = name; *c; c++) {
		h = (h << 4) + (unsigned char)*c;
		h = (h ^ (h >> 24 & 0xf0)) & 0x0fffffff;
	}
	if (!get(f, f->hash, head, sizeof(head)) || !head[0])
		return false;
	at = f->hash + sizeof(head) + 4 * (uint64_t)(h % head[0]);
	for (unsigned n = 0; n < CHAIN_MAX; n++) {
		if (!get(f, at, &i, sizeof(i)) || !i)
			return false;
		if (is_symbol(f, i, name))
			return true;
		at = f->hash + sizeof(head) + 4 * ((uint64_t)head[0] + i);
	}
	return false;
}

static bool
defines(struct file *f, const char *name)
{
	if (!f->symbols || !f->strings)
		return false;
	if (f->gnu_hash)
		return gnu_defines(f, name);
	return f->hash && sysv_defines(f, name);
}

static bool
has_sanitizer(struct file *f)
{
	static const char *const init[] = { "__asan_init", "__tsan_init",
					    "__msan_init", "__hwasan_init",
					    "__lsan_init" };

	for (size_t i = 0; i < sizeof(init) / sizeof(*init); i++)
		if (defines(f, init[i]))
			return true;
	return false;
}

/* ---------------------------------------------------------------- loader -- */

/* The offset after that text in a file; 0: the text isn't in the file. */
static uint64_t
behind(struct file *f, const char *text)
{
	size_t n = strlen(text);
	unsigned char *c, *end;

	for (uint64_t at = 0;; at += (uint64_t)(end - f->window)) {
		f->window_size = 0;
		if (!get(f, at, &(char[64]){ 0 }, n))
			return 0;
		c = f->window;
		end = c + f->window_size - n + 1;
		for (; (c = memchr(c, text[0], (size_t)(end - c))); c++)
			if (!memcmp(c, text, n))
				return at + (uint64_t)(c - f->window) + n;
	}
}

/* Does the glibc of that loader file fit? */
static enum mmi_program_kind
loader_kind(struct file *f, unsigned *release)
{
	uint64_t at = behind(f, LOADER_TEXT);

	*release = 0;
	if (!at)
		return MMI_PROGRAM_LIBC;
#ifdef MEMMON_MUSL
	return MMI_PROGRAM_FITS;
#else
	char digits[8];

	get_string(f, at, digits, sizeof(digits));
	for (const char *c = digits; *c >= '0' && *c <= '9'; c++)
		*release = *release * 10 + (unsigned)(*c - '0');
	return *release < MMI_PROGRAM_GLIBC ? MMI_PROGRAM_OLD
					    : MMI_PROGRAM_FITS;
#endif
}

static struct stat own; /* this process's loader; st_nlink 0 unknown */

void
mmi_program_begin(const char *loader)
{
	if (ARCH_SYS(SYS_newfstatat, AT_FDCWD, loader, &own, 0, 0, 0) != 0)
		own.st_nlink = 0;
}

/* Does the loader that the program names fit? */
static enum mmi_program_kind
named_loader_kind(struct mmi_program *p)
{
	struct file f = { .fd = mmi_program_open(AT_FDCWD, p->loader) };
	enum mmi_program_kind kind = MMI_PROGRAM_FITS;
	struct stat st;

	/* The program can't run without it, so this doesn't matter. */
	if (f.fd < 0)
		return MMI_PROGRAM_FITS;
	if (!own.st_nlink || ARCH_SYS(SYS_fstat, f.fd, &st, 0, 0, 0, 0) != 0 ||
	    st.st_ino != own.st_ino || st.st_dev != own.st_dev)
		kind = loader_kind(&f, &p->release);
	ARCH_SYS(SYS_close, f.fd, 0, 0, 0, 0, 0);
	return kind;
}

/* ------------------------------------------------------------------ file -- */

long
mmi_program_open(long directory, const char *path)
{
	char name[sizeof(FDS) + 20];
	struct stat st;

	/* Opening a device or a pipe may have an effect, or wait. */
	if (ARCH_SYS(SYS_newfstatat, directory, path, &st,
		     *path ? 0 : AT_EMPTY_PATH, 0, 0) != 0 ||
	    !S_ISREG(st.st_mode))
		return -1;
	if (!*path) {
		/* The descriptor may not allow reading. */
		memcpy(name, FDS, sizeof(FDS));
		mmi_process_decimal(name + sizeof(FDS) - 1,
				    (uint64_t)directory);
		path = name;
	}
	return ARCH_SYS(SYS_openat, directory, path,
			O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0, 0, 0);
}

/*
 * Reads the name of the loader; false: its name or the list of segments can't
 * be read.
 */
static bool
loader_name(struct file *f, struct mmi_program *p)
{
	const Elf64_Ehdr *h = &f->header;
	Elf64_Phdr ph;
	unsigned i = 0;

	/* A truncated file. */
	if (!h->e_phnum || !get(f, h->e_phoff + (h->e_phnum - 1) * sizeof(ph),
				&ph, sizeof(ph)))
		return false;
	if (!segment(f, PT_INTERP, &i, &ph))
		return true;
	if (!ph.p_filesz || ph.p_filesz > sizeof(p->loader) ||
	    !get(f, ph.p_offset, p->loader, ph.p_filesz))
		return false;
	p->loader[ph.p_filesz - 1] = '\0';
	return true;
}

/* The kind of a file for this machine. */
static enum mmi_program_kind
kind_of(struct file *f, struct mmi_program *p)
{
	enum mmi_program_kind kind;

	if (!loader_name(f, p))
		return MMI_PROGRAM_UNKNOWN;
	dynamic(f, p, false);
	dynamic(f, p, true);
	p->own_malloc = defines(f, "malloc");
	p->is_loader = !p->loader[0] && f->dynamic && !f->pie;
	if (p->is_loader)
		return loader_kind(f, &p->release);
	if (!p->loader[0])
		return MMI_PROGRAM_STATIC;
	kind = named_loader_kind(p);
	if (kind == MMI_PROGRAM_FITS && (p->sanitizer[0] || has_sanitizer(f)))
		return MMI_PROGRAM_SANITIZER;
	return kind;
}

void
mmi_program_look(long fd, struct mmi_program *p)
{
	struct file f = { .fd = fd };

	memset(p, 0, sizeof(*p));
	p->kind = MMI_PROGRAM_UNKNOWN;
	if (!get(&f, 0, &f.header, sizeof(f.header)) ||
	    memcmp(f.header.e_ident, ELFMAG, SELFMAG) != 0)
		return;
	if (f.header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    f.header.e_machine != ARCH_MACHINE)
		p->kind = MMI_PROGRAM_MACHINE;
	else if (f.header.e_phentsize == sizeof(Elf64_Phdr) &&
		 f.header.e_phnum <= HEADERS_MAX)
		p->kind = kind_of(&f, p);
}

unsigned
mmi_program_own(long fd)
{
	struct file f = { .fd = fd };
	struct mmi_program p = { .own_malloc = false };
	unsigned own = 0;

	if (!get(&f, 0, &f.header, sizeof(f.header)) ||
	    memcmp(f.header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    f.header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    f.header.e_phentsize != sizeof(Elf64_Phdr) ||
	    f.header.e_phnum > HEADERS_MAX)
		return 0;
	dynamic(&f, &p, false);
#define HAS(name, bit) \
	if (defines(&f, name)) \
		own |= bit;
	MMI_OWN(HAS)
#undef HAS
	return own;
}

/* ------------------------------------------------------------- arguments -- */

int
mmi_program_argument(char *const argv[])
{
	/* Options with a value; with any other -- option no program is run. */
	static const char *const valued[] = {
		"--library-path",
		"--inhibit-rpath",
		"--audit",
		"--preload",
		"--argv0",
		"--glibc-hwcaps-prepend",
		"--glibc-hwcaps-mask",
	};
	bool again;
	int i = 0;

	if (!argv || !argv[0])
		return 0;
	do {
		const char *a = argv[++i];

		if (!a)
			return 0;
		again = !strcmp(a, "--inhibit-cache");
		for (size_t k = 0; k < sizeof(valued) / sizeof(*valued); k++)
			if (!strcmp(a, valued[k])) {
				if (!argv[++i])
					return 0;
				again = true;
			}
		if (!again && a[0] == '-' && a[1] == '-')
			return !a[2] && argv[i + 1] ? i + 1 : 0;
	} while (again);
	return i;
}
