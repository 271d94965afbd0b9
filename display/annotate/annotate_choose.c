/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which lines of the annotated source are shown, and how files are named. */
#include "display/annotate/annotate.h"
#include "display/grid/table.h"
#include "display/grid/view.h"
#include "reduce/base/sort.h"
#include "reduce/base/str.h"

#include <stdlib.h>
#include <string.h>

/* Does the symspec name the file of the line, or a function around the line? */
static bool
meant(const struct source *s, const struct source_line *l, const char *symspec)
{
	for (size_t i = 0; i < l->nfuncs; i++) {
		struct func at = l->funcs[i];

		if (profile_means(&at, symspec))
			return true;
		at.file = s->path;
		at.line = l->line;
		if (profile_means(&at, symspec))
			return true;
	}
	return false;
}

/* Set on[] for the lines of s that the user asked for.  Are there any? */
static bool
annotate_choose_lines(const struct profile_list *only, const struct source *s,
		      bool *on)
{
	bool any = false;

	for (size_t i = 0; i < s->nlines; i++) {
		on[i] = only->n == 0;
		for (size_t k = 0; k < only->n && !on[i]; k++)
			on[i] = meant(s, &s->lines[i], only->item[k]);
		any |= on[i];
	}
	return any;
}

SORT_BY(compare, struct annotate_file,
	SORT_DOWN(shown.bytes) SORT_DOWN(total) SORT_TEXT(source->path))

static int
annotate_choose_compare_names(const void *va, const void *vb)
{
	const struct annotate_file *const *a = va, *const *b = vb;

	return strcmp(str_basename((*a)->source->path),
		      str_basename((*b)->source->path));
}

/* Name each file by its last part, or by its path if others have that part. */
static void
name_files(struct annotate *a)
{
	struct annotate_file **f =
		tables_room(a->t, a->n, sizeof(struct annotate_file *));

	for (size_t i = 0; i < a->n; i++) {
		f[i] = &a->file[i];
		f[i]->name = str_basename(f[i]->source->path);
	}
	qsort(f, a->n, sizeof *f, annotate_choose_compare_names);
	for (size_t i = 1; i < a->n; i++)
		if (annotate_choose_compare_names(&f[i - 1], &f[i]) == 0) {
			f[i - 1]->name = f[i - 1]->source->path;
			f[i]->name = f[i]->source->path;
		}
}

static void
annotate_choose_add(struct annotate_file *f, const struct source_line *l)
{
	account_add(&f->shown, &l->self);
	if (f->total < l->total.bytes)
		f->total = l->total.bytes;
}

void
annotate_choose(struct annotate *a, struct tables *t)
{
	const struct profile *p = t->p;
	size_t n = 0;

	a->t = t;
	for (size_t i = 0; i < p->nsources; i++)
		n += p->sources[i].nlines;
	a->file = tables_room(t, p->nsources, sizeof *a->file);
	a->on = tables_room(t, n, sizeof *a->on);
	n = 0;
	for (size_t i = 0; i < p->nsources; i++) {
		const struct source *s = &p->sources[i];
		struct annotate_file *f = &a->file[a->n];

		f->source = s;
		f->on = a->on + n;
		n += s->nlines;
		if (!annotate_choose_lines(&t->o->annotate_only, s, f->on))
			continue;
		for (size_t k = 0; k < s->nlines; k++)
			if (f->on[k])
				annotate_choose_add(f, &s->lines[k]);
		a->n++;
	}
	qsort(a->file, a->n, sizeof *a->file, compare);
	name_files(a);
}

int
annotate_check(const struct profile *p, const struct options *o, struct err *e)
{
	const struct profile_list *only = &o->annotate_only;

	for (size_t k = 0; k < only->n; k++) {
		bool found = false;

		for (size_t i = 0; i < p->nsources && !found; i++) {
			const struct source *s = &p->sources[i];

			for (size_t n = 0; n < s->nlines && !found; n++)
				found = meant(s, &s->lines[n], only->item[k]);
		}
		if (found)
			continue;
		return err_set(e,
			       "no source line of %s led to an allocation; "
			       "mpreduce -A prints all lines that did",
			       only->item[k]);
	}
	return 0;
}
