/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data files of a process's children: see family.h. */
#include "reduce/profile/parts.h"
#include "reduce/base/sort.h"
#include "reduce/base/str.h"
#include "reduce/model/stages.h"
#include "reduce/profile/files.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FAMILY_MOST = 1000 }; /* the most files to look at */

/* Files that may belong to the family. */
struct family {
	struct arena *arena;
	const struct run *first;
	const char *glob; /* for names made by a pattern; NULL: no pattern */
	const char **v;
	size_t n, room;
};

/*
 * What follows FILE.PID in the name: "", or ".NAME" in the data file of a
 * process that executed another program.  NULL: it isn't such a name.
 */
static const char *
family_rest(const char *name, const char *file)
{
	size_t n = strlen(file);
	const char *digits = name + n + 1, *end;

	if (strncmp(name, file, n) != 0 || name[n] != '.')
		return NULL;
	end = digits + strspn(digits, "0123456789");
	return end > digits && (!*end || *end == '.') ? end : NULL;
}

/*
 * Make a glob for the names that memmon -o makes from this pattern: *glob; NULL
 * if there is only one name.
 */
static void
family_glob(struct arena *a, const char *pattern, const char **glob)
{
	const char *from = str_basename(pattern);
	char *text, *to;

	*glob = NULL;
	if (!strchr(from, '%'))
		return;
	*glob = to = text = arena_print(a, "%s", from);
	for (; *from; from++) {
		/* %% is a percent sign; any other % sequence may match
		 * anything. */
		if (*from == '%' && from[1])
			*to++ = *++from == '%' ? '%' : '*';
		else
			*to++ = *from;
	}
	*to = '\0';
}

/* Was the file changed after the process had started? */
static bool
family_is_later(const char *path, const struct run *r)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       (uint64_t)st.st_mtime + 1 >= r->start / 1000000000u;
}

static void
family_look(struct family *f, const char *path, DIR *d)
{
	const char *file = str_basename(path), *name;
	const struct dirent *entry;
	int dir = (int)(file - path);

	while ((entry = readdir(d)) && f->n <= FAMILY_MOST) {
		if (!strcmp(entry->d_name, file) ||
		    (!family_rest(entry->d_name, file) &&
		     !(f->glob && fnmatch(f->glob, entry->d_name, 0) == 0)))
			continue;
		name = arena_print(f->arena, "%.*s%s", dir, path,
				   entry->d_name);
		if (family_is_later(name, f->first))
			ARRAY_ADD(f->v, f->room, f->n, name);
	}
}

/* Does r belong to the family, whose known members are in v, n of them? */
static bool
family_has(const struct run *first, const struct run *r, const struct run *v,
	   const bool *is, size_t n)
{
	if (r->problem || r->sum)
		return false;
	/* What the same process ran before. */
	if (r->pid == first->pid)
		return r->executed;
	if (r->start < first->start)
		return false;
	if (r->ppid == first->pid)
		return true;
	/* The parent may have no file. */
	if (r->root && r->root == first->root && first->root == first->pid)
		return true;
	for (size_t i = 0; i < n; i++)
		if (is[i] && v[i].pid == r->ppid && v[i].start <= r->start)
			return true;
	return false;
}

SORT_BY(family_by_start, struct run,
	SORT_UP(start) SORT_UP(pid) SORT_TEXT(path))

/* Add the files of the runs in `is' with that process id, or with another. */
static void
family_add(struct run_family *to, const struct family *f, struct profile *p,
	   const bool *is, const char **file, bool before)
{
	for (size_t i = 0; i < p->nruns; i++) {
		if (!is[i] || (p->runs[i].pid == f->first->pid) != before)
			continue;
		file[to->n++] = arena_print(f->arena, "%s", p->runs[i].path);
		to->before += before;
	}
}

static void
family_choose(struct run_family *to, const struct family *f, struct profile *p)
{
	bool *is = heap_array(p->nruns, sizeof(*is));
	const char **file = arena_array(f->arena, p->nruns, sizeof(*file));
	const char *own = str_basename(f->first->path), *rest;

	to->file = file;
	SORT(p->runs, p->nruns, family_by_start);
	/* Parents start before their children. */
	for (size_t i = 0; i < p->nruns; i++) {
		const struct run *r = &p->runs[i];

		rest = family_rest(str_basename(r->path), own);
		/* FILE.PID.1 is what a process wrote earlier. */
		is[i] = (!rest || !*rest || r->executed) &&
			family_has(f->first, r, p->runs, is, i);
	}
	family_add(to, f, p, is, file, false);
	family_add(to, f, p, is, file, true);
	free(is);
}

static void
family_read(struct run_family *to, const struct family *f)
{
	struct profile_options o = { .files = f->v,
				     .nfiles = f->n,
				     .several = PROFILE_LIST };
	struct profile p = { .priv = heap_array(1, sizeof(*p.priv)) };
	struct merge none = { 0 };
	struct err any;

	/* Unreadable files don't matter: they may be of other programs. */
	if (!files_read(&p, &none, &o, NULL, NULL, &any))
		family_choose(to, f, &p);
	arena_fini(&p.priv->arena);
	free(p.priv);
	free(p.warnings);
}

void
family_find(struct run_family *to, struct arena *a, const char *path,
	    const struct run *first)
{
	struct family f = { .arena = a, .first = first };
	struct stat st;
	char *dir;
	DIR *d;

	*to = (struct run_family){ 0 };
	if (first->sum || stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return;
	dir = arena_print(a, "%.*s.", (int)(str_basename(path) - path), path);
	d = opendir(dir);
	family_glob(a, first->pattern, &f.glob);
	if (d)
		family_look(&f, path, d);
	if (d)
		closedir(d);
	to->unknown = f.n > FAMILY_MOST;
	if (f.n && !to->unknown)
		family_read(to, &f);
	free(f.v);
}
