/* SPDX-License-Identifier: MIT */
/*
 * Names in the objects behind this one.  dlsym() tells the same, but when there
 * is none it allocates a text for dlerror(), and its next call frees that: in
 * the midst of which another hook of free(), in front of ours, may call dlsym()
 * for its own first time, and so on without end.
 */
#ifndef MEMMON_STATIC

#include "monitor/base/lookup.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

#include "monitor/base/process.h"

struct tables {
	const uint32_t *hash; /* DT_GNU_HASH, or NULL */
	const Elf64_Sym *sym;
	const char *str;
};

static uint32_t
hash_of(const char *name)
{
	uint32_t h = 5381;

	while (*name)
		h = h * 33 + (unsigned char)*name++;
	return h;
}

/* The loader has added the bias to most of them. */
static const void *
address(uintptr_t bias, const Elf64_Dyn *d)
{
	uintptr_t p = d->d_un.d_ptr;

	return (const void *)(p < bias ? p + bias : p);
}

/* False: not all of them are there. */
static bool
tables_find(uintptr_t bias, const Elf64_Dyn *d, struct tables *t)
{
	memset(t, 0, sizeof(*t));
	for (; d && d->d_tag != DT_NULL; d++) {
		if (d->d_tag == DT_GNU_HASH)
			t->hash = address(bias, d);
		else if (d->d_tag == DT_SYMTAB)
			t->sym = address(bias, d);
		else if (d->d_tag == DT_STRTAB)
			t->str = address(bias, d);
	}
	return t->hash && t->sym && t->str;
}

/*
 * The table: numbers of buckets, of symbols before the first in it, of words of
 * a filter, and a shift; the filter, the buckets, and the hashes, of which the
 * lowest bit ends a bucket.
 */
static const Elf64_Sym *
tables_symbol(const struct tables *t, const char *name, uint32_t h)
{
	uint32_t n = t->hash[0], first = t->hash[1], words = t->hash[2], i;
	const uint32_t *bucket = t->hash + 4 + 2 * (size_t)words;
	const uint32_t *chain = bucket + n;

	i = n ? bucket[h % n] : 0;
	if (i < first || !i)
		return NULL;
	for (;; i++) {
		uint32_t at = chain[i - first];

		if ((at | 1) == (h | 1) && t->sym[i].st_shndx != SHN_UNDEF &&
		    strcmp(t->str + t->sym[i].st_name, name) == 0)
			return &t->sym[i];
		if (at & 1)
			return NULL;
	}
}

bool
mmi_lookup_has(const char *name)
{
	uint32_t h = hash_of(name);
	struct dl_find_object f;
	const struct link_map *l;
	struct tables t;

	if (mmi_process.attached)
		return mmi_lookup_from(0, name, mmi_lookup_own(name)) != NULL;
	if (_dl_find_object((void *)mmi_lookup_has, &f) != 0)
		return true;
	for (l = f.dlfo_link_map->l_next; l; l = l->l_next) {
		if (!tables_find(l->l_addr, l->l_ld, &t) ||
		    tables_symbol(&t, name, h))
			return true;
	}
	return false;
}

bool
mmi_lookup_in(uintptr_t pc, const char *name)
{
	struct dl_find_object f;
	struct tables t;

	return _dl_find_object((void *)pc, &f) == 0 &&
	       tables_find(f.dlfo_link_map->l_addr, f.dlfo_link_map->l_ld,
			   &t) &&
	       tables_symbol(&t, name, hash_of(name));
}

void *
mmi_lookup_own(const char *name)
{
	const Elf64_Sym *s = NULL;
	struct dl_find_object f;
	struct tables t;

	if (_dl_find_object((void *)mmi_lookup_own, &f) != 0 ||
	    !tables_find(f.dlfo_link_map->l_addr, f.dlfo_link_map->l_ld, &t))
		return NULL;
	s = tables_symbol(&t, name, hash_of(name));
	return s ? (void *)(f.dlfo_link_map->l_addr + s->st_value) : NULL;
}

struct wanted {
	const char *name;
	uint32_t hash;
	uintptr_t from;	  /* in the object to begin with */
	const void *not_; /* a definition that isn't wanted */
	bool met;	  /* that object, or one behind it */
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

static int
look(struct dl_phdr_info *o, size_t size, void *arg)
{
	struct wanted *w = arg;
	const Elf64_Sym *s = NULL;
	struct tables t;
	void *p;

	(void)size;
	w->met |= contains(o, w->from);
	for (int i = 0; i < o->dlpi_phnum && !s; i++)
		if (o->dlpi_phdr[i].p_type == PT_DYNAMIC &&
		    tables_find(o->dlpi_addr,
				(const void *)(o->dlpi_addr +
					       o->dlpi_phdr[i].p_vaddr),
				&t))
			s = tables_symbol(&t, w->name, w->hash);
	p = s ? (void *)(o->dlpi_addr + s->st_value) : NULL;
	if (!p || p == w->not_)
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
	struct wanted w = {
		.name = name, .hash = hash_of(name), .from = pc, .not_ = not
	};

	dl_iterate_phdr(look, &w);
	return w.found ? w.found : w.before;
}

#endif
