/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mangled names may be anywhere in a text: in contexts, before offsets. */
#include "reduce/profile/callers_names.h"
#include "reduce/symbols/symbols_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/base/str.h"

/* The text before a type's name in clang's names of types. */
static const char of_type[] = "typeinfo name for ";

static size_t
callers_names_word(const char *s)
{
	return strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			 "0123456789_$.");
}

/* Put the word at p to f, demangled if it can be. */
static bool
callers_names_put_word(FILE *f, struct symbols_names *s, const char *p,
		       size_t n)
{
	const char *shown = symbols_names_show(s, p, n);
	const char *plain = symbols_names_plain(s, p, n);

	if (!shown || !plain)
		return false;
	if (shown == plain)
		return fwrite(p, 1, n, f) == n;
	if (str_starts(shown, of_type))
		shown += sizeof(of_type) - 1;
	return fputs(shown, f) >= 0;
}

static const char *
callers_names_named(struct arena *a, struct symbols_names *s, const char *text)
{
	char *v = NULL;
	size_t size = 0, n;
	bool ok = true;
	FILE *f;

	if (!strchr(text, '_'))
		return text;
	f = open_memstream(&v, &size);
	if (!f)
		heap_out();
	for (const char *p = text; *p && ok; p += n) {
		n = callers_names_word(p);
		n += !n;
		ok = *p == '_' ? callers_names_put_word(f, s, p, n)
			       : fwrite(p, 1, n, f) == n;
	}
	ok = fclose(f) == 0 && ok;
	if (!ok)
		heap_out();
	text = arena_copy(a, v, size);
	free(v);
	return text;
}

static void
name_cells(struct finding_table *t, struct arena *a, struct symbols_names *s)
{
	for (size_t i = 0; i < t->nrows * t->ncolumns; i++) {
		struct finding_cell *c = &t->cell[i];

		if (t->column[i % t->ncolumns].type != FINDING_TEXT)
			continue;
		c->text = callers_names_named(a, s, c->text);
	}
}

void
callers_names(struct findings *r, struct arena *a)
{
	struct symbols_names s = { .demangle = true };

	for (size_t i = 0; i < r->nplaces; i++) {
		if (r->place[i].code)
			continue;
		r->place[i].text = callers_names_named(a, &s, r->place[i].text);
	}
	for (size_t i = 0; i < r->ntables; i++)
		name_cells(&r->table[i], a, &s);
	symbols_names_fini(&s);
}
