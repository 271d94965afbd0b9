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
#include "monitor/base/peek.h"
#include "monitor/base/process.h"
#include "monitor/base/relocations.h"
#include "monitor/base/symbol_peek.h"

/* A copy of an object in the loader's list; its name isn't used. */
struct object {
	uintptr_t at; /* of its struct link_map */
	struct link_map l;
};

/* A library, and one of its functions. */
struct bound {
	const struct object *o;
	struct mmi_symbol_tables t;
	const char *name;
	Elf64_Sym s;
	bool found; /* it has a relocation for the name, or one that passes() */
};

/* The first look saw all objects up to this one. */
static uintptr_t last;

/* A longer list is one that is being changed. */
#define OBJECTS_MOST 65536u

/* Was it linked with -Bsymbolic? */
static bool
is_symbolic(const struct object *o)
{
	uintptr_t at = (uintptr_t)o->l.l_ld;
	Elf64_Dyn d;

	for (; mmi_peek(&d, at, sizeof(d)) && d.d_tag != DT_NULL;
	     at += sizeof(d))
		if (d.d_tag == DT_SYMBOLIC ||
		    (d.d_tag == DT_FLAGS && d.d_un.d_val & DF_SYMBOLIC))
			return true;
	return false;
}

static bool
is_of_name(const struct mmi_relocation *r, void *arg)
{
	struct bound *b = arg;

	b->found |= strcmp(r->name, b->name) == 0;
	return b->found;
}

/* Does a call in [at, end) lead to the function? */
static bool
is_called(uintptr_t at, uintptr_t end, uintptr_t function)
{
	static unsigned char code[ARCH_PAGE]; /* static: one thread at a time
					       * peeks */
	size_t n, i;

	for (; at + CALLS_SIZE <= end; at += i) {
		n = end - at < sizeof(code) ? end - at : sizeof(code);
		if (!mmi_peek(code, at, n))
			return false;
		for (i = 0; i + CALLS_SIZE <= n; i += CALLS_STEP)
			if (calls_to(code + i) &&
			    calls_to(code + i) - (uintptr_t)code + at ==
				    function)
				return true;
	}
	return false;
}

/* Does the library's code call the function without the loader? */
static bool
has_calls(const struct bound *b)
{
	uintptr_t bias = b->o->l.l_addr, function = bias + b->s.st_value;
	struct dl_find_object f;
	Elf64_Ehdr e;
	Elf64_Phdr p;

	if (_dl_find_object((void *)b->o->l.l_ld, &f) != 0 ||
	    !mmi_peek(&e, (uintptr_t)f.dlfo_map_start, sizeof(e)) ||
	    memcmp(e.e_ident, ELFMAG, SELFMAG))
		return false;
	for (unsigned i = 0; i < e.e_phnum; i++) {
		if (!mmi_peek(&p,
			      (uintptr_t)f.dlfo_map_start + e.e_phoff +
				      i * sizeof(p),
			      sizeof(p)))
			return false;
		if (p.p_type == PT_LOAD && p.p_flags & PF_X &&
		    p.p_flags & PF_R &&
		    is_called(bias + p.p_vaddr, bias + p.p_vaddr + p.p_filesz,
			      function))
			return true;
	}
	return false;
}

/* The next allocator's function of that name, or 0. */
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
 * protected names show it; -Bsymbolic-functions leaves no trace except the
 * calls.  The next allocator calls its own functions, too: it doesn't count;
 * and allocators have other names for their functions.
 */
static bool
is_direct(struct bound *b)
{
	uintptr_t bias = b->o->l.l_addr;

	if (!mmi_symbol_peek(&b->t, b->name, &b->s) ||
	    bias + b->s.st_value == next_of(b->name))
		return false;
	if (is_symbolic(b->o) ||
	    ELF64_ST_VISIBILITY(b->s.st_other) == STV_PROTECTED)
		return true;
	b->found = false;
	mmi_relocations_peek(bias, (uintptr_t)b->o->l.l_ld, is_of_name, b);
	return !b->found && !mmi_symbol_peek_alias(&b->t, b->name, &b->s) &&
	       has_calls(b);
}

/* Has the loader bound it to the next allocator, not to the hooks? */
static bool
passes(const struct mmi_relocation *r, void *arg)
{
	uintptr_t found, next = next_of(r->name);
	struct bound *b = arg;

	b->found |= next && mmi_peek(&found, (uintptr_t)r->at, sizeof(found)) &&
		    found == next;
	return b->found;
}

/* The MONOUT_OWN_* bits of a library. */
static unsigned
look_at(const struct object *o)
{
	struct bound b = { .o = o };

	if (!mmi_symbol_peek_tables(o->l.l_addr, (uintptr_t)o->l.l_ld, &b.t))
		return 0;
		/* An operator new calls malloc() by a relocation. */
#define DIRECT(text, bit) \
	b.name = text; \
	if (bit != MONOUT_OWN_NEW && is_direct(&b)) \
		return MONOUT_OWN_LIBRARY;
	MMI_OWN(DIRECT)
#undef DIRECT
	/* In an attached process, its GOT gets the hooks. */
	if (!last || mmi_process.attached)
		return 0;
	b.found = false;
	mmi_relocations_peek(o->l.l_addr, (uintptr_t)o->l.l_ld, passes, &b);
	return b.found ? MONOUT_OWN_DEEP : 0;
}

/* This library. */
static uintptr_t
this_library(void)
{
	struct dl_find_object f;

	return _dl_find_object((void *)this_library, &f) == 0
		       ? (uintptr_t)f.dlfo_link_map
		       : 0;
}

static bool
object_at(struct object *o, uintptr_t at)
{
	o->at = at;
	return at && mmi_peek(&o->l, at, sizeof(o->l));
}

/*
 * Is there a namespace with an allocator of its own?  The loader doesn't
 * preload into such a namespace.
 */
static unsigned
look_beside(const struct object *exe)
{
	unsigned own = 0;
#ifdef __GLIBC__
	uintptr_t at = (uintptr_t)exe->l.l_ld, r = 0;
	struct r_debug_extended list;
	struct mmi_symbol_tables t;
	unsigned n = 0;
	struct object o;
	Elf64_Sym s;
	Elf64_Dyn d;

	for (; mmi_peek(&d, at, sizeof(d)) && d.d_tag != DT_NULL;
	     at += sizeof(d))
		if (d.d_tag == DT_DEBUG)
			r = d.d_un.d_ptr;
	while (r && mmi_peek(&list, r, sizeof(list.base)) &&
	       list.base.r_version > 1 && mmi_peek(&list, r, sizeof(list)) &&
	       (r = (uintptr_t)list.r_next) && mmi_peek(&list, r, sizeof(list)))
		for (at = (uintptr_t)list.base.r_map;
		     object_at(&o, at) && n++ < OBJECTS_MOST;
		     at = (uintptr_t)o.l.l_next)
			if (mmi_symbol_peek_tables(o.l.l_addr,
						   (uintptr_t)o.l.l_ld, &t) &&
			    mmi_symbol_peek(&t, "malloc", &s))
				own = MONOUT_OWN_SPACE;
#else
	(void)exe;
#endif
	return own;
}

void
mmi_bound_look(void)
{
	uintptr_t self = this_library(), exe = (uintptr_t)mmi_lookup_exe();
	uintptr_t end = exe;
	struct object o, first;
	bool new = !last;
	unsigned n = 0;

	if (!object_at(&first, exe))
		return;
	/* Objects that the first look has seen are skipped. */
	for (o = first; n++ < OBJECTS_MOST;) {
		end = o.at;
		if (new &&o.at != exe && o.at != self)
			mmi_process.own |= look_at(&o);
		new |= o.at == last;
		if (!object_at(&o, (uintptr_t)o.l.l_next))
			break;
	}
	mmi_process.own |= look_beside(&first);
	if (!last)
		last = end;
}

#endif
