/* SPDX-License-Identifier: MIT */
/*
 * The symbols that a library needs from the loader, from its dynamic section.
 */
#include "monitor/base/relocations.h"

#include <elf.h>

#include "monitor/base/peek.h"

struct dynamic {
	const ElfW(Sym) *symbols;
	const char *names;
	const ElfW(Rela) *table[2];
	size_t n[2];
};

/* Notes an entry of the dynamic section. */
static void
note_dynamic(struct dynamic *d, uintptr_t bias, const ElfW(Dyn) *e)
{
	uintptr_t at = e->d_un.d_ptr;
	/* The loader has relocated most of them. */
	const void *p = (const void *)(at < bias ? at + bias : at);

	switch (e->d_tag) {
	case DT_SYMTAB:
		d->symbols = p;
		break;
	case DT_STRTAB:
		d->names = p;
		break;
	case DT_RELA:
		d->table[0] = p;
		break;
	case DT_JMPREL:
		d->table[1] = p;
		break;
	case DT_RELASZ:
		d->n[0] = e->d_un.d_val / sizeof(ElfW(Rela));
		break;
	case DT_PLTRELSZ:
		d->n[1] = e->d_un.d_val / sizeof(ElfW(Rela));
		break;
	}
}

static void
read_dynamic(struct dynamic *d, const struct link_map *m)
{
	*d = (struct dynamic){ 0 };
	for (const ElfW(Dyn) *e = m->l_ld; e->d_tag != DT_NULL; e++)
		note_dynamic(d, m->l_addr, e);
}

/* How many entries of a dynamic section are read. */
#define DYNAMIC_MOST 256u

static bool
peek_dynamic(struct dynamic *d, uintptr_t bias, uintptr_t at)
{
	ElfW(Dyn) e;

	*d = (struct dynamic){ 0 };
	for (unsigned i = 0; i < DYNAMIC_MOST; i++, at += sizeof(e)) {
		if (!mmi_peek(&e, at, sizeof(e)))
			return false;
		if (e.d_tag == DT_NULL)
			return true;
		note_dynamic(d, bias, &e);
	}
	return false;
}

void
mmi_relocations_peek(uintptr_t bias, uintptr_t dynamic,
		     bool (*f)(const struct mmi_relocation *r, void *arg),
		     void *arg)
{
	struct mmi_relocation r = { .map = NULL };
	char name[MMI_RELOCATION_NAME];
	struct dynamic d;
	ElfW(Rela) e;
	ElfW(Sym) s;

	if (!peek_dynamic(&d, bias, dynamic) || !d.symbols || !d.names)
		return;
	r.name = name;
	r.symbol = &s;
	for (unsigned k = 0; k < 2; k++)
		for (size_t i = 0; d.table[k] && i < d.n[k]; i++) {
			if (!mmi_peek(&e, (uintptr_t)&d.table[k][i], sizeof(e)))
				return;
			if (!ELF64_R_SYM(e.r_info))
				continue;
			if (!mmi_peek(&s,
				      (uintptr_t)&d
					      .symbols[ELF64_R_SYM(e.r_info)],
				      sizeof(s)) ||
			    !mmi_peek_text(name, sizeof(name),
					   (uintptr_t)d.names + s.st_name))
				return;
			r.type = (unsigned)ELF64_R_TYPE(e.r_info);
			r.at = (const void *)(bias + e.r_offset);
			if (f(&r, arg))
				return;
		}
}

bool
mmi_relocations_each(const struct link_map *m,
		     bool (*f)(const struct mmi_relocation *r, void *arg),
		     void *arg)
{
	struct mmi_relocation r = { .map = m };
	const ElfW(Rela) *e;
	struct dynamic d;

	read_dynamic(&d, m);
	for (unsigned k = 0; d.symbols && d.names && k < 2; k++)
		for (e = d.table[k]; e && e < d.table[k] + d.n[k]; e++) {
			if (!ELF64_R_SYM(e->r_info))
				continue;
			r.symbol = &d.symbols[ELF64_R_SYM(e->r_info)];
			r.name = d.names + r.symbol->st_name;
			r.type = (unsigned)ELF64_R_TYPE(e->r_info);
			r.at = (const void *)(m->l_addr + e->r_offset);
			if (f(&r, arg))
				return true;
		}
	return false;
}
