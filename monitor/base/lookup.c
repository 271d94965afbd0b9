/* SPDX-License-Identifier: MIT */
/*
 * Names in the objects after this one.  dlsym() finds them, too, but if it
 * fails, it allocates a text for dlerror(), and its next call frees that text.
 * During that free() another hook of free(), before ours, may call dlsym() for
 * its own first time, and so on without end.
 */
#ifndef MEMMON_STATIC

#include "monitor/base/lookup.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "monitor/base/internal.h"
#include "monitor/base/own.h"
#include "monitor/base/process.h"
#include "monitor/base/symbol.h"

bool
mmi_lookup_has(const char *name)
{
	uint32_t h = mmi_symbol_hash(name);
	struct dl_find_object f;
	const struct link_map *l;
	struct mmi_symbol_tables t;

	if (mmi_process.attached)
		return mmi_lookup_from(0, name, mmi_lookup_own(name)) != NULL;
	if (_dl_find_object((void *)mmi_lookup_has, &f) != 0)
		return true;
	for (l = f.dlfo_link_map->l_next; l; l = l->l_next) {
		if (!mmi_symbol_tables(l->l_addr, l->l_ld, &t) ||
		    mmi_symbol_find(&t, name, h))
			return true;
	}
	return false;
}

bool
mmi_lookup_in(uintptr_t pc, const char *name)
{
	struct dl_find_object f;
	struct mmi_symbol_tables t;

	return _dl_find_object((void *)pc, &f) == 0 &&
	       mmi_symbol_tables(f.dlfo_link_map->l_addr, f.dlfo_link_map->l_ld,
				 &t) &&
	       mmi_symbol_find(&t, name, mmi_symbol_hash(name));
}

static int
call_locked(struct dl_phdr_info *info, size_t size, void *f)
{
	(void)info;
	(void)size;
	(*(void (**)(void))f)();
	return 1;
}

void
mmi_lookup_begin(void (*f)(void))
{
	if (mmi_process.attached)
		dl_iterate_phdr(call_locked, &f);
	else
		f();
}

static const struct link_map *exe;

static void
exe_find(void)
{
	struct dl_find_object f;
	const struct link_map *l;

	if (_dl_find_object((void *)exe_find, &f) != 0)
		return;
	for (l = f.dlfo_link_map; l && l->l_prev;)
		l = l->l_prev;
	exe = l;
}

const struct link_map *
mmi_lookup_exe(void)
{
	if (!exe)
		mmi_lookup_begin(exe_find);
	return exe;
}

unsigned
mmi_lookup_program(void)
{
	const struct link_map *l = mmi_lookup_exe();
	struct mmi_symbol_tables t;
	unsigned own = 0;

	if (!l || !mmi_symbol_tables(l->l_addr, l->l_ld, &t))
		return 0;
#define HAS(name, bit) \
	own |= mmi_symbol_find(&t, name, mmi_symbol_hash(name)) ? bit : 0;
	MMI_OWN(HAS)
#undef HAS
	return own;
}

bool
mmi_lookup_in_program(const void *p)
{
	struct dl_find_object f;

	return p && _dl_find_object((void *)(uintptr_t)p, &f) == 0 &&
	       f.dlfo_link_map == mmi_lookup_exe();
}

void *
mmi_lookup_own(const char *name)
{
	struct dl_find_object f;

	if (_dl_find_object((void *)mmi_lookup_own, &f) != 0)
		return NULL;
	return (void *)mmi_symbol_in(f.dlfo_link_map->l_addr,
				     f.dlfo_link_map->l_ld, name);
}

struct mmi_lookup_storage mmi_lookup_storage;

static int
storage_of(struct dl_phdr_info *i, size_t size, void *unused)
{
	uintptr_t here = (uintptr_t)storage_of, start = 0, end = 0;

	(void)unused;
	if (size < offsetof(struct dl_phdr_info, dlpi_tls_data) +
			   sizeof(i->dlpi_tls_data))
		return 1;
	for (unsigned k = 0; k < i->dlpi_phnum; k++) {
		const ElfW(Phdr) *p = &i->dlpi_phdr[k];

		if (p->p_type == PT_LOAD && p->p_flags & PF_X) {
			start = i->dlpi_addr + p->p_vaddr;
			end = start + p->p_memsz;
		} else if (p->p_type == PT_TLS && i->dlpi_tls_data) {
			mmi_lookup_storage.at =
				(intptr_t)((uintptr_t)i->dlpi_tls_data -
					   arch_tcb());
			mmi_lookup_storage.size = p->p_memsz;
		}
		if (here - start < end - start && mmi_lookup_storage.size)
			return 1;
	}
	mmi_lookup_storage.size = 0;
	return 0;
}

void
mmi_lookup_storage_find(void)
{
	dl_iterate_phdr(storage_of, NULL);
}

struct wanted {
	const char *name;
	uint32_t hash;
	uintptr_t from;	  /* in the object to begin with */
	const void *not_; /* a definition to skip */
	bool met;	  /* that object, or a later one */
	void *before, *found;
};

static bool
contains(const struct dl_phdr_info *o, uintptr_t pc)
{
	for (int i = 0; i < o->dlpi_phnum; i++)
		if (o->dlpi_phdr[i].p_type == PT_LOAD &&
		    pc - o->dlpi_addr - o->dlpi_phdr[i].p_vaddr <
			    o->dlpi_phdr[i].p_memsz)
			return true;
	return false;
}

/*
 * Is the object libmemmon, which memmon(1) loads before libmemmon-access?  Its
 * functions call those of this library, so they are never the next ones.
 */
static bool
precedes(const struct mmi_symbol_tables *t)
{
#ifdef MEMMON_ACCESS
	return mmi_symbol_find(t, "memmon_dump",
			       mmi_symbol_hash("memmon_dump"));
#else
	(void)t;
	return false;
#endif
}

static int
look(struct dl_phdr_info *o, size_t size, void *arg)
{
	struct wanted *w = arg;
	const Elf64_Sym *s = NULL;
	struct mmi_symbol_tables t;
	void *p;

	(void)size;
	w->met |= contains(o, w->from);
	for (int i = 0; i < o->dlpi_phnum && !s; i++)
		if (o->dlpi_phdr[i].p_type == PT_DYNAMIC &&
		    mmi_symbol_tables(o->dlpi_addr,
				      (const void *)(o->dlpi_addr +
						     o->dlpi_phdr[i].p_vaddr),
				      &t))
			s = mmi_symbol_find(&t, w->name, w->hash);
	p = s ? (void *)(o->dlpi_addr + s->st_value) : NULL;
	if (!p || p == w->not_ || precedes(&t))
		return 0;
	if (w->met)
		w->found = p;
	else if (!w->before)
		w->before = p;
	return w->found != NULL;
}

void *
mmi_lookup_from(uintptr_t pc, const char *name, const void * not )
{
	struct wanted w = { .name = name,
			    .hash = mmi_symbol_hash(name),
			    .from = pc,
			    .not_ = not };

	dl_iterate_phdr(look, &w);
	return w.found ? w.found : w.before;
}

#endif
