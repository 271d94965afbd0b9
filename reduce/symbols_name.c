/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demangling. */
#define PACKAGE "memmon" /* bfd.h refuses to be included without */
#include <bfd.h>

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/symbols.h"
#include "reduce/symbols_elf.h"
#include "reduce/symbols_name.h"

/* Longer names are left alone: the demangler's time grows with them. */
#define MANGLED_MAX 32768

/* name: interned. */
static const char *
demangle(struct symbols_names *s, const char *name)
{
	const char *shown = name;
	char *text = NULL;

	if (s->demangle)
		text = symbols_demangle(name);
	if (text)
		shown = symbols_pool_intern(&s->pool, text, strlen(text));
	free(text);
	return shown;
}

const char *
symbols_names_show(struct symbols_names *s, const char *name, size_t length)
{
	uint32_t i;

	name = symbols_pool_intern(&s->pool, name,
				   symbols_elf_plain(name, length));
	if (!name || s->n >= HASH_NONE ||
	    symbols_grow(&s->shown, &s->room, s->n) < 0)
		return NULL;
	i = hash_intern(&s->known, (uintptr_t)name, 0, 0, (uint32_t)s->n);
	if (i == HASH_NONE)
		return NULL;
	if (i == s->n)
		s->shown[s->n++] = demangle(s, name);
	return s->shown[i];
}

const char *
symbols_names_plain(struct symbols_names *s, const char *name, size_t length)
{
	return symbols_pool_intern(&s->pool, name,
				   symbols_elf_plain(name, length));
}

char *
symbols_demangle(const char *name)
{
	if (strlen(name) > MANGLED_MAX)
		return NULL;
	return bfd_demangle(NULL, name, DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO);
}

void
symbols_names_fini(struct symbols_names *s)
{
	symbols_pool_fini(&s->pool);
	hash_fini(&s->known);
	free(s->shown);
	*s = (struct symbols_names){ 0 };
}
