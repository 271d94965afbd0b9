/* SPDX-License-Identifier: MIT */
/*
 * The root that a word belongs to: the variable of the program or of a library,
 * found in the file's symbol table; the thread whose stack or storage contains
 * the word; or the mapping.
 */
#include "monitor/leak/leak_graph.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>

#include "monitor/base/process.h"
#include "monitor/base/sort.h"
#include "monitor/chain/modules.h"
#include "monitor/leak/leak.h"

#define DEBUG_FOLDER "/usr/lib/debug/.build-id/"

/* Symbols read at a time; symbols of one file that are kept. */
#define READ 512u
#define KEPT (1u << 22)

/* A variable: [start, start + size), addresses in the file. */
struct variable {
	uint64_t start, size;
};

/* The modules whose variables were looked up. */
#define MODULES 256u
static struct variables {
	unsigned module; /* number + 1 */
	uint32_t n;
	struct variable *v; /* sorted */
} cache[MODULES];
static unsigned ncached;

/* About how many bytes below a thread's control block are its storage. */
static uintptr_t storage;

/* How much thread-local storage the loaded modules have. */
static uintptr_t
storage_size(void)
{
	const struct mmi_module *m;
	uintptr_t sum = 0;

	for (unsigned i = 0; i < mmi_modules_count(); i++) {
		m = mmi_modules_at(i);
		if (m && !LOAD(&m->gone))
			sum += m->storage;
	}
	return sum < ARCH_TLS_BELOW ? sum : ARCH_TLS_BELOW;
}

void
mmi_root_init(void)
{
	ncached = 0;
	storage = ARCH_PTHREAD_AT < 0 ? ARCH_TLS_BELOW : storage_size();
}

static bool
read_at(long fd, void *to, size_t n, uint64_t at)
{
	return ARCH_SYS(SYS_pread64, fd, to, n, at, 0, 0) == (long)n;
}

static void
symbols_add(struct variables *c, const Elf64_Sym *s, size_t n, size_t room)
{
	for (size_t i = 0; i < n; i++)
		if (ELF64_ST_TYPE(s[i].st_info) == STT_OBJECT &&
		    s[i].st_shndx != SHN_UNDEF && s[i].st_size && c->n < room)
			c->v[c->n++] = (struct variable){ s[i].st_value,
							  s[i].st_size };
}

/* All variables of one table. */
static void
table_read(struct variables *c, long fd, const Elf64_Shdr *table)
{
	static Elf64_Sym some[READ];
	size_t all = table->sh_size / sizeof(some[0]), n;
	size_t room = all < KEPT ? all : KEPT;

	c->v = mmi_leak_map((room + 1) * sizeof(*c->v));
	for (size_t i = 0; c->v && i < all; i += n) {
		n = all - i < READ ? all - i : READ;
		if (!read_at(fd, some, n * sizeof(some[0]),
			     table->sh_offset + i * sizeof(some[0])))
			return;
		symbols_add(c, some, n, room);
	}
}

/* Read the full symbol table, or else the loader's; true: the full one. */
static bool
file_read(struct variables *c, long fd)
{
	Elf64_Shdr h, table = { .sh_type = SHT_NULL };
	Elf64_Ehdr e;

	if (!read_at(fd, &e, sizeof(e), 0) ||
	    memcmp(e.e_ident, ELFMAG, SELFMAG) || e.e_shentsize != sizeof(h))
		return false;
	for (unsigned i = 0; i < e.e_shnum; i++) {
		if (!read_at(fd, &h, sizeof(h), e.e_shoff + i * sizeof(h)))
			return false;
		if (h.sh_type == SHT_SYMTAB ||
		    (h.sh_type == SHT_DYNSYM && table.sh_type == SHT_NULL))
			table = h;
	}
	if (table.sh_type != SHT_NULL)
		table_read(c, fd, &table);
	return table.sh_type == SHT_SYMTAB && c->n;
}

/* False: there is no such file, or it has no full symbol table. */
static bool
path_read(struct variables *c, const char *path)
{
	long fd = ARCH_SYS(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0,
			   0, 0);
	bool full;

	if (fd < 0)
		return false;
	full = file_read(c, fd);
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	return full;
}

/* The separate debug file, where distributions install it. */
static void
debug_path(char to[], const struct mmi_module *m)
{
	static const char digits[] = "0123456789abcdef";

	memcpy(to, DEBUG_FOLDER, sizeof(DEBUG_FOLDER) - 1);
	to += sizeof(DEBUG_FOLDER) - 1;
	for (unsigned i = 0; i < m->buildid_len; i++) {
		*to++ = digits[m->buildid[i] >> 4];
		*to++ = digits[m->buildid[i] & 15];
		if (!i)
			*to++ = '/';
	}
	memcpy(to, ".debug", sizeof(".debug"));
}

/* The variables of module number i; NULL: there are too many modules. */
static const struct variables *
variables_of(unsigned i, const struct mmi_module *m)
{
	char debug[sizeof(DEBUG_FOLDER) + 2 * MMI_BUILDID_MAX + 8];
	struct variables *c, stripped;

	for (unsigned k = 0; k < ncached; k++)
		if (cache[k].module == i + 1)
			return &cache[k];
	if (ncached == MODULES)
		return NULL;
	c = &cache[ncached++];
	*c = (struct variables){ .module = i + 1 };
	if (!path_read(c, m->exe ? "/proc/self/exe" : m->path) &&
	    m->buildid_len > 1) {
		stripped = *c;
		*c = (struct variables){ .module = i + 1 };
		debug_path(debug, m);
		if (!path_read(c, debug))
			*c = stripped;
	}
	if (c->n)
		mmi_sort(c->v, c->n, sizeof(*c->v) / 8);
	return c;
}

/* The last variable that begins at or before a, if it contains a. */
static const struct variable *
variable_at(const struct variables *c, uint64_t a)
{
	uint32_t lo = 0, hi = c ? c->n : 0, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (c->v[mid].start <= a)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && a - c->v[lo - 1].start < c->v[lo - 1].size ? &c->v[lo - 1]
								: NULL;
}

/* A word in a module's data; its variable may be unknown. */
static void
data_root(struct mmi_graph_root *r, uint32_t *offset, unsigned i,
	  const struct mmi_module *m, uintptr_t at)
{
	const struct variable *v =
		variable_at(variables_of(i, m), at - m->bias);

	r->kind = MONOUT_ROOT_DATA;
	r->module = i + 1;
	r->addr = v ? v->start : at - m->bias;
	r->size = v ? v->size : sizeof(uintptr_t);
	*offset = (uint32_t)(at - m->bias - r->addr);
}

/* Is it in the thread's storage?  Then the control block is in mapping m. */
static bool
is_storage(const struct mmi_leak_thread *t, const struct mmi_leak_map *m,
	   uintptr_t at)
{
	return t->tcb >= m->start && t->tcb < m->end &&
	       at + storage >= t->tcb && at < t->tcb + ARCH_TLS_ABOVE;
}

/* Start of the stack that ends with this control block; 0: unknown. */
static uintptr_t
stack_start(uintptr_t tcb)
{
	static uintptr_t last, start;
	struct mmi_leak_stack s;
	uintptr_t link = 0;

	if (tcb == last)
		return start;
	last = tcb;
	start = 0;
	while (!start && mmi_leak_stack_next(&link, &s))
		if (tcb >= s.start && tcb < s.end)
			start = s.start;
	return start;
}

/*
 * Is it on the thread's stack?  The stack is where the stack pointer is.  A
 * signal handler may run on another stack: then the first thread's stack is the
 * one that the kernel made, and another thread's stack is below its control
 * block.  The kernel may have merged a stack with other mappings.
 */
static bool
is_stack(const struct mmi_leak_thread *t, const struct mmi_leak_map *m,
	 uintptr_t at)
{
	bool first = t->tid == mmi_process.pid;
	bool below = t->tcb > at && t->tcb < m->end;

	if (t->sp >= m->start && t->sp < m->end)
		return at + ARCH_RED_ZONE >= t->sp &&
		       (first || below || t->tcb < t->sp);
	if (m->flags & MMI_LEAK_STACK)
		return first;
	return !first && below && at >= stack_start(t->tcb);
}

/* The thread whose stack or storage contains it; NULL: none. */
static const struct mmi_leak_thread *
thread_of(struct mmi_leak *l, uintptr_t at, bool *stack)
{
	const struct mmi_leak_map *m = mmi_leak_find(l, at);
	const struct mmi_leak_thread *t;

	for (unsigned i = 0; m && i < l->nthreads; i++) {
		t = &l->threads[i];
		*stack = !is_storage(t, m, at);
		if (!*stack || is_stack(t, m, at))
			return t;
	}
	return NULL;
}

void
mmi_root_of(struct mmi_leak *l, struct mmi_graph_root *r,
	    struct mmi_graph_edge *e)
{
	const struct mmi_leak_thread *t = l->of_thread;
	const struct mmi_leak_map *map;
	const struct mmi_module *m;
	bool stack = true;
	unsigned i;

	*r = (struct mmi_graph_root){ .kind = MONOUT_ROOT_OTHER };
	if (l->at && (m = mmi_modules_data(l->at, &i)) != NULL) {
		data_root(r, &e->offset, i, m, l->at);
		return;
	}
	if (l->at)
		t = thread_of(l, l->at, &stack);
	if (t) {
		r->kind = stack ? MONOUT_ROOT_STACK : MONOUT_ROOT_STORAGE;
		r->tid = t->tid;
		e->offset = MONOUT_FAR;
		if (stack)
			e->frame = mmi_graph_frame_of(l, t, &e->offset);
		return;
	}
	map = l->at ? mmi_leak_find(l, l->at) : NULL;
	/* Such words of the heap are in unrecorded blocks: no root. */
	if (!map || map->flags & MMI_LEAK_BRK)
		return;
	r->kind = MONOUT_ROOT_MAPPED;
	r->addr = map->start;
	r->size = map->end - map->start;
	e->offset = MONOUT_FAR;
}
