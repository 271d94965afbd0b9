/* SPDX-License-Identifier: MIT */
/* What a module asks the loader for: read from its dynamic section. */
#include "monitor/base/relocations.h"

#include <elf.h>

struct dynamic {
	const ElfW(Sym) *symbols;
	const char *names;
	const ElfW(Rela) *table[2];
	size_t n[2];
};

/* A table at `at', as the module's dynamic section has it. */
static const void *
table_at(const struct link_map *m, uintptr_t at)
{
	/* The loader has relocated most of them. */
	return (const void *)(at < m->l_addr ? at + m->l_addr : at);
}

static void
read_dynamic(struct dynamic *d, const struct link_map *m)
{
	*d = (struct dynamic){ 0 };
	for (const ElfW(Dyn) *e = m->l_ld; e->d_tag != DT_NULL; e++) {
		const void *p = table_at(m, e->d_un.d_ptr);

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
