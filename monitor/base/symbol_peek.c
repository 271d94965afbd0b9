/* SPDX-License-Identifier: MIT */
/* Names of an object that may be unloaded meanwhile. */
#include "monitor/base/symbol_peek.h"

#include <string.h>

#include "monitor/base/peek.h"

/* How many entries of a dynamic section, and of a table, are read. */
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
		mmi_symbol_note(t, bias, &d);
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

/* Reads symbol i and its hash; the lowest bit of the hash ends the bucket. */
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
