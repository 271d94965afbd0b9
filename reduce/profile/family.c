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
 * if there is only one name.  0, or -1: out of memory.
 */
static int
family_glob(struct arena *a, const char *pattern, const char **glob)
{
	const char *from = str_basename(pattern);
	char *text, *to;

	*glob = NULL;
	if (!strchr(from, '%'))
		return 0;
	*glob = to = text = arena_print(a, "%s", from);
	if (!text)
		return -1;
	for (; *from; from++) {
		/* %% is a percent sign; any other % sequence may match
		 * anything. */
		if (*from == '%' && from[1])
			*to++ = *++from == '%' ? '%' : '*';
		else
			*to++ = *from;
	}
	*to = '\0';
	return 0;
}

/* Was the file changed after the process had started? */
static bool
family_is_later(const char *path, const struct run *r)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       (uint64_t)st.st_mtime + 1 >= r->start / 1000000000u;
}

static int
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
		if (!name || (family_is_later(name, f->first) &&
			      ARRAY_ADD(f->v, f->room, f->n, name)))
			return -1;
	}
	return 0;
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
static int
family_add(struct run_family *to, const struct family *f, struct profile *p,
	   const bool *is, const char **file, bool before)
{
	for (size_t i = 0; i < p->nruns; i++) {
		if (!is[i] || (p->runs[i].pid == f->first->pid) != before)
			continue;
		file[to->n] = arena_print(f->arena, "%s", p->runs[i].path);
		if (!file[to->n++])
			return -1;
		to->before += before;
	}
	return 0;
}

static int
family_choose(struct run_family *to, const struct family *f, struct profile *p)
{
	bool *is = calloc(p->nruns, sizeof(*is));
	const char **file = arena_array(f->arena, p->nruns, sizeof(*file));
	const char *own = str_basename(f->first->path), *rest;
	int status = -1;

	to->file = file;
	SORT(p->runs, p->nruns, family_by_start);
	/* Parents start before their children. */
	for (size_t i = 0; i < p->nruns && is; i++) {
		const struct run *r = &p->runs[i];

		rest = family_rest(str_basename(r->path), own);
		/* FILE.PID.1 is what a process wrote earlier. */
		is[i] = (!rest || !*rest || r->executed) &&
			family_has(f->first, r, p->runs, is, i);
	}
	if (is && file && !family_add(to, f, p, is, file, false))
		status = family_add(to, f, p, is, file, true);
	free(is);
	return status;
}

static int
family_read(struct run_family *to, const struct family *f, struct err *e)
{
	struct profile_options o = { .files = f->v,
				     .nfiles = f->n,
				     .several = PROFILE_LIST };
	struct profile p = { .priv = calloc(1, sizeof(*p.priv)) };
	struct merge none = { 0 };
	struct err any;
	int status = p.priv ? 0 : -1;

	/* Unreadable files don't matter: they may be of other programs. */
	if (!status && !files_read(&p, &none, &o, NULL, NULL, &any))
		status = family_choose(to, f, &p);
	if (p.priv)
		arena_fini(&p.priv->arena);
	free(p.priv);
	free(p.warnings);
	return status ? err_memory(e) : 0;
}

int
family_find(struct run_family *to, struct arena *a, const char *path,
	    const struct run *first, struct err *e)
{
	struct family f = { .arena = a, .first = first };
	struct stat st;
	char *dir;
	DIR *d;
	int status = 0;

	*to = (struct run_family){ 0 };
	if (first->sum || stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return 0;
	dir = arena_print(a, "%.*s.", (int)(str_basename(path) - path), path);
	d = dir ? opendir(dir) : NULL;
	if (!dir || family_glob(a, first->pattern, &f.glob) ||
	    (d && family_look(&f, path, d)))
		status = err_memory(e);
	if (d)
		closedir(d);
	to->unknown = f.n > FAMILY_MOST;
	if (!status && f.n && !to->unknown)
		status = family_read(to, &f, e);
	free(f.v);
	return status;
}
