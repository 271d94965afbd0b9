/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names and lines of functions and items of sites, for several formats. */
#include "display/export/export.h"

#include "display/text/func_name.h"
#include "reduce/base/clean.h"

/* The name of a function, with a suffix if it isn't unique; or of its line. */
static char *
export_names_name(const struct func *f)
{
	if (f->call_line)
		return func_name_call(f, false, f->ambiguous);
	return func_name(f, FUNC_NAME_USUAL, 0);
}

char **
export_names(struct export *x)
{
	size_t n = x->p->nfuncs;
	char **names = export_room(x, n + 1, sizeof *names);

	for (size_t i = 0; names && i < n; i++) {
		names[i] = export_keep(x, export_names_name(x->p->funcs[i]));
		if (!names[i])
			return NULL;
	}
	return names;
}

void
export_clean(FILE *out, const char *text)
{
	clean_put(out, text, "?", "");
}

const char *
export_file(const struct func *f)
{
	return f->call_line ? f->call_file : f->file;
}

unsigned
export_line(const struct func *f)
{
	return f->call_line ? f->call_line : f->line;
}

size_t
export_deepest(const struct profile *p)
{
	size_t deepest = 1;

	for (size_t i = 0; i < p->nsites; i++)
		if (p->sites[i].leaf && deepest < p->sites[i].leaf->depth)
			deepest = p->sites[i].leaf->depth;
	return deepest;
}

size_t
export_wholes(const struct profile *p)
{
	size_t n = 1;

	for (size_t i = 0; i < p->nfuncs; i++)
		if (n <= p->funcs[i]->whole)
			n = (size_t)p->funcs[i]->whole + 1;
	return n;
}

const struct item *
export_items(const struct profile *p, const struct site *s,
	     const struct item **a, size_t *n)
{
	const struct item *first = *a, *end = p->items + p->nitems;

	/* Items are in the order of the sites. */
	while (*a < end && (*a)->site == s)
		++*a;
	*n = (size_t)(*a - first);
	return first;
}
