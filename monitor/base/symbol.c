/* SPDX-License-Identifier: MIT */
/* An object's own names, by its tables in memory. */
#include "monitor/base/symbol.h"

#include <string.h>

uint32_t
mmi_symbol_hash(const char *name)
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

void
mmi_symbol_note(struct mmi_symbol_tables *t, uintptr_t bias, const Elf64_Dyn *d)
{
	if (d->d_tag == DT_GNU_HASH)
		t->hash = address(bias, d);
	else if (d->d_tag == DT_SYMTAB)
		t->sym = address(bias, d);
	else if (d->d_tag == DT_STRTAB)
		t->str = address(bias, d);
}

bool
mmi_symbol_tables(uintptr_t bias, const void *dynamic,
		  struct mmi_symbol_tables *t)
{
	const Elf64_Dyn *d = dynamic;

	memset(t, 0, sizeof(*t));
	for (; d && d->d_tag != DT_NULL; d++)
		mmi_symbol_note(t, bias, d);
	return t->hash && t->sym && t->str;
}

/*
 * The hash table: the number of buckets, the number of symbols before the first
 * hashed one, the number of words of a filter, and a shift; then the filter,
 * the buckets, and the hashes.  The lowest bit of a hash ends a bucket.
 */
const Elf64_Sym *
mmi_symbol_find(const struct mmi_symbol_tables *t, const char *name, uint32_t h)
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

uintptr_t
mmi_symbol_in(uintptr_t bias, const void *dynamic, const char *name)
{
	const Elf64_Sym *s = NULL;
	struct mmi_symbol_tables t;

	if (mmi_symbol_tables(bias, dynamic, &t))
		s = mmi_symbol_find(&t, name, mmi_symbol_hash(name));
	return s && ELF64_ST_TYPE(s->st_info) != STT_GNU_IFUNC
		       ? bias + s->st_value
		       : 0;
}
