/* SPDX-License-Identifier: MIT */
/* Libraries whose calls of the allocator don't come to the hooks. */
#ifndef MEMMON_STATIC

#include "monitor/base/bound.h"

#include <elf.h>
#include <link.h>
#include <string.h>

#include "monitor/base/calls.h"
#include "monitor/base/lookup.h"
#include "monitor/base/next.h"
#include "monitor/base/own.h"
#include "monitor/base/process.h"
#include "monitor/base/relocations.h"
#include "monitor/base/symbol.h"

/* A library, and one of the functions that it defines. */
struct bound {
	const struct link_map *l;
	struct mmi_symbol_tables t;
	const char *name;
	const Elf64_Sym *s;
};

/* The first look saw the objects up to this one. */
static const struct link_map *last;

/* Was it linked with -Bsymbolic? */
static bool
is_symbolic(const struct link_map *l)
{
	for (const Elf64_Dyn *d = l->l_ld; d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_SYMBOLIC ||
		    (d->d_tag == DT_FLAGS && d->d_un.d_val & DF_SYMBOLIC))
			return true;
	return false;
}

static bool
is_of_name(const struct mmi_relocation *r, void *arg)
{
	return strcmp(r->name, ((const struct bound *)arg)->name) == 0;
}

/*
 * Is the function exported by another name, too?  Allocators have such names,
 * and their own calls are part of the allocator.
 */
static bool
has_alias(const struct bound *b)
{
	const uint32_t *hash = b->t.hash, n = hash[0], first = hash[1];
	const uint32_t *bucket = hash + 4 + 2 * (size_t)hash[2];
	const uint32_t *chain = bucket + n;

	for (uint32_t k = 0; k < n; k++)
		for (uint32_t i = bucket[k]; i && i >= first; i++) {
			if (b->t.sym[i].st_value == b->s->st_value &&
			    strcmp(b->t.str + b->t.sym[i].st_name, b->name))
				return true;
			if (chain[i - first] & 1)
				break;
		}
	return false;
}

/* Does a call in [at, end) lead to the function? */
static bool
is_called(uintptr_t at, uintptr_t end, uintptr_t function)
{
	for (; at + CALLS_SIZE <= end; at += CALLS_STEP)
		if (calls_to((const unsigned char *)at) == function)
			return true;
	return false;
}

/* Does the library's code call the function without the loader? */
static bool
has_calls(const struct bound *b)
{
	uintptr_t function = b->l->l_addr + b->s->st_value;
	struct dl_find_object f;
	const Elf64_Ehdr *e;
	const Elf64_Phdr *p;

	if (_dl_find_object((void *)b->l->l_ld, &f) != 0)
		return false;
	e = f.dlfo_map_start;
	if (memcmp(e->e_ident, ELFMAG, SELFMAG) || e->e_phoff > ARCH_PAGE ||
	    e->e_phoff + e->e_phnum * sizeof(*p) > ARCH_PAGE)
		return false;
	p = (const void *)((uintptr_t)e + e->e_phoff);
	for (unsigned i = 0; i < e->e_phnum; i++)
		if (p[i].p_type == PT_LOAD && p[i].p_flags & PF_X &&
		    p[i].p_flags & PF_R &&
		    is_called(b->l->l_addr + p[i].p_vaddr,
			      b->l->l_addr + p[i].p_vaddr + p[i].p_filesz,
			      function))
			return true;
	return false;
}

/* The next allocator's function of that name; 0: none. */
static uintptr_t
next_of(const char *name)
{
	const struct {
		const char *name;
		uintptr_t next;
	} rows[] = {
		{ "malloc", (uintptr_t)mmi_next.malloc },
		{ "calloc", (uintptr_t)mmi_next.calloc },
		{ "realloc", (uintptr_t)mmi_next.realloc },
		{ "aligned_alloc", (uintptr_t)mmi_next.aligned_alloc },
		{ "memalign", (uintptr_t)mmi_next.memalign },
		{ "posix_memalign", (uintptr_t)mmi_next.posix_memalign },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(rows[i].name, name) == 0)
			return rows[i].next;
	return 0;
}

/*
 * Does the library call its own function without the loader?  -Bsymbolic and
 * protected names tell; -Bsymbolic-functions leaves no trace but the calls.
 * The next allocator's own calls are part of it.
 */
static bool
is_direct(struct bound *b)
{
	b->s = mmi_symbol_find(&b->t, b->name, mmi_symbol_hash(b->name));
	if (!b->s || b->l->l_addr + b->s->st_value == next_of(b->name))
		return false;
	return is_symbolic(b->l) ||
	       ELF64_ST_VISIBILITY(b->s->st_other) == STV_PROTECTED ||
	       (!mmi_relocations_each(b->l, is_of_name, b) && !has_alias(b) &&
		has_calls(b));
}

/* Has the loader found the next allocator for it, and not the hooks? */
static bool
passes(const struct mmi_relocation *r, void *unused)
{
	uintptr_t found, next = next_of(r->name);

	(void)unused;
	memcpy(&found, r->at, sizeof(found));
	return next && found == next;
}

/* What is to be said of a library. */
static unsigned
look_at(const struct link_map *l)
{
	struct bound b = { .l = l };

	if (!mmi_symbol_tables(l->l_addr, l->l_ld, &b.t))
		return 0;
		/* An operator new calls malloc() by a relocation. */
#define DIRECT(text, bit) \
	b.name = text; \
	if (bit != MONOUT_OWN_NEW && is_direct(&b)) \
		return MONOUT_OWN_LIBRARY;
	MMI_OWN(DIRECT)
#undef DIRECT
	return last && mmi_relocations_each(l, passes, NULL) ? MONOUT_OWN_DEEP
							     : 0;
}

/* This library. */
static const struct link_map *
this_library(void)
{
	struct dl_find_object f;

	return _dl_find_object((void *)this_library, &f) == 0 ? f.dlfo_link_map
							      : NULL;
}

/*
 * Is there a namespace with an allocator of its own?  The loader doesn't
 * preload into such a namespace.
 */
static unsigned
look_beside(const struct link_map *exe)
{
	unsigned own = 0;
#ifdef __GLIBC__
	const struct r_debug_extended *r = NULL;
	const uint32_t h = mmi_symbol_hash("malloc");
	const struct link_map *l;
	struct mmi_symbol_tables t;

	for (const Elf64_Dyn *d = exe->l_ld; d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_DEBUG)
			r = (const void *)d->d_un.d_ptr;
	while (r && r->base.r_version > 1 && (r = r->r_next))
		for (l = r->base.r_map; l; l = l->l_next)
			if (mmi_lookup_there(l) &&
			    mmi_symbol_tables(l->l_addr, l->l_ld, &t) &&
			    mmi_symbol_find(&t, "malloc", h))
				own = MONOUT_OWN_SPACE;
#else
	(void)exe;
#endif
	return own;
}

void
mmi_bound_look(void)
{
	const struct link_map *self = this_library(), *exe = mmi_lookup_exe();
	const struct link_map *from = exe, *end = exe, *l;

	if (!exe)
		return;
	for (l = exe; l; l = l->l_next) {
		end = l;
		if (l == last)
			from = l;
	}
	mmi_process.own |= look_beside(exe);
	for (l = from->l_next; l; l = l->l_next)
		if (l != self && mmi_lookup_there(l))
			mmi_process.own |= look_at(l);
	if (!last)
		last = end;
}

#endif
