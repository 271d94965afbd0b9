/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of stubs, from libbfd, because no symbol table contains them. */
#define _GNU_SOURCE
#include <bfd.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/elf/bfdfile.h"
#include "reduce/symbols/symbols_plt.h"

/* ".plt", ".plt.sec", ".plt.got" */
static bool
has_stubs(Elf *elf, size_t section)
{
	Elf_Scn *scn = elf_getscn(elf, section);
	const char *name = NULL;
	size_t strings;
	GElf_Shdr sh;

	if (scn && gelf_getshdr(scn, &sh) &&
	    elf_getshdrstrndx(elf, &strings) == 0)
		name = elf_strptr(elf, strings, sh.sh_name);
	return name && strncmp(name, ".plt", 4) == 0;
}

/* A stub ends where the next one starts, or its section ends. */
static void
add_stubs(struct symbols_plt *p, size_t n)
{
	struct symbols_span span = { 0 };
	asection *section;
	size_t i;

	for (i = 0; i < n; i++) {
		section = p->stubs[i].section;
		span.start = bfd_asymbol_value(&p->stubs[i]);
		span.end = bfd_section_vma(section) + bfd_section_size(section);
		span.item = (uint32_t)i;
		symbols_spans_add(&p->spans, span);
	}
	symbols_spans_flatten(&p->spans);
}

static void
symbols_plt_load(struct symbols_plt *p, Elf *elf)
{
	bfd *b = bfdfile_open(elf);
	asymbol **dynamic = NULL;
	long n = -1;

	if (b && bfd_check_format(b, bfd_object))
		n = bfd_get_dynamic_symtab_upper_bound(b);
	if (n > 0)
		dynamic = heap_new((size_t)n);
	n = dynamic ? bfd_canonicalize_dynamic_symtab(b, dynamic) : -1;
	if (n > 0)
		n = bfd_get_synthetic_symtab(b, 0, NULL, n, dynamic, &p->stubs);
	if (n > 0)
		add_stubs(p, (size_t)n);
	free(dynamic);
	if (b)
		bfd_close(b);
}

/* For example, "_Znam@plt" as "operator new[](unsigned long)@plt". */
static const char *
symbols_plt_shown(struct symbols_names *names, const char *stub)
{
	size_t n = strcspn(stub, "@");
	const char *name = symbols_names_show(names, stub, n);
	char *text;

	text = heap_print("%s%s", name, stub + n);
	name = symbols_pool_intern(&names->pool, text, strlen(text));
	free(text);
	return name;
}

const char *
symbols_plt_at(struct symbols_plt *p, struct symbols_names *names, Elf *elf,
	       const struct symbols_spans *text, uint64_t addr, uint64_t *entry)
{
	const struct symbols_span *s = symbols_spans_find(text, addr);

	if (!s || !has_stubs(elf, s->item))
		return NULL;
	if (!p->loaded)
		symbols_plt_load(p, elf);
	p->loaded = true;
	s = symbols_spans_find(&p->spans, addr);
	if (!s)
		return NULL;
	*entry = s->start;
	return symbols_plt_shown(names, p->stubs[s->item].name);
}

void
symbols_plt_fini(struct symbols_plt *p)
{
	symbols_spans_fini(&p->spans);
	free(p->stubs);
	*p = (struct symbols_plt){ 0 };
}
