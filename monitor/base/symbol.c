/* SPDX-License-Identifier: MIT */
/* An object's own names, as it has them in memory. */
#include "monitor/base/symbol.h"

#include <string.h>

#include "monitor/base/peek.h"

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

static void
note_table(struct mmi_symbol_tables *t, uintptr_t bias, const Elf64_Dyn *d)
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
		note_table(t, bias, d);
	return t->hash && t->sym && t->str;
}

/*
 * The table: numbers of buckets, of symbols before the first in it, of words of
 * a filter, and a shift; the filter, the buckets, and the hashes, of which the
 * lowest bit ends a bucket.
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

/* ----------------------------------------------------- by the kernel -- */

/* Entries of a dynamic section, and of a table, that are looked at. */
#define DYNAMIC_MOST 256u
#define CHAIN_MOST (1u << 20)

bool
mmi_symbol_peek_tables(uintptr_t bias, uintptr_t dynamic,
		       struct mmi_symbol_tables *t)
{
	Elf64_Dyn d;

	memset(t, 0, sizeof(*t));
	for (unsigned i = 0; i < DYNAMIC_MOST; i++, dynamic += sizeof(d)) {
		if (!mmi_peek(&d, dynamic, sizeof(d)))
			return false;
		if (d.d_tag == DT_NULL)
			return t->hash && t->sym && t->str;
		note_table(t, bias, &d);
	}
	return false;
}

/* The table of hashes: see mmi_symbol_find(). */
struct hashes {
	uint32_t n, first, words, shift;
	uintptr_t bucket, chain;
};

static bool
peek_hashes(const struct mmi_symbol_tables *t, struct hashes *h)
{
	if (!mmi_peek(h, (uintptr_t)t->hash, 4 * sizeof(uint32_t)))
		return false;
	h->bucket = (uintptr_t)(t->hash + 4 + 2 * (size_t)h->words);
	h->chain = h->bucket + 4 * (size_t)h->n;
	return true;
}

/* Symbol i, and its hash, of which the lowest bit ends the bucket. */
static bool
peek_symbol(const struct mmi_symbol_tables *t, const struct hashes *h,
	    uint32_t i, uint32_t *hash, Elf64_Sym *s)
{
	return mmi_peek(hash, h->chain + 4 * (size_t)(i - h->first), 4) &&
	       mmi_peek(s, (uintptr_t)&t->sym[i], sizeof(*s));
}

static bool
is_named(const struct mmi_symbol_tables *t, const Elf64_Sym *s,
	 const char *name)
{
	char text[64];

	return mmi_peek_text(text, sizeof(text),
			     (uintptr_t)t->str + s->st_name) &&
	       !strcmp(text, name);
}

bool
mmi_symbol_peek(const struct mmi_symbol_tables *t, const char *name,
		Elf64_Sym *s)
{
	uint32_t want = mmi_symbol_hash(name), i, hash;
	struct hashes h;

	if (!peek_hashes(t, &h) || !h.n ||
	    !mmi_peek(&i, h.bucket + 4 * (size_t)(want % h.n), 4) ||
	    i < h.first || !i)
		return false;
	for (uint32_t k = 0; k < CHAIN_MOST; k++, i++) {
		if (!peek_symbol(t, &h, i, &hash, s))
			return false;
		if ((hash | 1) == (want | 1) && s->st_shndx != SHN_UNDEF &&
		    is_named(t, s, name))
			return true;
		if (hash & 1)
			return false;
	}
	return false;
}

bool
mmi_symbol_peek_alias(const struct mmi_symbol_tables *t, const char *name,
		      const Elf64_Sym *s)
{
	uint32_t i, hash, left = CHAIN_MOST;
	struct hashes h;
	Elf64_Sym o;

	if (!peek_hashes(t, &h))
		return false;
	for (uint32_t k = 0; k < h.n && left; k++) {
		if (!mmi_peek(&i, h.bucket + 4 * (size_t)k, 4))
			return false;
		for (hash = !i || i < h.first; !(hash & 1) && left--; i++) {
			if (!peek_symbol(t, &h, i, &hash, &o))
				return false;
			if (o.st_value == s->st_value && !is_named(t, &o, name))
				return true;
		}
	}
	return false;
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
