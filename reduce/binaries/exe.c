/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which file is the program that made the data. */
#include "reduce/binaries/exe.h"
#include "reduce/base/err.h"
#include "reduce/base/guard.h"
#include "reduce/base/str.h"
#include "reduce/base/clean.h"
#include "reduce/binaries/debugfile.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The path of the program when it ran, for messages; "" not known. */
static const char *
exe_recorded(const struct mon *m)
{
	size_t i;

	for (i = 1; i < m->nmodules; i++) {
		if (m->modules[i].flags & MONOUT_M_EXE)
			return m->modules[i].path;
	}
	return "";
}

/* Set *e to the problem of the file, unless the file can be used. */
static int
exe_error(const char *exe, const char *was, enum elffile_state state, int error,
	  struct err *e)
{
	const char *comma = *was ? "; at the run it was " : "";

	switch (state) {
	case ELFFILE_MISSING:
		return err_set(e,
			       "%s: %s; give the program that made the "
			       "data%s%s",
			       exe, strerror(error), comma, was);
	case ELFFILE_NOT_REGULAR:
		return err_set(
			e,
			"%s: is not a file but a directory or a "
			"device; give the program that made the data%s%s",
			exe, comma, was);
	case ELFFILE_NOT_OBJECT:
		return err_set(e,
			       "%s: not an ELF program; give the program "
			       "that made the data, then the data%s%s",
			       exe, comma, was);
	case ELFFILE_MACHINE:
		return err_set(e,
			       "%s: is for another kind of machine; give "
			       "the program that made the data%s%s",
			       exe, comma, was);
	default:
		return 0;
	}
}

/* A file to check. */
struct exe_file {
	const struct searchpath *searchpath;
	const char *path;
	const struct mon_module *module; /* whose build-id it must have; or
					  * NULL */
	enum elffile_state state;
	bool stood_in; /* a debug file has the build-id */
	int error;
};

static int
exe_open(void *arg)
{
	struct exe_file *w = arg;
	const struct mon_module *o = w->module;
	struct debugfile f;

	w->state = debugfile_open(&f, w->searchpath, w->path, o ? o->id : NULL,
				  o ? o->idlen : 0);
	w->stood_in = f.standin;
	if (w->stood_in)
		w->state = f.itself;
	w->error = f.error;
	debugfile_close(&f);
	return 0;
}

/*
 * Does the file have the build-id?  *same gets the answer; *stood_in: a debug
 * file has the build-id.  0, or -1 with *e set.
 */
static int
exe_compare(const struct exe *x, const char *exe, const char *was,
	    const struct mon_module *o, bool *same, bool *stood_in,
	    struct err *e)
{
	struct exe_file w = { x->searchpath, exe, o, ELFFILE_NOT_OBJECT, 0, 0 };

	(void)guard_run(exe, exe_open, &w);
	*same = w.state == ELFFILE_FINE;
	*stood_in = w.stood_in;
	return exe_error(exe, was, w.state, w.error, e);
}

/* Is the program that made the data still where it was at the run? */
static bool
exe_still_there(const struct exe *x, const struct mon_module *o,
		const char *path)
{
	struct exe_file w = {
		x->searchpath, path, o, ELFFILE_NOT_OBJECT, 0, 0
	};

	return o->idlen && *path == '/' && guard_run(path, exe_open, &w) == 0 &&
	       w.state == ELFFILE_FINE && !w.stood_in;
}

/* Does only the process itself have the path, or is it a file in memory? */
static bool
exe_is_private(const char *path)
{
	static const char *const private[] = { "/memfd:", "/proc/self/",
					       "/proc/thread-self/",
					       "/dev/fd/" };

	return STR_PREFIX(path, private) != 0;
}

/* Relative paths are below the directory where the program was started. */
static const char *
exe_absolute(struct arena *a, const struct mon *m, const char *path)
{
	const char *cwd = m->run[MONOUT_R_CWD].text;
	char *whole, *plain;

	if (*path == '/' || !cwd || *cwd != '/' || !strchr(path, '/'))
		return path;
	whole = arena_print(a, "%s/%s", cwd, path);
	plain = arena_alloc(a, strlen(whole) + 1);
	str_plain_path(whole, plain);
	return plain;
}

/*
 * Where a recorded file is now.  Linux adds " (deleted)" to the path of a file
 * that was deleted while it ran.  Another file may have its path now; the
 * build-id shows that.  *gone gets what happened to the file, if known.
 */
static const char *
exe_path(const struct exe *x, struct arena *a, const struct mon *m,
	 const struct mon_module *o, const char **gone)
{
	static const char deleted[] = " (deleted)";
	const char *path = exe_absolute(a, m, o->path);
	size_t n = strlen(path), end = sizeof(deleted) - 1;

	if (*path != '/')
		return path;
	if (exe_is_private(path)) {
		*gone = "was in memory only (memfd)";
		/* In this process, the same path would mean another file. */
		return str_starts(path, "/memfd:")
			       ? path
			       : arena_print(a, "/memfd:%s",
					     str_basename(path));
	}
	if (o->flags & MONOUT_M_DELETED)
		*gone = "was deleted or replaced while the program ran";
	if (n > end && o->idlen && !strcmp(path + n - end, deleted) &&
	    access(path, F_OK)) {
		path = arena_copy(a, path, n - end);
		*gone = "was deleted while the program ran";
	}
	return searchpath_file(x->searchpath, a, path);
}

/* The program given isn't the one that ran. */
static const char *
exe_warning(struct arena *a, const char *exe, const char *was, bool stood_in)
{
	if (stood_in)
		return arena_print(a,
				   "%s: isn't the program that made the data "
				   "(other build-id): names come from debug "
				   "symbols of the right one, %s at the run",
				   exe, was);
	return arena_print(
		a,
		"%s: isn't the program that made the data (other build-id): "
		"functions have no names; give the right one, %s at the run",
		exe, was);
}

int
exe_find(struct exe *x, struct arena *a, const struct mon *m,
	 const struct searchpath *searchpath, const char *exe, struct err *e)
{
	const char *was = exe_recorded(m);
	const struct mon_module *o;
	bool any = false, same, stood_in = false, its;
	size_t i;

	*x = (struct exe){ .searchpath = searchpath };
	x->paths = arena_array(a, m->nmodules + 1, sizeof(*x->paths));
	x->gone = arena_array(a, m->nmodules + 1, sizeof(*x->gone));
	was = clean_name(a, was);
	for (i = 1; i < m->nmodules; i++) {
		o = &m->modules[i];
		x->paths[i] = exe_path(x, a, m, o, &x->gone[i]);
		if (!exe || !(o->flags & MONOUT_M_EXE))
			continue;
		if (exe_compare(x, exe, was, o, &same, &its, e))
			return -1;
		if (same) {
			x->paths[i] = exe;
			x->gone[i] = NULL;
		} else if (!x->other) {
			x->other = i;
			stood_in = its;
		}
		any |= same;
	}
	if (exe && !any && !x->other)
		return exe_compare(x, exe, was, NULL, &same, &its, e);
	/* A sum of several programs: exe is one of them. */
	if (any)
		x->other = 0;
	if (!x->other)
		return 0;
	if (exe_still_there(x, &m->modules[x->other], x->paths[x->other])) {
		x->other = 0;
		x->warning = arena_print(
			a,
			"%s: isn't the program that made the data (other "
			"build-id): names come from the right one, %s",
			exe, was);
		return 0;
	}
	x->paths[x->other] = exe;
	x->warning = exe_warning(a, exe, was, stood_in);
	return 0;
}

bool
exe_has_file(const struct exe *x, const struct mon *m, uint32_t module)
{
	/* Modules without a path have no file. */
	return module && module < m->nmodules && module != x->other &&
	       (*m->modules[module].path == '/' ||
		x->paths[module] != m->modules[module].path);
}

/* A call of f() with a module's file. */
struct exe_reading {
	const struct exe *x;
	const struct mon_module *module;
	const char *path;
	int (*f)(struct debugfile *file, void *arg);
	void *arg;
};

static int
exe_read_it(void *arg)
{
	const struct exe_reading *w = arg;
	struct debugfile file;
	int status = 0;

	if (debugfile_open(&file, w->x->searchpath, w->path, w->module->id,
			   w->module->idlen) == ELFFILE_FINE)
		status = w->f(&file, w->arg);
	debugfile_close(&file);
	return status;
}

int
exe_read(const struct exe *x, const struct mon *m, uint32_t module,
	 int (*f)(struct debugfile *file, void *arg), void *arg)
{
	struct exe_reading w = { x, &m->modules[module], x->paths[module], f,
				 arg };

	return guard_run(w.path, exe_read_it, &w);
}

bool
exe_is_newer(const struct profile *p, const struct mon_module *o,
	     const char *path)
{
	uint64_t last = 0, at, made;
	const struct run *r;
	struct stat st;
	size_t i;

	if (o->idlen || stat(path, &st) || !S_ISREG(st.st_mode) ||
	    __builtin_mul_overflow(st.st_mtim.tv_sec, 1000000000, &made))
		return false;
	made += (uint64_t)st.st_mtim.tv_nsec;
	for (i = 0; i < p->nruns; i++) {
		r = &p->runs[i];
		if (r->problem)
			continue;
		at = r->start;
		if (!(o->flags & MONOUT_M_EXE) &&
		    __builtin_add_overflow(at, r->length, &at))
			return false;
		if (!r->start)
			return false;
		last = at > last ? at : last;
	}
	return last && made > last;
}
