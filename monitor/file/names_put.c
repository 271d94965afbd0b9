/* SPDX-License-Identifier: MIT */
/*
 * Names of modules whose files are gone: see names_put.h.  A file may have been
 * truncated before it was deleted, so process_vm_readv(2) reads the module's
 * memory: it fails where a load would raise SIGBUS.
 */
#include "monitor/file/names_put.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/uio.h>

#include "monitor/base/arena.h"
#include "monitor/base/process.h"
#include "monitor/base/put.h"

/* For /proc/self/maps: bytes that are read, and bytes of a line. */
#define MAPS_MOST (4u << 20)
#define LINE_MOST 1280u

/* Bytes per bit of marks: compilers align functions to 16. */
#define MARKED 16u

/* Most symbols of a file's table that are read. */
#define SYMBOLS_MOST (4u << 20)

/* Size of all paths together. */
#define PATHS_SIZE 65536u

/* One module. */
struct gone {
	bool gone;
	uintptr_t end;	/* of its first mapping */
	uint32_t path;	/* in paths, plus 1; 0: its own path */
	uint8_t *marks; /* a bit for each MARKED bytes; NULL: none */
	size_t size;	/* size of marks */
};

static struct gone *all; /* NULL: there was no memory */
static unsigned nall;
static char *paths; /* NULL: there are none */
static uint32_t used;

static size_t
all_size(void)
{
	return nall * sizeof(*all);
}

/* Does a module's path mean another file, or none, to another process? */
static bool
is_private(const char path[static 8])
{
	return *path != '/' || !memcmp(path, "/proc/", 6) ||
	       !memcmp(path, "/dev/fd/", 8);
}

/* Keep the kernel's path for module i, if there is room. */
static void
keep_path(struct gone *g, const char *path, size_t n)
{
	if (!paths)
		paths = mmi_arena_map(PATHS_SIZE);
	if (!paths || n >= PATHS_SIZE - used)
		return;
	memcpy(paths + used, path, n);
	paths[used + n] = '\0';
	g->path = used + 1;
	used += (uint32_t)n + 1;
}

/* A line of /proc/self/maps: "START-END PERMS OFFSET DEV INODE    PATH". */
static void
look_at(const char *line)
{
	static const char deleted[] = " (deleted)";
	const char *s = line, *path = strchr(line, '/');
	uintptr_t start = mmi_process_hex(&s);
	uintptr_t stop = *s == '-' ? (s++, mmi_process_hex(&s)) : 0;
	size_t n = path ? strlen(path) : 0, end = sizeof(deleted) - 1;
	const struct mmi_module *m;
	bool gone = n > end && !strcmp(path + n - end, deleted);

	for (unsigned i = 0; path && i < nall; i++) {
		m = mmi_modules_at(i);
		if (!m || m->start != start || LOAD(&m->gone))
			continue;
		all[i].gone = gone;
		all[i].end = stop;
		if (is_private(m->path))
			keep_path(&all[i], path, n - (gone ? end : 0));
		return;
	}
}

static void
read_maps(void)
{
	static char buffer[4096], line[LINE_MOST];
	long fd = ARCH_SYS(SYS_openat, AT_FDCWD, "/proc/self/maps",
			   O_RDONLY | O_CLOEXEC, 0, 0, 0);
	size_t n = 0, sum = 0;
	long got;

	while (fd >= 0 && sum < MAPS_MOST &&
	       (got = ARCH_SYS(SYS_read, fd, buffer, sizeof(buffer), 0, 0, 0)) >
		       0) {
		sum += (size_t)got;
		for (long i = 0; i < got; i++) {
			if (buffer[i] != '\n') {
				n += n < sizeof(line);
				line[n - 1] = buffer[i];
				continue;
			}
			/* The end of a longer line is dropped. */
			if (n < sizeof(line)) {
				line[n] = '\0';
				look_at(line);
			}
			n = 0;
		}
	}
	if (fd >= 0)
		ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
}

void
mmi_names_begin(unsigned n)
{
	nall = n;
	used = 0;
	all = n ? mmi_arena_map(all_size()) : NULL;
	if (all)
		read_maps();
}

const char *
mmi_names_path(unsigned i, const struct mmi_module *m)
{
	if (!all || i >= nall || !all[i].path)
		return m->path;
	return paths + all[i].path - 1;
}

bool
mmi_names_gone(unsigned i)
{
	return all && i < nall && all[i].gone;
}

void
mmi_names_mark(unsigned i, uintptr_t pc)
{
	const struct mmi_module *m = mmi_modules_at(i);
	struct gone *g;
	size_t at;

	if (!mmi_names_gone(i) || !m || pc < m->start || pc >= m->end)
		return;
	g = &all[i];
	if (!g->marks) {
		g->size = (m->end - m->start) / MARKED / 8 + 1;
		g->marks = mmi_arena_map(g->size);
	}
	at = (pc - m->start) / MARKED;
	if (g->marks)
		g->marks[at / 8] |= (uint8_t)(1u << at % 8);
}

/* ------------------------------------------------------------- symbols -- */

/* The file of a module that was deleted, if the process may open it; or -1. */
static long file = -1;

/* Copy memory of the program, or a part of the file.  False: that failed. */
static bool
copy(void *to, uintptr_t from, size_t n)
{
	struct iovec here = { to, n }, there = { (void *)from, n };

	if (file >= 0)
		return ARCH_SYS(SYS_pread64, file, to, n, from, 0, 0) ==
		       (long)n;
	return ARCH_SYS(SYS_process_vm_readv, mmi_process.pid, &here, 1, &there,
			1, 0) == (long)n;
}

/* Where a module's tables are. */
struct tables {
	uintptr_t symbols, strings, hash, gnu_hash; /* 0: there is none */
	uint64_t size;				    /* of the strings */
	uint32_t count; /* of the symbols, of the file's table */
};

/* The loader has added the bias to most of them. */
static uintptr_t
address(const struct mmi_module *m, uintptr_t p)
{
	return p >= m->start && p < m->end ? p : p + m->bias;
}

static void
tables_entry(const struct mmi_module *m, const ElfW(Dyn) *d, struct tables *t)
{
	uintptr_t p = address(m, d->d_un.d_ptr);

	switch (d->d_tag) {
	case DT_SYMTAB:
		t->symbols = p;
		return;
	case DT_STRTAB:
		t->strings = p;
		return;
	case DT_STRSZ:
		t->size = d->d_un.d_val;
		return;
	case DT_HASH:
		t->hash = p;
		return;
	case DT_GNU_HASH:
		t->gnu_hash = p;
		return;
	}
}

/* Find the tables by the module's headers.  False: one of them is missing. */
static bool
tables_find(const struct mmi_module *m, struct tables *t)
{
	ElfW(Ehdr) e;
	ElfW(Phdr) p = { 0 };
	ElfW(Dyn) d;
	uintptr_t at;

	memset(t, 0, sizeof(*t));
	if (!copy(&e, m->start, sizeof(e)) ||
	    memcmp(e.e_ident, ELFMAG, SELFMAG))
		return false;
	for (unsigned i = 0; i < e.e_phnum && p.p_type != PT_DYNAMIC; i++)
		if (!copy(&p, m->start + e.e_phoff + i * sizeof(p), sizeof(p)))
			return false;
	if (p.p_type != PT_DYNAMIC)
		return false;
	at = m->bias + p.p_vaddr;
	for (size_t i = 0; i < p.p_memsz / sizeof(d); i++, at += sizeof(d)) {
		if (!copy(&d, at, sizeof(d)) || d.d_tag == DT_NULL)
			break;
		tables_entry(m, &d, t);
	}
	return t->symbols && t->strings && t->size;
}

/*
 * How many symbols there are.  The table of sections says so, or the older form
 * of hash table.  In a GNU hash table the last chain shows it, which ends at a
 * hash with the lowest bit set.
 */
static uint32_t
tables_count(const struct tables *t)
{
	uint32_t head[4], last = 0, n, at;
	uintptr_t buckets, chain;

	if (t->count)
		return t->count;
	if (t->hash && copy(head, t->hash, 2 * sizeof(*head)))
		return head[1];
	if (!t->gnu_hash || !copy(head, t->gnu_hash, sizeof(head)))
		return 0;
	buckets = t->gnu_hash + sizeof(head) + head[2] * sizeof(uintptr_t);
	for (n = 0; n < head[0]; n++) {
		if (!copy(&at, buckets + n * sizeof(at), sizeof(at)))
			return 0;
		last = at > last ? at : last;
	}
	if (last < head[1])
		return 0;
	chain = buckets + head[0] * sizeof(at);
	for (n = last;
	     copy(&at, chain + (n - head[1]) * sizeof(at), sizeof(at)); n++)
		if (at & 1)
			return n + 1;
	return 0;
}

static size_t
hex_put(char *to, uintptr_t v)
{
	size_t n = 0;

	for (unsigned shift = 64; shift; shift -= 4)
		if (n || shift == 4 || v >> (shift - 4))
			to[n++] = "0123456789abcdef"[v >> (shift - 4) & 15];
	return n;
}

/*
 * To a process with CAP_SYS_ADMIN or CAP_CHECKPOINT_RESTORE (root), Linux shows
 * the file of a mapping, even a deleted one.
 */
static long
file_open(const struct gone *g, const struct mmi_module *m)
{
	char path[64] = "/proc/self/map_files/";
	size_t n = strlen(path);

	n += hex_put(path + n, m->start);
	path[n++] = '-';
	n += hex_put(path + n, g->end);
	path[n] = '\0';
	return ARCH_SYS(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0, 0,
			0);
}

/* Find the full symbol table in the file.  False: there is none. */
static bool
file_find(struct tables *t)
{
	ElfW(Ehdr) e;
	ElfW(Shdr) h, names;

	memset(t, 0, sizeof(*t));
	if (!copy(&e, 0, sizeof(e)) || memcmp(e.e_ident, ELFMAG, SELFMAG) ||
	    e.e_shentsize != sizeof(h))
		return false;
	for (unsigned i = 0; i < e.e_shnum; i++) {
		if (!copy(&h, e.e_shoff + i * sizeof(h), sizeof(h)))
			return false;
		if (h.sh_type != SHT_SYMTAB)
			continue;
		if (h.sh_link >= e.e_shnum ||
		    !copy(&names, e.e_shoff + h.sh_link * sizeof(h), sizeof(h)))
			return false;
		t->symbols = h.sh_offset;
		t->strings = names.sh_offset;
		t->size = names.sh_size;
		h.sh_size /= sizeof(ElfW(Sym));
		t->count = h.sh_size < SYMBOLS_MOST ? (uint32_t)h.sh_size
						    : SYMBOLS_MOST;
		return t->count != 0;
	}
	return false;
}

/* Does a call path have a frame in the function? */
static bool
is_marked(const struct gone *g, uintptr_t from, uintptr_t to)
{
	for (size_t at = from / MARKED; at <= (to - 1) / MARKED; at++)
		if (at / 8 < g->size && g->marks[at / 8] & 1u << at % 8)
			return true;
	return false;
}

/* Write the module's build-id as text.  Returns its length; 0: it has none. */
static size_t
module_text(const struct mmi_module *m, char *to, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	static const char before[] = MONREC_OF_BUILDID;
	char *p = to + sizeof(before) - 1;

	if (!m->buildid_len || 2 * m->buildid_len + sizeof(before) > n)
		return 0;
	memcpy(to, before, sizeof(before));
	for (unsigned i = 0; i < m->buildid_len; i++) {
		*p++ = digits[m->buildid[i] >> 4];
		*p++ = digits[m->buildid[i] & 15];
	}
	return (size_t)(p - to);
}

static void
put_symbol(struct mmi_emit *o, unsigned i, const struct mmi_module *m,
	   const char *name, size_t n, const ElfW(Sym) *s)
{
	char of[sizeof(MONREC_OF_BUILDID) + 2 * MMI_BUILDID_MAX];
	struct monrec_code x = { .name = name,
				 .namelen = n,
				 .module = of,
				 .modulelen = module_text(m, of, sizeof(of)),
				 .start = s->st_value,
				 .size = s->st_size };

	if (!x.modulelen) {
		x.module = mmi_names_path(i, m);
		x.modulelen = strlen(x.module);
	}
	mmi_put_code(o, &x);
}

/* Is it a function, and do call paths have frames in it? */
static bool
is_wanted(const struct gone *g, const struct mmi_module *m,
	  const struct tables *t, const ElfW(Sym) *s)
{
	unsigned type = s->st_info & 15;
	uintptr_t from = m->bias + s->st_value - m->start;

	return s->st_shndx != SHN_UNDEF && s->st_name < t->size && s->st_size &&
	       (type == STT_FUNC || type == STT_GNU_IFUNC) &&
	       from < m->end - m->start &&
	       s->st_size <= m->end - m->start - from &&
	       is_marked(g, from, from + s->st_size);
}

static void
put_table(struct mmi_emit *o, unsigned i, const struct mmi_module *m,
	  const struct tables *t)
{
	static ElfW(Sym) batch[64];
	static char name[4096];
	uint32_t n, k, some;

	for (n = tables_count(t), k = 0; n; n -= some, k += some) {
		some = n < 64 ? n : 64;
		if (!copy(batch, t->symbols + k * sizeof(*batch),
			  some * sizeof(*batch)))
			return;
		for (uint32_t j = 0; j < some; j++) {
			size_t most, len;

			if (!is_wanted(&all[i], m, t, &batch[j]))
				continue;
			most = t->size - batch[j].st_name;
			most = most < sizeof(name) ? most : sizeof(name);
			if (!copy(name, t->strings + batch[j].st_name, most))
				continue;
			len = strnlen(name, most);
			if (len && len < most)
				put_symbol(o, i, m, name, len, &batch[j]);
		}
	}
}

/* Use the full symbol table if it can be read, else the exported symbols. */
static void
put_module(struct mmi_emit *o, unsigned i, const struct mmi_module *m)
{
	struct tables t;
	bool full;

	file = file_open(&all[i], m);
	full = file >= 0 && file_find(&t);
	if (full)
		put_table(o, i, m, &t);
	if (file >= 0)
		ARCH_SYS(SYS_close, file, 0, 0, 0, 0, 0);
	file = -1;
	if (!full && tables_find(m, &t))
		put_table(o, i, m, &t);
}

void
mmi_names_put(struct mmi_emit *o)
{
	const struct mmi_module *m;

	for (unsigned i = 0; all && i < nall; i++) {
		m = mmi_modules_at(i);
		if (m && all[i].marks && !LOAD(&m->gone))
			put_module(o, i, m);
		MMI_ARENA_DROP(all[i].marks, all[i].size);
	}
	MMI_ARENA_DROP(paths, PATHS_SIZE);
	MMI_ARENA_DROP(all, all_size());
}
