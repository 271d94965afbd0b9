/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data files that are meant by operands. */
#include "reduce/profile/files.h"
#include "reduce/base/err.h"
#include "reduce/base/sort.h"
#include "reduce/base/spool.h"
#include "reduce/base/str.h"
#include "reduce/counts/recount.h"
#include "reduce/counts/sample.h"
#include "reduce/file/mon.h"
#include "reduce/file/run.h"
#include "reduce/image/open.h"
#include "reduce/model/questions.h"
#include "reduce/model/stages.h"
#include "reduce/model/warn.h"
#include "reduce/profile/allocator.h"
#include "reduce/findings/findings.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What data files are called in a directory; no sums of others. */
static const char *const names[] = { "mon.out*", "mon.*.out", "*.mon" };

static bool
files_is_name(const char *name)
{
	size_t i;

	/* That of a log. */
	if (fnmatch("*.log", name, 0) == 0)
		return false;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (fnmatch(names[i], name, FNM_PERIOD) == 0)
			return true;
	}
	return false;
}

static bool
files_is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool
profile_is_data(const char *path)
{
	static const char elf[4] = { '\177', 'E', 'L', 'F' };
	char head[8];
	ssize_t n;
	int fd;

	if (files_is_directory(path))
		return true;
	fd = spool_open(path, open_is_data);
	if (fd < 0)
		return files_is_name(str_basename(path));
	n = pread(fd, head, sizeof(head), 0);
	close(fd);
	if (n > 0 && open_is_data(head, (size_t)n))
		return true;
	return files_is_name(str_basename(path)) &&
	       (n < (ssize_t)sizeof(elf) ||
		memcmp(head, elf, sizeof(elf)) != 0);
}

/* ----------------------------------------------------------- which files -- */

/* path lives as long as *f.  0 or -1. */
static int
files_add(struct files *f, const char *path, size_t operand, bool picked)
{
	return ARRAY_ADD(f->v, f->room, f->n,
			 (struct files_one){ path, picked, operand });
}

SORT_BY(files_by_path, struct files_one, SORT_TEXT(path))

/* The same file twice: with the weights in their order. */
SORT_BY(files_by_all, struct files_one,
	SORT_TEXT(path) SORT_UP(picked) SORT_UP(operand))

/* Those of a directory.  1: some, 0: none, -1: out of memory. */
static int
files_pick(struct files *f, struct arena *a, const char *path, size_t operand,
	   DIR *d)
{
	size_t first = f->n, n = strlen(path);
	const struct dirent *entry;
	const char *slash = n && path[n - 1] == '/' ? "" : "/";
	char *name;

	while ((entry = readdir(d))) {
		if (!files_is_name(entry->d_name))
			continue;
		name = arena_print(a, "%s%s%s", path, slash, entry->d_name);
		if (!name)
			return -1;
		if (!files_is_directory(name) && !findings_is(name) &&
		    files_add(f, name, operand, true))
			return -1;
	}
	SORT(f->v + first, f->n - first, files_by_path);
	return f->n > first;
}

static int
files_directory(struct files *f, struct arena *a, const char *path,
		size_t operand, struct err *e)
{
	DIR *d = opendir(path);
	int some;

	if (!d)
		return err_set(e,
			       "%s: %s; give a directory that may be read, "
			       "or the data files",
			       path, strerror(errno));
	some = files_pick(f, a, path, operand, d);
	closedir(d);
	if (some < 0)
		return err_memory(e);
	if (some)
		return 0;
	return err_set(e,
		       "%s: no data file (mon.out*, mon.*.out, *.mon) is in "
		       "this directory; give others by their names",
		       path);
}

int
files_find(struct files *f, struct arena *a, const struct profile_options *o,
	   struct err *e)
{
	size_t i;

	*f = (struct files){ 0 };
	for (i = 0; i < o->nfiles; i++) {
		if (files_is_directory(o->files[i])) {
			if (files_directory(f, a, o->files[i], i, e))
				return -1;
		} else if (files_add(f, o->files[i], i, false)) {
			return err_memory(e);
		}
	}
	return 0;
}

void
files_fini(struct files *f)
{
	free(f->v);
	*f = (struct files){ 0 };
}

/* --------------------------------------------------------------- loading -- */

/* A file that can't be read: why is in e.  0, or -1 when out of memory. */
static int
files_unread(struct profile *p, struct run *r, const char *path,
	     const struct err *e)
{
	struct arena *a = &p->priv->arena;
	size_t n = strlen(path);
	const char *why = e->text;

	/* The message begins with the path. */
	if (!strncmp(why, path, n) && !strncmp(why + n, ": ", 2))
		why += n + 2;
	*r = (struct run){
		.path = str_clean(a, path),
		.problem = str_clean(a, why),
		.program = "",
		.command = "",
		.end = "",
		.version = "",
	};
	p->nunread++;
	if (!r->path || !r->problem)
		return -1;
	return profile_warn(p, NULL, "%s", e->text);
}

/* Is the program of the file called as the one that is wanted? */
static bool
files_is_of(const struct mon *m, const char *exe)
{
	const char *program = m->run[MONOUT_R_PROGRAM].text;

	return !exe || !program ||
	       !strcmp(str_basename(program), str_basename(exe));
}

/* What was loaded.  0, or -1 with *e set. */
static int
files_take(struct profile *p, struct merge *g, struct mon *m, struct run *r,
	   const struct weigh *w, size_t operand, struct err *e)
{
	unsigned i;

	if (sample_scale(m))
		return err_memory(e);
	recount_running(m);
	/* What is said of the run isn't weighed. */
	if (run_fill(r, &p->priv->arena, m) ||
	    allocator_of(&r->allocator, &p->priv->arena, m, 1) ||
	    weigh_text(w, operand, &p->priv->arena, &r->weight))
		return err_memory(e);
	if (g && (weigh_file(w, m, operand, e) || merge_add(g, m, e)))
		return -1;
	for (i = 0; i < m->nwarning; i++) {
		if (profile_warn(p, NULL, "%s", m->warning[i]))
			return err_memory(e);
	}
	p->nruns++;
	return 0;
}

/* How many picked files were of other programs. */
static int
files_warn_others(struct profile *p, const char *exe, size_t n, struct err *e)
{
	if (!n)
		return 0;
	if (profile_warn(p, NULL,
			 "%zu data file%s of other programs than %s %s left "
			 "out",
			 n, n == 1 ? "" : "s", str_basename(exe),
			 n == 1 ? "is" : "are"))
		return err_memory(e);
	return 0;
}

/* One of the files; *others counts those of other programs. */
static int
files_load_one(struct profile *p, struct merge *g, const struct files *f,
	       size_t i, const struct weigh *w, const char *exe, size_t *others,
	       struct err *e)
{
	const struct files_one *one = &f->v[i];
	struct run *r = &p->runs[p->nruns];
	struct mon m;
	int status;

	if (open_file(&m, one->path, e)) {
		if (f->n == 1)
			return -1;
		p->nruns++;
		return files_unread(p, r, one->path, e) ? err_memory(e) : 0;
	}
	if (one->picked && !files_is_of(&m, exe)) {
		(*others)++;
		status = 0;
	} else {
		status = files_take(p, g, &m, r, w, one->operand, e);
	}
	mon_fini(&m);
	return status;
}

static int
files_load(struct profile *p, struct merge *g, const struct files *f,
	   const struct weigh *w, const struct profile_options *o,
	   struct err *e)
{
	const char *exe = o->several == PROFILE_LIST ? NULL : o->exe;
	size_t i, others = 0;

	if (o->several == PROFILE_LIST)
		g = NULL;
	p->runs = arena_array(&p->priv->arena, f->n, sizeof(*p->runs));
	if (!p->runs)
		return err_memory(e);
	for (i = 0; i < f->n; i++) {
		if (files_load_one(p, g, f, i, w, exe, &others, e))
			return -1;
	}
	if (p->nunread == p->nruns && others)
		return err_set(e,
			       "none of the data files is of a program called "
			       "%s; mpreduce --list says of which they are",
			       str_basename(exe));
	if (p->nunread == p->nruns && o->several != PROFILE_LIST)
		return err_set(e, "none of the %zu data files can be read",
			       p->nruns);
	return files_warn_others(p, exe, others, e);
}

int
files_read(struct profile *p, struct merge *g, const struct profile_options *o,
	   struct err *e)
{
	bool list = o->several == PROFILE_LIST;
	struct files f = { 0 };
	struct weigh w;
	int status = weigh_init(&w, o, e);

	if (!status)
		status = files_find(&f, &p->priv->arena, o, e);
	if (!status && !list)
		SORT(f.v, f.n, files_by_all);
	if (!status)
		status = files_load(p, g, &f, &w, o, e);
	if (!status && !list)
		status = weigh_all(&w, g, e);
	p->weighted = w.on;
	p->averaged = w.averaged;
	files_fini(&f);
	weigh_fini(&w);
	return status;
}

bool
files_are_mixed(const struct profile *p)
{
	const struct run *first = NULL, *r;
	size_t i;

	for (i = 0; i < p->nruns; i++) {
		r = &p->runs[i];
		if (r->problem)
			continue;
		if (first && strcmp(first->program, r->program) != 0)
			return true;
		first = first ? first : r;
	}
	return false;
}
