/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters: which blocks the tables keep. */
#include "reduce/callgraph/filter.h"
#include "reduce/monout/use_paths.h"
#include "reduce/base/err.h"
#include "reduce/base/names.h"
#include "reduce/base/clean.h"
#include "reduce/base/str.h"
#include "reduce/model/warn.h"
#include "reduce/types/typenames.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------- options -- */

/* Append " --name=value" to text, which may be "". */
static char *
filter_say(struct arena *a, const char *text, const char *name,
	   const char *value)
{
	return arena_print(a, "%s%s--%s%s", text, *text ? " " : "", name,
			   value);
}

static const char *
filter_say_size(struct arena *a, const struct profile_filter *w)
{
	if (w->least == w->largest)
		return arena_print(a, "%" PRIu64, w->least);
	if (w->largest == UINT64_MAX)
		return arena_print(a, "%" PRIu64 "..", w->least);
	if (!w->least)
		return arena_print(a, "..%" PRIu64, w->largest);
	return arena_print(a, "%" PRIu64 "..%" PRIu64, w->least, w->largest);
}

/* The options of the filter as text. */
static const char *
filter_options(struct arena *a, const struct profile_filter *w)
{
	const struct {
		const char *name;
		const struct profile_list *list;
	} lists[] = {
		{ "focus=", &w->focus },	 { "ignore=", &w->ignore },
		{ "only=library:", &w->module }, { "only=type:", &w->type },
		{ "only=thread:", &w->thread },	 { "hide=", &w->hide },
	};
	const char *text = "", *size;
	size_t i, k;

	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		for (k = 0; k < lists[i].list->n; k++)
			text = filter_say(a, text, lists[i].name,
					  lists[i].list->item[k]);
	}
	if (w->sizes) {
		size = filter_say_size(a, w);
		text = filter_say(a, text, "only=size:", size);
	}
	if (w->collapse)
		text = filter_say(a, text, "paths=collapsed", "");
	return clean_name(a, text);
}

static void
filter_specs(struct filter *t, const struct profile_list *list, unsigned bit)
{
	struct symspec *s;
	size_t i;

	for (i = 0; i < list->n; i++) {
		s = &t->specs[t->nspecs].spec;
		t->specs[t->nspecs++].bit = bit;
		symspec_init(s, list->item[i]);
		t->calls |= s->line > 0;
	}
}

/* Does one of the globs match the module's file? */
static bool
filter_module(struct filter *t, const char *path)
{
	const struct profile_list *list = &t->what->module;
	const char *glob, *name;
	bool is = false;
	size_t i;

	for (i = 0; i < list->n; i++) {
		glob = list->item[i];
		name = strchr(glob, '/') ? path : str_basename(path);
		if (strcmp(glob, name) != 0 && fnmatch(glob, name, 0) != 0)
			continue;
		t->found[i] = is = true;
	}
	return is;
}

static void
filter_modules(struct filter *t)
{
	size_t i;

	if (!t->what->module.n)
		return;
	t->modules = heap_array(t->mon->nmodules + 1, sizeof(*t->modules));
	t->found = heap_array(t->what->module.n, sizeof(*t->found));
	for (i = 1; i < t->mon->nmodules; i++)
		t->modules[i] = filter_module(t, t->mon->modules[i].path);
}

/* Does the data file record what the filter needs?  0, or -1 with *e set. */
static int
filter_check(const struct filter *t, struct err *e)
{
	const struct profile_filter *w = t->what;
	const char *option = w->sizes ? "size" : "thread";

	if (!t->mon->nsites || (!w->sizes && !w->thread.n))
		return 0;
	if (!t->mon->cells_known)
		return err_set(
			e,
			"--only=%s: the data file has no sizes or threads by "
			"call path; run the program again with this memmon",
			option);
	if (w->thread.n && (!t->mon->cells_threads || !t->mon->threads_known))
		return err_set(
			e,
			"--only=thread: the threads that allocated are "
			"unknown; let the program end, or call memmon_dump()");
	return 0;
}

int
filter_init(struct filter *t, struct profile *p, struct mon *m,
	    const struct profile_filter *w, struct err *e)
{
	size_t n = w->focus.n + w->ignore.n + w->hide.n;

	*t = (struct filter){ .what = w, .p = p, .mon = m, .nwas = m->nsites };
	if (!filter_is_on(t))
		return 0;
	t->specs = heap_array(n + 1, sizeof(*t->specs));
	t->keep = heap_new(m->nsites + 1);
	p->filter.options = filter_options(&p->priv->arena, w);
	filter_modules(t);
	filter_specs(t, &w->focus, FILTER_FOCUS);
	filter_specs(t, &w->ignore, FILTER_IGNORE);
	filter_specs(t, &w->hide, FILTER_HIDE);
	memset(t->keep, true, m->nsites + 1);
	p->filter.allocs = m->sums.allocs;
	p->filter.bytes = m->sums.bytes;
	return filter_check(t, e);
}

void
filter_fini(struct filter *t)
{
	while (t->nspecs)
		symspec_fini(&t->specs[--t->nspecs].spec);
	free(t->specs);
	free(t->modules);
	free(t->found);
	free(t->keep);
	*t = (struct filter){ 0 };
}

bool
filter_is_on(const struct filter *t)
{
	const struct profile_filter *w = t->what;

	return w->focus.n || w->ignore.n || w->hide.n || w->module.n ||
	       w->type.n || w->thread.n || w->sizes || w->collapse;
}

/* ------------------------------------------------------------ functions -- */

/* The shorter one of `near' and of `name', if `name' contains the text. */
static const char *
filter_near(struct filter *t, const char *near, const char *name,
	    const char *text)
{
	if (!strstr(name, text) || (near && strlen(near) <= strlen(name)))
		return near;
	return clean_name(&t->p->priv->arena, name);
}

unsigned
filter_func(struct filter *t, const struct symbols_frame *s)
{
	struct symspec_func f;
	unsigned bits = 0;
	size_t i;

	if (!t->nspecs)
		return 0;
	symspec_open(&f, s->name, s->linkage, s->def_file ? s->def_file : "",
		     s->def_line);
	for (i = 0; i < t->nspecs; i++) {
		if (!symspec_match(&t->specs[i].spec, &f)) {
			if (!t->specs[i].spec.found)
				t->specs[i].near =
					filter_near(t, t->specs[i].near,
						    s->name,
						    t->specs[i].spec.text);
			continue;
		}
		t->specs[i].spec.found = true;
		bits |= t->specs[i].bit;
	}
	symspec_close(&f);
	return bits;
}

unsigned
filter_call(struct filter *t, unsigned func, const struct symbols_frame *s)
{
	size_t i;

	for (i = 0; t->calls && i < t->nspecs; i++) {
		if (!symspec_match_call(&t->specs[i].spec, s->file, s->line))
			continue;
		t->specs[i].spec.found = true;
		func |= t->specs[i].bit;
	}
	return func;
}

/* ---------------------------------------------------------------- sites -- */

void
filter_site(struct filter *t, size_t site, unsigned bits, uint32_t module,
	    bool part)
{
	const struct counts *c = &t->mon->sites[site].count;
	bool focus = !t->what->focus.n || bits & FILTER_FOCUS;
	bool may =
		!(bits & FILTER_IGNORE) && (!t->modules || t->modules[module]);

	t->keep[site] = focus && may;
	/* Calls further out, which are unknown, might change the result. */
	if (part && may && (!focus || t->what->ignore.n)) {
		t->p->filter.outer_allocs += counts_sum(c->allocs);
		t->p->filter.outer_bytes += counts_sum(c->bytes);
	}
}

static bool
filter_type_is(const char *glob, const char *name)
{
	return !strcmp(glob, name) || typenames_same(glob, name) ||
	       fnmatch(glob, name, 0) == 0 ||
	       fnmatch(glob, names_type_bare(name), 0) == 0;
}

/* Does one of the globs match the type?  found[] is set for each that does. */
static bool
filter_type(const struct filter *t, const char *name, bool *found)
{
	const struct profile_list *list = &t->what->type;
	char *plain = heap_new(strlen(name) + 1);
	bool is = false;
	size_t i;

	names_shorten(name, NAMES_TYPE, plain);
	for (i = 0; i < list->n; i++) {
		if (!filter_type_is(list->item[i], name) &&
		    !(plain && filter_type_is(list->item[i], plain)))
			continue;
		found[i] = is = true;
	}
	free(plain);
	return is;
}

void
filter_missed(struct filter *t, const char *option, const char *text,
	      const char *why, const char *near)
{
	profile_warn(t->p, NULL, "--%s%s: %s%s%s%s", option, text, why,
		     near ? "; is it " : "", near ? near : "", near ? "?" : "");
}

/* The type whose name is most similar. */
static const char *
filter_type_near(struct filter *t, const char *text)
{
	const char *near = NULL;

	for (size_t i = 0; i < t->types->n; i++)
		near = filter_near(t, near, t->types->types[i].name, text);
	return near;
}

static void
filter_types_found(struct filter *t, const bool *found, uint64_t unknown)
{
	const struct profile_list *list = &t->what->type;
	size_t i;

	for (i = 0; i < list->n; i++) {
		if (found[i])
			continue;
		t->p->filter.missed = true;
		filter_missed(t, "only=type:", list->item[i],
			      "no block has such a type; mpreduce -T lists "
			      "all known types",
			      filter_type_near(t, list->item[i]));
	}
	if (!unknown)
		return;
	profile_warn(t->p, NULL,
		     "--only=type: %" PRIu64 " of %" PRIu64
		     " bytes have an unknown type and are left out",
		     unknown, t->p->filter.bytes);
}

void
filter_types(struct filter *t, struct sitetypes *e)
{
	const struct mon *m = t->mon;
	bool *wanted = heap_array(e->n + 1, sizeof(*wanted));
	bool *found = heap_array(t->what->type.n + 1, sizeof(*found));
	uint64_t unknown = 0;
	size_t i;

	t->types = e;
	for (i = 0; i < e->n; i++)
		wanted[i] = filter_type(t, e->types[i].name, found);
	for (i = 0; i < m->nsites; i++) {
		t->keep[i] = e->of_site[i] < e->n && wanted[e->of_site[i]];
		if (e->of_site[i] >= e->n)
			unknown += counts_sum(m->sites[i].count.bytes);
	}
	filter_types_found(t, found, unknown);
	free(wanted);
	free(found);
	filter_drop(t);
}

/*
 * Accesses are recorded by partial call path.  If some sites of a path are left
 * out, the accesses of its other sites are unknown.
 */
static void
filter_uses(struct filter *t)
{
	struct mon *m = t->mon;
	uint32_t *first = use_paths(m);
	bool *cut = heap_array(m->nsites + 1, sizeof(*cut));
	size_t i, n;

	for (i = 0; i < m->nsites; i++)
		cut[first[i]] |= !t->keep[i];
	for (i = 0; i < m->nsites; i++) {
		t->apart |= t->keep[i] && cut[first[i]];
		if (cut[first[i]])
			m->sites[i].use = m->sites[i].path = 0;
	}
	for (i = n = 0; i < m->ngroups; i++)
		if (!cut[first[m->groups[i].site]])
			m->groups[n++] = m->groups[i];
	m->ngroups = n;
	for (i = n = 0; i < m->nfields; i++)
		if (!cut[first[m->fields[i].site]])
			m->fields[n++] = m->fields[i];
	m->nfields = n;
	free(first);
	free(cut);
}

void
filter_drop(struct filter *t)
{
	struct mon *m = t->mon;
	uint32_t *to = heap_new((m->nsites + 1) * sizeof(*to));
	size_t i, n = 0;

	filter_uses(t);
	for (i = 0; i < m->nsites; i++) {
		to[i] = STAGES_NONE;
		if (!t->keep[i])
			continue;
		to[i] = (uint32_t)n;
		m->sites[n] = m->sites[i];
		/*
		 * All sites of the path are kept, and the path's first site
		 * came before.
		 */
		if (m->sites[n].path)
			m->sites[n].path = to[m->sites[n].path - 1] + 1;
		if (t->types)
			sitetypes_move(t->types, n, i);
		n++;
	}
	if (n < m->nsites) {
		FILTER_KEEP(m->cells, m->ncells, to);
		FILTER_KEEP(m->vtables, m->nvtables, to);
		FILTER_KEEP(m->groups, m->ngroups, to);
		FILTER_KEEP(m->fields, m->nfields, to);
		FILTER_KEEP(m->changes, m->nchanges, to);
		mon_keep_sites(m, to);
	}
	m->nsites = n;
	memset(t->keep, true, n);
	free(to);
}

/* ----------------------------------------------------------- at the end -- */

static void
filter_warn_outer(struct filter *t)
{
	const struct profile_filtered *f = &t->p->filter;

	if (!f->outer_allocs)
		return;
	profile_warn(t->p, NULL,
		     "--focus, --ignore: %" PRIu64 " allocations of %" PRIu64
		     " bytes have unknown outer callers; by the known "
		     "callers they are %s",
		     f->outer_allocs, f->outer_bytes,
		     !t->what->focus.n	  ? "not ignored"
		     : !t->what->ignore.n ? "left out"
					  : "left out, or not ignored");
}

/* Warn if some sites that are kept have no known accesses. */
static void
filter_warn_apart(struct filter *t)
{
	if (!t->apart || !t->mon->uses_known)
		return;
	profile_warn(
		t->p, NULL,
		"scores and accesses are left out of call paths that share "
		"their inner functions with paths outside of the filter");
}

/* Warn about names that match nothing. */
static void
filter_warn(struct filter *t)
{
	static const char none[] = "no function on a call path has this name; "
				   "mpreduce -p --verbose=zero lists all names";
	const struct profile_list *list = &t->what->module;
	const struct filter_spec *s;
	size_t i;

	for (i = 0; i < t->nspecs; i++) {
		s = &t->specs[i];
		if (s->spec.found)
			continue;
		t->p->filter.missed |= s->bit == FILTER_FOCUS;
		filter_missed(t,
			      s->bit == FILTER_FOCUS	? "focus="
			      : s->bit == FILTER_IGNORE ? "ignore="
							: "hide=",
			      s->spec.text, none, s->near);
	}
	for (i = 0; i < list->n; i++) {
		if (t->found[i])
			continue;
		t->p->filter.missed = true;
		filter_missed(t, "only=library:", list->item[i],
			      "no library has this name; mpreduce -i lists "
			      "all names",
			      NULL);
	}
}

void
filter_finish(struct filter *t)
{
	struct profile *p = t->p;

	if (!filter_is_on(t))
		return;
	p->filter.less = t->cut || t->mon->nsites < t->nwas;
	p->filter.part = t->cut;
	filter_warn(t);
	filter_warn_outer(t);
	filter_warn_apart(t);
	if (t->nwas && !t->mon->nsites)
		profile_warn(p, NULL,
			     "nothing passes the filter: the tables are "
			     "empty");
	if (p->filter.less)
		filter_sums(t);
}
