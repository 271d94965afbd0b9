/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Find the functions that are the same in two runs: see diff.h. */
#include "display/diff/diff.h"
#include "reduce/base/sort.h"
#include "reduce/base/str.h"
#include "reduce/base/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------- modules ------ */

/* Remove n bytes from a string. */
static void
diff_name_cut(char *at, size_t n)
{
	memmove(at, at + n, strlen(at + n) + 1);
}

/* Reduce "libx.so.1.2" and "libx-1.2.so" to "libx.so". */
void
diff_module_plain(char *module)
{
	char *so = strstr(module, ".so"), *s = so;

	if (!so || (so[3] && so[3] != '.'))
		return;
	so[3] = '\0';
	while (s > module && (isdigit((unsigned char)s[-1]) || s[-1] == '.'))
		s--;
	if (s > module + 1 && s < so && s[-1] == '-')
		diff_name_cut(s - 1, (size_t)(so - s + 1));
}

/* --------------------------------------------------------------- entries -- */

/* A function of one of the runs. */
struct entry {
	const char *module, *name, *file;
	const char *raw; /* full name, for printing */
	size_t func;	 /* index in profile.funcs */
	int run;
	bool known, own;
};

/* Is the module the program itself? */
static bool
is_program(const struct profile *p, const char *module)
{
	for (size_t i = 0; i < p->nruns; i++)
		if (*p->runs[i].program &&
		    !strcmp(str_basename(p->runs[i].program), module))
			return true;
	return false;
}

static char *
diff_name_copy(struct diff *d, const char *text)
{
	return arena_copy(&d->room, text, strlen(text));
}

static void
diff_name_fill(struct diff *d, struct entry *x, int run, size_t place)
{
	const struct profile *p = d->run[run];
	const struct func *f = p->funcs[place];
	char *name = diff_name_copy(d, f->name), *module;

	*x = (struct entry){ .run = run,
			     .func = place,
			     .raw = f->name,
			     .file = str_basename(f->file),
			     .known = *f->name != '[',
			     .own = f->whose == PROFILE_OWN };
	module = diff_name_copy(d, is_program(p, f->module) ? "" : f->module);
	diff_module_plain(module);
	x->module = module;
	/* Remove the program's name, which may differ between the runs. */
	if (!x->known && !*module)
		diff_name_cut(name + 1, strcspn(name + 1, "+"));
	x->name = name;
}

SORT_BY(compare_raw, struct entry,
	SORT_TEXT(module) SORT_TEXT(name) SORT_UP(run))

SORT_BY(compare, struct entry,
	SORT_TEXT(module) SORT_TEXT(name) SORT_TEXT(file) SORT_UP(run)
		SORT_UP(func))

/*
 * Make names plain.  An unnamed function keeps its address if the other run has
 * a function at that address: then both runs are of the same file.
 */
static void
simplify(struct entry *v, size_t n)
{
	size_t from, to;

	qsort(v, n, sizeof *v, compare_raw);
	for (from = 0; from < n; from = to) {
		for (to = from + 1; to < n; to++)
			if (strcmp(v[from].module, v[to].module) ||
			    strcmp(v[from].name, v[to].name))
				break;
		if (!v[from].known && v[from].run != v[to - 1].run)
			continue;
		for (size_t i = from; i < to; i++)
			names_lasting((char *)v[i].name);
	}
}

/* ------------------------------------------------------------ parameters -- */

/* An entry of a name that only one run has. */
struct lone {
	const char *module, *bare, *file; /* bare: without parameters */
	size_t entry;
	int run;
	bool full; /* it has parameters */
};

SORT_BY(compare_lone, struct lone,
	SORT_TEXT(module) SORT_TEXT(bare) SORT_TEXT(file) SORT_UP(full)
		SORT_UP(entry))

static bool
same_name(const struct entry *a, const struct entry *b)
{
	return !strcmp(a->module, b->module) && !strcmp(a->name, b->name);
}

/* Add the entries of one name, all of one run. */
static void
lone_add(struct diff *d, struct lone *to, size_t *n, const struct entry *v,
	 size_t from, size_t end)
{
	struct names_parts p;
	char *bare;

	if (!v[from].known)
		return;
	names_split(v[from].name, &p);
	bare = diff_name_copy(d, v[from].name + p.start);
	bare[p.end - p.start] = '\0';
	for (size_t i = from; i < end; i++)
		if (*v[i].file)
			to[(*n)++] = (struct lone){
				v[i].module, bare,     v[i].file,
				i,	     v[i].run, v[i].name[p.end] == '(',
			};
}

/*
 * Entries of one name without parameters, in one file: if those without are of
 * one run and those with are of the other, and have one name, all get that.
 */
static void
lone_join(struct entry *v, const struct lone *l, size_t n)
{
	size_t some = 0;

	while (some < n && !l[some].full && l[some].run == l[0].run)
		some++;
	for (size_t i = some; i < n; i++)
		if (!l[i].full || l[i].run == l[0].run ||
		    strcmp(v[l[i].entry].name, v[l[some].entry].name))
			return;
	for (size_t i = 0; i < some && some < n; i++)
		v[l[i].entry].name = v[l[some].entry].name;
}

/*
 * A function that is inlined everywhere may lack the parameters in its name.  v
 * is sorted, and may no longer be.
 */
static void
diff_name_parameters(struct diff *d, struct entry *v, size_t n)
{
	struct lone *l = diff_room(d, n, sizeof *l);
	size_t from, to, k = 0;

	for (from = 0; from < n; from = to) {
		bool both = false;

		for (to = from + 1; to < n && same_name(&v[from], &v[to]); to++)
			both |= v[to].run != v[from].run;
		if (!both)
			lone_add(d, l, &k, v, from, to);
	}
	SORT(l, k, compare_lone);
	for (from = 0; from < k; from = to) {
		for (to = from + 1; to < k; to++)
			if (strcmp(l[from].module, l[to].module) ||
			    strcmp(l[from].bare, l[to].bare) ||
			    strcmp(l[from].file, l[to].file))
				break;
		lone_join(v, l + from, to - from);
	}
}

/* ----------------------------------------------------------------- names -- */

/* In one of the runs, are functions of this name in different files? */
static bool
is_ambiguous(const struct entry *v, size_t n)
{
	const char *first[DIFF_NRUN] = { NULL, NULL };

	for (size_t i = 0; i < n; i++) {
		if (!*v[i].file)
			continue;
		if (!first[v[i].run])
			first[v[i].run] = v[i].file;
		else if (strcmp(first[v[i].run], v[i].file) != 0)
			return true;
	}
	return false;
}

/*
 * Add a name for n entries that share it.  with: they share the file, too, and
 * the text shows the file.
 */
static void
diff_name_add(struct diff *d, const struct entry *v, size_t n, bool with)
{
	struct diff_name *to = &d->name[d->nnames];
	bool plain = !with || !*v->file;

	*to = (struct diff_name){ .module = v->module,
				  .name = v->name,
				  .file = with ? v->file : "",
				  .known = v->known,
				  .own = v->own };
	if (plain)
		to->text = v->known ? v->name : v->raw;
	else
		to->text = arena_print(&d->room, "%s (%s)", v->name, v->file);
	d->nnames++;
	for (size_t i = 0; i < n; i++) {
		to->in[v[i].run] = true;
		d->func[v[i].run][v[i].func] = (uint32_t)d->nnames - 1;
	}
}

static void
diff_name_group(struct diff *d, const struct entry *v, size_t n)
{
	bool with = is_ambiguous(v, n);
	size_t from, to;

	for (from = 0; from < n; from = to) {
		for (to = from + 1; to < n; to++)
			if (with && strcmp(v[from].file, v[to].file))
				break;
		diff_name_add(d, v + from, to - from, with);
	}
}

static void
groups(struct diff *d, const struct entry *v, size_t n)
{
	size_t from, to;

	for (from = 0; from < n; from = to) {
		for (to = from + 1; to < n; to++)
			if (!same_name(&v[from], &v[to]))
				break;
		diff_name_group(d, v + from, to - from);
	}
}

void
diff_names(struct diff *d)
{
	size_t n = d->run[DIFF_OLD]->nfuncs + d->run[DIFF_NEW]->nfuncs, k = 0;
	struct entry *v = diff_room(d, n, sizeof *v);

	d->name = diff_room(d, n, sizeof *d->name);
	for (int run = 0; run < DIFF_NRUN; run++) {
		const struct profile *p = d->run[run];

		d->func[run] = diff_room(d, p->nfuncs, sizeof *d->func[run]);
		for (size_t i = 0; i < p->nfuncs; i++)
			diff_name_fill(d, &v[k++], run, i);
	}
	simplify(v, n);
	qsort(v, n, sizeof *v, compare);
	diff_name_parameters(d, v, n);
	qsort(v, n, sizeof *v, compare);
	groups(d, v, n);
}

uint32_t
diff_name_of(const struct diff *d, int run, const struct func *f)
{
	return d->func[run][f - d->run[run]->funcs[0]];
}

/* ------------------------------------------------------------- likeness -- */

/* Is the name in most programs, so that it says nothing about likeness? */
static bool
is_common(const struct diff_name *x)
{
	static const char *const common[] = { "libc.so",
					      "ld-linux-x86-64.so",
					      "ld-linux-aarch64.so",
					      "libstdc++.so",
					      "libgcc_s.so",
					      "libm.so",
					      "libpthread.so",
					      "libmemmon.so",
					      "libc++.so",
					      "libmemmon-access.so" };

	for (size_t i = 0; i < sizeof common / sizeof *common; i++)
		if (!strcmp(x->module, common[i]))
			return true;
	return !strcmp(x->name, "main") || !strcmp(x->name, "_start");
}

void
diff_likeness(const struct diff *d, size_t *both, size_t *of)
{
	size_t n[DIFF_NRUN] = { 0, 0 };

	*both = 0;
	for (size_t i = 0; i < d->nnames; i++) {
		const struct diff_name *x = &d->name[i];

		if (!x->known || is_common(x))
			continue;
		*both += x->in[DIFF_OLD] && x->in[DIFF_NEW];
		n[DIFF_OLD] += x->in[DIFF_OLD];
		n[DIFF_NEW] += x->in[DIFF_NEW];
	}
	*of = n[DIFF_OLD] < n[DIFF_NEW] ? n[DIFF_OLD] : n[DIFF_NEW];
}
