/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Classes from virtual tables. */
#include "reduce/types/vtables.h"
#include "reduce/base/guard.h"
#include "reduce/base/names.h"
#include "reduce/base/sort.h"
#include "reduce/base/clean.h"
#include "reduce/binaries/debugfile.h"
#include "reduce/binaries/modules.h"
#include "reduce/symbols/symbols_name.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* The beginning of the tables' symbols, also when demangled. */
static const char symbol_start[] = "_ZTV";
static const char name_start[] = "vtable for ";

/* Objects point to the third word, after offset to top and type_info. */
#define HEAD (2 * sizeof(uint64_t))

/* Classes with longer names are left out. */
#define NAME_MAX_LENGTH 65536

/* An address, and the item that it is from. */
struct vtables_item {
	uint32_t module;
	uint64_t addr;
	size_t place; /* index in mon.vtables */
	const char *symbol;
};

/* The addresses in one module's file, ascending. */
struct vtables_file {
	struct arena *arena;
	struct vtables_item *v;
	size_t n;
};

SORT_BY(vtables_compare, struct vtables_item,
	SORT_UP(module) SORT_UP(addr) SORT_UP(place))

/* If the symbol is a table's, assign it to the addresses inside. */
static int
vtables_symbol(void *arg, const GElf_Sym *sym, const char *name)
{
	struct vtables_file *f = arg;
	const char *copy = NULL;
	size_t i;

	if (!sym->st_size || sym->st_shndx == SHN_UNDEF ||
	    GELF_ST_TYPE(sym->st_info) != STT_OBJECT ||
	    strncmp(name, symbol_start, strlen(symbol_start)) != 0 ||
	    strnlen(name, NAME_MAX_LENGTH) == NAME_MAX_LENGTH)
		return 0;
	i = SORT_PLACE(k, f->n, f->v[k].addr < sym->st_value);
	for (; i < f->n && f->v[i].addr - sym->st_value < sym->st_size; i++) {
		if (f->v[i].addr - sym->st_value < HEAD || f->v[i].symbol)
			continue;
		if (!copy)
			copy = arena_copy(f->arena, name, strlen(name));
		f->v[i].symbol = copy;
	}
	return 0;
}

static int
vtables_read(struct debugfile *d, void *f)
{
	int status = elffile_symbols(d->elf, SHT_NULL, vtables_symbol, f);

	return status ? status
		      : elffile_symbols(d->debug, SHT_NULL, vtables_symbol, f);
}

/* Set *class to the class of a table's symbol. */
static void
vtables_class(struct arena *a, const char *symbol, const char **class)
{
	char *text = symbols_demangle(symbol);
	size_t n = strlen(name_start);
	const char *clean;

	if (text && !strncmp(text, name_start, n)) {
		clean = names_type_clean(a, text + n);
		*class = clean_name(a, clean ? clean : text + n);
	}
	free(text);
}

/* Find the classes of one module's tables. */
static void
vtables_module(struct vtables_file *f, const struct mon *m, const struct exe *x,
	       const char **classes)
{
	const char *last = NULL, *class = NULL;
	size_t i;

	/* A file that can't be read gives no names. */
	if (exe_read(x, m, f->v->module, vtables_read, f) == GUARD_FAULT)
		return;
	for (i = 0; i < f->n; i++) {
		if (!f->v[i].symbol)
			continue;
		if (f->v[i].symbol != last) {
			class = NULL;
			vtables_class(f->arena, f->v[i].symbol, &class);
		}
		last = f->v[i].symbol;
		classes[f->v[i].place] = class;
	}
}

static void
vtables_all(const char **classes, struct arena *a, const struct mon *m,
	    const struct exe *x, struct vtables_item *v)
{
	struct vtables_file f = { .arena = a };
	size_t i, n = 0;

	for (i = 0; i < m->nvtables; i++) {
		if (exe_has_file(x, m, m->vtables[i].module))
			v[n++] = (struct vtables_item){ m->vtables[i].module,
							m->vtables[i].addr, i,
							NULL };
	}
	SORT(v, n, vtables_compare);
	for (i = 0; i < n; i += f.n) {
		f.v = v + i;
		for (f.n = 1; i + f.n < n && v[i + f.n].module == v[i].module;)
			f.n++;
		if (!modules_is_system(x->paths[v[i].module]))
			vtables_module(&f, m, x, classes);
	}
}

void
vtables_find(const char ***classes, struct arena *a, const struct mon *m,
	     const struct exe *x)
{
	struct vtables_item *v = heap_array(m->nvtables + 1, sizeof(*v));

	*classes = heap_array(m->nvtables + 1, sizeof(**classes));
	vtables_all(*classes, a, m, x, v);
	free(v);
}
