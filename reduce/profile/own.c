/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An operator new that the program defines: see own.h. */
#include "reduce/profile/parts.h"

#include "reduce/base/guard.h"
#include "reduce/model/stages.h"
#include "reduce/binaries/debugfile.h"
#include "reduce/symbols/symbols.h"

#include <string.h>

struct own {
	struct symbols *symbols;
	size_t module;
	bool new;
	bool library; /* contains the one of the C++ library */
};

static int
own_symbol(void *arg, const GElf_Sym *sym, const char *name)
{
	static const char *const theirs[] = { "new_op.", "new_opv.",
					      "stdlib_new_delete." };
	struct own *o = arg;

	if (sym->st_shndx == SHN_UNDEF)
		return 0;
	if (GELF_ST_TYPE(sym->st_info) == STT_FUNC)
		o->new |= !strcmp(name, "_Znwm") || !strcmp(name, "_Znam");
	if (GELF_ST_TYPE(sym->st_info) != STT_FILE)
		return 0;
	for (size_t i = 0; i < sizeof(theirs) / sizeof(theirs[0]); i++)
		o->library |= !strncmp(name, theirs[i], strlen(theirs[i]));
	return 0;
}

static int
own_look(void *arg)
{
	struct own *o = arg;
	const struct debugfile *f = symbols_file(o->symbols, o->module);

	if (f)
		elffile_symbols(f->elf, SHT_SYMTAB, own_symbol, o);
	return 0;
}

void
own_find(struct profile *p, const struct mon *m)
{
	struct own o = { .symbols = p->priv->symbols };
	size_t programs = 0;

	for (size_t i = 1; i < m->nmodules; i++) {
		if (!(m->modules[i].flags & MONOUT_M_EXE))
			continue;
		o.module = i - 1;
		programs++;
	}
	if (programs != 1)
		return;
	if (guard_run(symbols_path(o.symbols, o.module), own_look, &o) ==
	    GUARD_FAULT)
		symbols_give_up(o.symbols, o.module);
	if (!o.new || o.library)
		return;
	for (size_t i = 0; i < p->nruns; i++)
		p->runs[i].own |= MONOUT_OWN_NEW;
}
