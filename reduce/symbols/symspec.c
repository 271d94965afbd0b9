/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symspecs: which functions or calls they match. */
#include "reduce/symbols/symspec.h"
#include "reduce/base/names.h"
#include "reduce/symbols/symbols_name.h"
#include "reduce/model/result.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------- symspecs -- */

/* The colon after the file, a single one ("::" isn't one), or NULL. */
static const char *
symspec_colon(const char *text)
{
	const char *s = text;

	while ((s = strchr(s, ':'))) {
		if (s[1] != ':')
			return s > text && s[1] ? s : NULL;
		s += 2;
	}
	return NULL;
}

/* The text as a number; 0: it isn't one. */
static unsigned
symspec_number(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	if (!digits || digits > 9 || text[digits])
		return 0;
	return (unsigned)strtoul(text, NULL, 10);
}

void
symspec_init(struct symspec *s, const char *text)
{
	const char *colon = symspec_colon(text);

	*s = (struct symspec){ .text = text };
	if (!colon)
		return;
	s->func = colon + 1;
	s->line = symspec_number(s->func);
	s->file = heap_part(text, (size_t)(colon - text));
}

void
symspec_fini(struct symspec *s)
{
	free(s->file);
	s->file = NULL;
}

/* ------------------------------------------------------------ functions -- */

/* Add a form; own: the same if it must be freed, or NULL. */
static void
symspec_form(struct symspec_func *f, const char *form, char *own)
{
	size_t i;

	for (i = 0; form && i < f->nforms; i++) {
		if (!strcmp(f->form[i], form))
			form = NULL;
	}
	if (own)
		f->own[f->nown++] = own;
	if (form && *form)
		f->form[f->nforms++] = form;
}

/* A shorter form of a name, to be freed. */
static char *
symspec_shorten(const char *name, enum names_form form)
{
	char *to = heap_new(strlen(name) + 1);

	names_shorten(name, form, to);
	return to;
}

/* Add the forms of a name, each with fewer parts than the previous one. */
static void
symspec_forms(struct symspec_func *f, const char *name)
{
	struct names_parts parts;
	char *bare, *brief, *plain;

	names_split(name, &parts);
	bare = heap_part(name, parts.end);
	brief = symspec_shorten(name, NAMES_SHORT);
	plain = symspec_shorten(name, NAMES_PLAIN);
	symspec_form(f, name, NULL);
	symspec_form(f, bare, bare);
	symspec_form(f, bare + parts.start, NULL);
	symspec_form(f, brief, brief);
	symspec_form(f, plain, plain);
}

void
symspec_open(struct symspec_func *f, const char *name, const char *linkage,
	     const char *file, unsigned line)
{
	const char *mangled = linkage ? linkage : name;
	char *text = NULL;

	*f = (struct symspec_func){ .file = file, .line = line };
	symspec_forms(f, name);
	if (linkage)
		symspec_form(f, linkage, NULL);
	/* The demangled forms, even if mangled names are printed. */
	if (mangled[0] == '_' && (mangled[1] == 'Z' || mangled[1] == 'R') &&
	    !strchr(name, '('))
		text = symbols_demangle(mangled);
	if (text) {
		symspec_form(f, text, text);
		symspec_forms(f, text);
	}
}

void
symspec_close(struct symspec_func *f)
{
	while (f->nown)
		free(f->own[--f->nown]);
	f->nforms = 0;
}

/* ------------------------------------------------------------- matching -- */

/* Does the pattern match the path, or a part of it after a slash? */
static bool
symspec_file(const char *pattern, const char *path)
{
	const char *s = path;

	while (!strncmp(pattern, "./", 2))
		pattern += 2;
	while (*path && s) {
		if (!strcmp(pattern, s) || fnmatch(pattern, s, 0) == 0)
			return true;
		s = strchr(s, '/');
		s += s != NULL;
	}
	return false;
}

static bool
symspec_name(const char *pattern, const struct symspec_func *f)
{
	bool glob = strpbrk(pattern, "*?[");
	size_t i;

	for (i = 0; i < f->nforms; i++) {
		if (!strcmp(pattern, f->form[i]) ||
		    (glob && fnmatch(pattern, f->form[i], 0) == 0))
			return true;
	}
	return false;
}

bool
symspec_match(const struct symspec *s, const struct symspec_func *f)
{
	if (symspec_name(s->text, f))
		return true;
	if (!s->file)
		return strpbrk(s->text, "./") && symspec_file(s->text, f->file);
	if (s->line ? s->line != f->line : !symspec_name(s->func, f))
		return false;
	return symspec_file(s->file, f->file);
}

bool
symspec_match_call(const struct symspec *s, const char *file, unsigned line)
{
	return s->line && s->line == line && file &&
	       symspec_file(s->file, file);
}

bool
profile_means(const struct func *f, const char *symspec)
{
	struct symspec_func func;
	struct symspec s;
	bool is = false;

	symspec_init(&s, symspec);
	symspec_open(&func, f->name, NULL, f->file, f->line);
	is = symspec_match(&s, &func) ||
	     symspec_match_call(&s, f->call_file, f->call_line);
	symspec_close(&func);
	symspec_fini(&s);
	return is;
}
