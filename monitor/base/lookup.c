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
address(const struct link_map *l, const Elf64_Dyn *d)
{
	uintptr_t p = d->d_un.d_ptr;

	return (const void *)(p < l->l_addr ? p + l->l_addr : p);
}

static void
tables_find(const struct link_map *l, struct tables *t)
{
	memset(t, 0, sizeof(*t));
	for (const Elf64_Dyn *d = l->l_ld; d && d->d_tag != DT_NULL; d++) {
		if (d->d_tag == DT_GNU_HASH)
			t->hash = address(l, d);
		else if (d->d_tag == DT_SYMTAB)
			t->sym = address(l, d);
		else if (d->d_tag == DT_STRTAB)
			t->str = address(l, d);
	}
}

/*
 * The table: numbers of buckets, of symbols before the first in it, of words of
 * a filter, and a shift; the filter, the buckets, and the hashes, of which the
 * lowest bit ends a bucket.
 */
static bool
tables_have(const struct tables *t, const char *name, uint32_t h)
{
	uint32_t n = t->hash[0], first = t->hash[1], words = t->hash[2], i;
	const uint32_t *bucket = t->hash + 4 + 2 * (size_t)words;
	const uint32_t *chain = bucket + n;

	i = n ? bucket[h % n] : 0;
	if (i < first || !i)
		return false;
	for (;; i++) {
		uint32_t at = chain[i - first];

		if ((at | 1) == (h | 1) && t->sym[i].st_shndx != SHN_UNDEF &&
		    strcmp(t->str + t->sym[i].st_name, name) == 0)
			return true;
		if (at & 1)
			return false;
	}
}

bool
mmi_lookup_has(const char *name)
{
	uint32_t h = hash_of(name);
	struct dl_find_object f;
	const struct link_map *l;
	struct tables t;

	if (_dl_find_object((void *)mmi_lookup_has, &f) != 0)
		return true;
	for (l = f.dlfo_link_map->l_next; l; l = l->l_next) {
		tables_find(l, &t);
		if (!t.hash || !t.sym || !t.str || tables_have(&t, name, h))
			return true;
	}
	return false;
}

#endif
