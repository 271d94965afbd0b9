/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elements of call paths: see element.h. */
#include "display/text/element.h"
#include "display/text/func_name.h"

#include "display/text/nodes.h"
#include "reduce/base/sort.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Functions of a cycle to name, in addition to the first and the last one. */
enum { NAMED = 3 };

size_t
element_functions(const struct frame *f)
{
	const struct frame *outer = element_caller(f);

	return f->nfuncs - (outer ? outer->nfuncs : 0);
}

/* The sum of the marks of an element's functions. */
static uint64_t
element_marks(const struct frame *f)
{
	const struct frame *outer = element_caller(f);

	return f->funcs - (outer ? outer->funcs : 0);
}

int
element_compare(const struct frame *f, const struct frame *g)
{
	const struct func *a = element_entry(f)->func;
	const struct func *b = element_entry(g)->func;
	size_t n, k;

	if (!element_is_cycle(f) || !element_is_cycle(g))
		return element_is_cycle(f) - element_is_cycle(g);
	if (a->whole != b->whole)
		return nodes_compare_funcs(a, b);
	n = element_functions(f);
	k = element_functions(g);
	if (n != k)
		return n < k ? -1 : 1;
	return (element_marks(f) > element_marks(g)) -
	       (element_marks(f) < element_marks(g));
}

size_t
element_hash(const struct frame *f)
{
	return element_is_cycle(f) ? (size_t)element_marks(f) +
					     element_entry(f)->func->whole + 1
				   : 0;
}

/* By name, as readers look for names; lines of one function are adjacent. */
SORT_BY_POINTER(compare, struct func, SORT_TEXT(name) SORT_UP(whole))

const struct func **
element_others(const struct frame *f, size_t *n)
{
	const struct frame *entry = element_entry(f);
	const struct func **v;
	size_t k = 0, i = 0;

	v = calloc(f->depth - entry->depth + 1, sizeof *v);
	*n = 0;
	if (!v)
		return NULL;
	for (const struct frame *at = f; at != entry; at = at->parent)
		if (at->func->whole != f->func->whole &&
		    at->func->whole != entry->func->whole)
			v[k++] = at->func;
	qsort(v, k, sizeof *v, compare);
	for (; i < k; i++)
		if (!*n || v[*n - 1]->whole != v[i]->whole)
			v[(*n)++] = v[i];
	return v;
}

size_t
element_named(size_t n)
{
	return n <= NAMED + 1 ? n : NAMED;
}

void
element_put_cycle(FILE *out, unsigned number, const char *const *name, size_t n,
		  size_t more, const char *last)
{
	if (number)
		fprintf(out, "<cycle %u: ", number);
	else
		fputs("<cycle: ", out);
	for (size_t i = 0; i < n; i++)
		fprintf(out, "%s, ", name[i]);
	if (more)
		fprintf(out, "%zu more, ", more);
	fprintf(out, "%s>", last);
}

/* Print a cycle.  False: out of memory. */
static bool
put_cycle(FILE *out, const struct frame *f, const char *last, size_t width)
{
	const struct func *entry = element_entry(f)->func;
	size_t n, k = 0, named;
	const struct func **v = element_others(f, &n), *of;
	char *name[ELEMENT_NAMES] = { NULL };
	bool first = n || entry->whole != f->func->whole, good = v;

	named = v ? element_named(n) : 0;
	for (size_t i = 0; i < first + named && good; i++) {
		of = first && i == 0 ? entry : v[i - first];
		name[k] = func_name(of, FUNC_NAME_USUAL, width);
		good = name[k];
		k += good;
	}
	if (good)
		element_put_cycle(out, f->func->cycle,
				  (const char *const *)name, k, n - named,
				  last);
	while (k-- > 0)
		free(name[k]);
	free(v);
	return good;
}

char *
element_text(const struct frame *f, const char *last, size_t width)
{
	char *text = NULL;
	size_t size;
	bool good;
	FILE *out;

	if (!element_is_cycle(f))
		return strdup(last);
	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	good = put_cycle(out, f, last, width);
	if (fclose(out) == 0 && good)
		return text;
	free(text);
	return NULL;
}
