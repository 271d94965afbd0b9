/* SPDX-License-Identifier: MIT */
/* A process that memmon attaches to. */
#include "monitor/attach/target.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Larger tables count as damaged. */
#define TABLE_MAX ((size_t)256 << 20)

bool
target_get(const struct target *t, uintptr_t at, void *to, size_t n)
{
	return pread(t->mem, to, n, (off_t)at) == (ssize_t)n;
}

bool
target_put(const struct target *t, uintptr_t at, const void *from, size_t n)
{
	return pwrite(t->mem, from, n, (off_t)at) == (ssize_t)n;
}

/* -------------------------------------------------------------- symbols -- */

/* Addresses of a library's tables in the process; 0: none. */
struct tables {
	uintptr_t hash, symbols, names;
	size_t names_size;
};

static bool
tables_read(const struct target *t, uintptr_t bias, uintptr_t dynamic,
	    size_t size, struct tables *to)
{
	Elf64_Dyn *d = size <= TABLE_MAX ? malloc(size) : NULL;

	memset(to, 0, sizeof(*to));
	if (!d || !target_get(t, dynamic, d, size)) {
		free(d);
		return false;
	}
	for (size_t i = 0; i < size / sizeof(*d) && d[i].d_tag; i++) {
		/* The loader has relocated most of them. */
		uintptr_t p = d[i].d_un.d_ptr;
		uintptr_t at = p < bias ? p + bias : p;

		if (d[i].d_tag == DT_GNU_HASH)
			to->hash = at;
		else if (d[i].d_tag == DT_SYMTAB)
			to->symbols = at;
		else if (d[i].d_tag == DT_STRTAB)
			to->names = at;
		else if (d[i].d_tag == DT_STRSZ)
			to->names_size = p;
	}
	free(d);
	return to->hash && to->symbols && to->names;
}

/* The number of symbols: up to the end of the hash table's last chain. */
static size_t
count_symbols(const struct target *t, const struct tables *k)
{
	uint32_t head[4], last = 0, b, chain;
	uintptr_t at;

	if (!target_get(t, k->hash, head, sizeof(head)) || head[0] > 1u << 24 ||
	    head[2] > 1u << 24)
		return 0;
	at = k->hash + sizeof(head) + 8 * (uintptr_t)head[2];
	for (uint32_t i = 0; i < head[0]; i++) {
		if (!target_get(t, at + 4 * (uintptr_t)i, &b, sizeof(b)))
			return 0;
		if (b > last)
			last = b;
	}
	if (last < head[1])
		return head[1];
	at += 4 * (uintptr_t)head[0];
	for (;; last++) {
		if (!target_get(t, at + 4 * (uintptr_t)(last - head[1]), &chain,
				sizeof(chain)))
			return 0;
		if (chain & 1)
			return last + 1;
	}
}

static int
by_address(const void *a, const void *b)
{
	const struct target_symbol *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

static void
keep_symbols(struct target_module *m, const Elf64_Sym *s, size_t n, size_t size)
{
	m->symbol = calloc(n + 1, sizeof(*m->symbol));
	for (size_t i = 0; m->symbol && i < n; i++)
		if (s[i].st_shndx != SHN_UNDEF && s[i].st_name < size &&
		    ELF64_ST_TYPE(s[i].st_info) != STT_TLS)
			m->symbol[m->nsymbols++] = (struct target_symbol){
				m->bias + s[i].st_value, s[i].st_size,
				m->names + s[i].st_name
			};
	if (m->symbol)
		qsort(m->symbol, m->nsymbols, sizeof(*m->symbol), by_address);
}

static void
read_symbols(const struct target *t, struct target_module *m, uintptr_t dynamic,
	     size_t size)
{
	struct tables k;
	Elf64_Sym *s;
	size_t n;

	if (!tables_read(t, m->bias, dynamic, size, &k))
		return;
	n = count_symbols(t, &k);
	if (n > TABLE_MAX / sizeof(*s) || k.names_size > TABLE_MAX)
		return;
	s = malloc(n * sizeof(*s) + 1);
	m->names = calloc(1, k.names_size + 1);
	if (s && m->names && target_get(t, k.symbols, s, n * sizeof(*s)) &&
	    target_get(t, k.names, m->names, k.names_size))
		keep_symbols(m, s, n, k.names_size);
	free(s);
}

uintptr_t
target_find(const struct target_module *m, const char *name)
{
	for (size_t i = 0; m && i < m->nsymbols; i++)
		if (!strcmp(m->symbol[i].name, name))
			return m->symbol[i].at;
	return 0;
}

const struct target_symbol *
target_name(const struct target_module *m, uintptr_t at)
{
	size_t lo = 0, hi = m->nsymbols, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (m->symbol[mid].at <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* Several symbols may begin there, and some have no size. */
	for (size_t i = lo; i-- > 0 && lo - i < 16;)
		if (at - m->symbol[i].at < m->symbol[i].size)
			return &m->symbol[i];
	return NULL;
}

/* -------------------------------------------------------------- modules -- */

static const char *
basename_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static enum target_kind
kind_of(const struct target_module *m)
{
	const char *name = basename_of(m->path);

	if (target_find(m, "memmon_version"))
		return TARGET_MONITOR;
	if (target_find(m, "_rtld_global") || !strncmp(name, "ld-linux", 8))
		return TARGET_LOADER;
	if (target_find(m, "__libc_start_main"))
		return TARGET_LIBC;
	return target_find(m, "malloc") ? TARGET_ALLOCATOR : TARGET_OTHER;
}

/* An object file whose headers are mapped at a.  False: none is there. */
static bool
module_read(const struct target *t, struct target_module *m, uintptr_t a)
{
	uintptr_t lo = UINTPTR_MAX, hi = 0, dynamic = 0;
	size_t size = 0;
	Elf64_Phdr ph;
	Elf64_Ehdr e;

	if (!target_get(t, a, &e, sizeof(e)) ||
	    memcmp(e.e_ident, ELFMAG, SELFMAG) ||
	    e.e_ident[EI_CLASS] != ELFCLASS64 || e.e_phentsize != sizeof(ph))
		return false;
	for (unsigned i = 0; i < e.e_phnum; i++) {
		if (!target_get(t, a + e.e_phoff + i * sizeof(ph), &ph,
				sizeof(ph)))
			return false;
		if (ph.p_type == PT_LOAD && ph.p_vaddr < lo)
			lo = ph.p_vaddr;
		if (ph.p_type == PT_LOAD && ph.p_vaddr + ph.p_memsz > hi)
			hi = ph.p_vaddr + ph.p_memsz;
		if (ph.p_type == PT_DYNAMIC) {
			dynamic = ph.p_vaddr;
			size = ph.p_memsz;
		}
	}
	if (hi <= lo)
		return false;
	m->start = a;
	m->bias = a - (lo & ~(uintptr_t)4095);
	m->end = m->bias + hi;
	if (dynamic)
		read_symbols(t, m, m->bias + dynamic, size);
	m->kind = kind_of(m);
	return true;
}

static void
modules_free(struct target *t)
{
	for (size_t i = 0; i < t->nmodules; i++) {
		free(t->module[i].symbol);
		free(t->module[i].names);
	}
	for (size_t i = 0; i < t->nmaps; i++)
		free(t->map[i].path);
	free(t->module);
	free(t->map);
	t->module = NULL;
	t->map = NULL;
	t->nmodules = t->nmaps = 0;
}

/*
 * The library of that mapping, if it was read before and its file is still
 * mapped at the same place.  False: it is new.
 */
static bool
module_known(struct target *before, const struct target_map *map,
	     struct target_module *m)
{
	struct target_module *old;

	for (size_t i = 0; i < before->nmodules; i++) {
		old = &before->module[i];
		if (old->start != map->start || old->inode != map->inode ||
		    !old->nsymbols || strcmp(old->path, map->path) != 0)
			continue;
		*m = *old;
		old->symbol = NULL;
		old->names = NULL;
		m->path = map->path;
		return true;
	}
	return false;
}

/* The next field, behind blanks. */
static char *
next_field(char *p)
{
	p += strcspn(p, " ");
	return p + strspn(p, " ");
}

/* One line of /proc/PID/maps: START-END PROT OFFSET DEVICE INODE PATH. */
static bool
map_read(struct target_map *m, char *line)
{
	char *prot = next_field(line), *offset = next_field(prot);
	char *inode = next_field(next_field(offset));
	char *path = next_field(inode), *end;

	if (!*inode)
		return false;
	path[strcspn(path, "\n")] = '\0';
	m->start = strtoul(line, &end, 16);
	if (*end != '-')
		return false;
	m->end = strtoul(end + 1, NULL, 16);
	m->offset = strtoul(offset, NULL, 16);
	m->inode = strtoul(inode, NULL, 10);
	m->write = prot[1] == 'w';
	m->exec = prot[2] == 'x';
	m->stack = !strcmp(path, "[stack]");
	m->path = strdup(path);
	return m->path != NULL;
}

static bool
maps_read(struct target *t, FILE *f)
{
	char *line = NULL;
	size_t n = 0, room = 0;
	void *more;

	while (getline(&line, &n, f) > 0) {
		if (t->nmaps == room) {
			room = 2 * room + 64;
			more = reallocarray(t->map, room, sizeof(*t->map));
			if (!more)
				break;
			t->map = more;
		}
		t->nmaps += map_read(&t->map[t->nmaps], line);
	}
	free(line);
	return t->nmaps != 0;
}

bool
target_read(struct target *t)
{
	struct target before = *t;
	struct target_module *m;
	char file[64];
	FILE *f;
	bool ok;

	snprintf(file, sizeof(file), "/proc/%ld/task/%ld/maps", (long)t->pid,
		 (long)target_thread(t->pid));
	f = fopen(file, "re");
	if (!f)
		return false;
	t->module = NULL;
	t->map = NULL;
	t->nmodules = t->nmaps = 0;
	ok = maps_read(t, f);
	fclose(f);
	t->module = calloc(t->nmaps + 1, sizeof(*t->module));
	for (size_t i = 0; t->module && i < t->nmaps; i++) {
		m = &t->module[t->nmodules];
		if (t->map[i].offset || t->map[i].path[0] != '/')
			continue;
		m->path = t->map[i].path;
		m->inode = t->map[i].inode;
		t->nmodules += module_known(&before, &t->map[i], m) ||
			       module_read(t, m, t->map[i].start);
	}
	modules_free(&before);
	return ok && t->module;
}

bool
target_open(struct target *t, pid_t pid)
{
	char file[64];

	memset(t, 0, sizeof(*t));
	t->pid = pid;
	t->started = target_started(pid);
	snprintf(file, sizeof(file), "/proc/%ld/task/%ld/mem", (long)pid,
		 (long)target_thread(pid));
	t->mem = open(file, O_RDWR | O_CLOEXEC);
	return t->mem >= 0 && target_read(t);
}

void
target_close(struct target *t)
{
	modules_free(t);
	if (t->mem >= 0)
		close(t->mem);
	t->mem = -1;
}

const struct target_module *
target_module(const struct target *t, uintptr_t at)
{
	for (size_t i = 0; i < t->nmodules; i++)
		if (at >= t->module[i].start && at < t->module[i].end)
			return &t->module[i];
	return NULL;
}

const struct target_map *
target_map(const struct target *t, uintptr_t at)
{
	for (size_t i = 0; i < t->nmaps; i++)
		if (at >= t->map[i].start && at < t->map[i].end)
			return &t->map[i];
	return NULL;
}

static const struct target_module *
first_of(const struct target *t, enum target_kind kind)
{
	for (size_t i = 0; i < t->nmodules; i++)
		if (t->module[i].kind == kind)
			return &t->module[i];
	return NULL;
}

/* Limit for objects of the loader's list. */
#define OBJECTS_MOST 4096

/*
 * The first library of a kind that the loader lists for the program itself.  A
 * namespace made by dlmopen(3) has its own C library, and may vanish.
 */
static const struct target_module *
listed_of(const struct target *t, enum target_kind kind)
{
	const struct target_module *loader = first_of(t, TARGET_LOADER), *m;
	uintptr_t list = loader ? target_find(loader, "_r_debug") : 0, at = 0;
	struct link_map l;

	if (!list || !target_get(t, list + offsetof(struct r_debug, r_map), &at,
				 sizeof(at)))
		return NULL;
	for (int n = 0; at && n < OBJECTS_MOST; n++) {
		if (!target_get(t, at, &l, sizeof(l)))
			return NULL;
		m = target_module(t, (uintptr_t)l.l_ld);
		if (m && m->kind == kind)
			return m;
		at = (uintptr_t)l.l_next;
	}
	return NULL;
}

const struct target_module *
target_of(const struct target *t, enum target_kind kind)
{
	const struct target_module *m =
		kind == TARGET_LIBC ? listed_of(t, kind) : NULL;

	return m ? m : first_of(t, kind);
}
