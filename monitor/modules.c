/* SPDX-License-Identifier: MIT */
/* The table of modules: object files that chains pass through. */
#include "monitor/modules.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#include "monitor/arena.h"

#define NCHUNK	256u

static void *directory[NCHUNK];
static struct mmi_array modules = {
	.chunk = directory,
	.chunks = NCHUNK,
	.shift = 5,
	.size = sizeof(struct mmi_module),
};
static const char *exe_path = "";

unsigned mmi_modules_epoch;
unsigned mmi_modules_closing;

unsigned
mmi_modules_count(void)
{
	return LOAD_ACQ(&modules.used);
}

const struct mmi_module *
mmi_modules_at(unsigned i)
{
	const struct mmi_module *m = mmi_array_at(&modules, i);

	return m && LOAD_ACQ(&m->ready) ? m : NULL;
}

static void
copy_path(char *to, size_t n, const char *from)
{
	size_t i;

	for (i = 0; i + 1 < n && from[i]; i++)
		to[i] = from[i];
	to[i] = '\0';
}

/* Look for the build-id among the notes at p. */
static void
notes_buildid(struct mmi_module *m, const char *p, size_t n)
{
	ElfW(Nhdr) h;
	size_t name, desc;

	while (n >= sizeof(h)) {
		memcpy(&h, p, sizeof(h));
		p += sizeof(h);
		n -= sizeof(h);
		name = ((size_t)h.n_namesz + 3) & ~(size_t)3;
		desc = ((size_t)h.n_descsz + 3) & ~(size_t)3;
		if (name > n || desc > n - name)
			return;
		if (h.n_type == NT_GNU_BUILD_ID && h.n_namesz == 4 &&
		    !memcmp(p, "GNU", 4) && h.n_descsz <= MMI_BUILDID_MAX) {
			m->buildid_len = h.n_descsz;
			memcpy(m->buildid, p + name, h.n_descsz);
			return;
		}
		p += name + desc;
		n -= name + desc;
	}
}

/* The program headers are in the first page of every object that ld makes. */
static void
module_headers(struct mmi_module *m)
{
	const ElfW(Ehdr) *e = (const void *)m->start;
	const ElfW(Phdr) *ph;

	if (m->end - m->start < sizeof(*e) || memcmp(e->e_ident, ELFMAG, SELFMAG) ||
	    e->e_phentsize != sizeof(*ph) || e->e_phoff > ARCH_PAGE ||
	    e->e_phoff + e->e_phnum * sizeof(*ph) > ARCH_PAGE)
		return;
	ph = (const void *)(m->start + e->e_phoff);
	for (unsigned i = 0; i < e->e_phnum; i++)
		if (ph[i].p_type == PT_NOTE && !m->buildid_len)
			notes_buildid(m, (const char *)m->bias + ph[i].p_vaddr,
				      ph[i].p_memsz);
}

/* The generation for a module at [start, end): one above all that were there. */
static unsigned
module_generation(uintptr_t start, uintptr_t end)
{
	const struct mmi_module *m;
	unsigned gen = 0;

	for (unsigned i = 0; i < mmi_modules_count(); i++) {
		m = mmi_modules_at(i);
		if (m && LOAD(&m->gone) && m->start < end && start < m->end &&
		    m->gen >= gen)
			gen = m->gen + 1;
	}
	return gen < MMI_GEN_MAX ? gen : MMI_GEN_MAX;
}

static COLD const struct mmi_module *
module_add(const struct dl_find_object *f)
{
	const struct link_map *l = f->dlfo_link_map;
	struct mmi_module *m;
	uint32_t i;

	m = mmi_array_add(&modules, &i);
	if (!m)
		return NULL;
	m->start = (uintptr_t)f->dlfo_map_start;
	m->end = (uintptr_t)f->dlfo_map_end;
	m->bias = l->l_addr;
	m->map = l;
	m->exe = !l->l_name || !l->l_name[0];
	m->gen = module_generation(m->start, m->end);
	copy_path(m->path, sizeof(m->path), m->exe ? exe_path : l->l_name);
	module_headers(m);
	STORE_REL(&m->ready, 1);
	return m;
}

bool
mmi_modules_find(uintptr_t pc, struct mmi_object *o)
{
	const struct mmi_module *m = NULL;
	struct dl_find_object f;

	if (_dl_find_object((void *)pc, &f) != 0)
		return false;
	o->eh_hdr = f.dlfo_eh_frame;
	o->start = (uintptr_t)f.dlfo_map_start;
	o->end = (uintptr_t)f.dlfo_map_end;
	o->loader = o->start == getauxval(AT_BASE);
#ifndef MEMMON_STATIC
	o->own = (uintptr_t)mmi_modules_find - o->start < o->end - o->start;
#else
	o->own = false;
#endif
	for (unsigned i = mmi_modules_count(); i-- > 0;) {
		m = mmi_modules_at(i);
		if (m && m->start == o->start && m->end == o->end &&
		    m->map == f.dlfo_link_map && !LOAD(&m->gone))
			break;
		m = NULL;
	}
	if (!m)
		m = module_add(&f);
	o->gen = m ? m->gen : 0;
	return true;
}

void
mmi_modules_init(const char *exe)
{
	struct mmi_module *m;

	exe_path = exe;
	/* One that was met before the path was known. */
	for (unsigned i = 0; i < mmi_modules_count(); i++) {
		m = mmi_array_at(&modules, i);
		if (m && LOAD_ACQ(&m->ready) && m->exe && !m->path[0])
			copy_path(m->path, sizeof(m->path), exe);
	}
}

void
mmi_modules_unload_begin(void)
{
	__atomic_fetch_add(&mmi_modules_closing, 1, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&mmi_modules_epoch, 1, __ATOMIC_SEQ_CST);
}

void
mmi_modules_unload_end(void)
{
	struct dl_find_object f;
	struct mmi_module *m;

	for (unsigned i = 0; i < mmi_modules_count(); i++) {
		m = mmi_array_at(&modules, i);
		if (!m || !LOAD_ACQ(&m->ready) || LOAD(&m->gone))
			continue;
		if (_dl_find_object((void *)m->start, &f) != 0 ||
		    f.dlfo_link_map != m->map ||
		    (uintptr_t)f.dlfo_map_start != m->start)
			STORE(&m->gone, 1);
	}
	__atomic_fetch_add(&mmi_modules_epoch, 1, __ATOMIC_SEQ_CST);
	__atomic_fetch_sub(&mmi_modules_closing, 1, __ATOMIC_SEQ_CST);
}

int
mmi_modules_of_key(uint64_t k)
{
	uintptr_t pc = MMI_KEY_ADDR(k) - 1;
	const struct mmi_module *m;

	for (unsigned i = 0; i < mmi_modules_count(); i++) {
		m = mmi_modules_at(i);
		if (m && pc >= m->start && pc < m->end &&
		    m->gen == MMI_KEY_GEN(k))
			return (int)i;
	}
	return -1;
}

void
mmi_modules_fork(void)
{
	mmi_modules_closing = 0;
	mmi_modules_epoch++;
}
