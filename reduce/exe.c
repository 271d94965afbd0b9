/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which file is the program that made the data. */
#include "reduce/exe.h"
#include "reduce/debugfile.h"
#include "reduce/err.h"
#include "reduce/guard.h"
#include "reduce/run.h"

#include <errno.h>
#include <string.h>

/* Where the program was when it ran, for messages; "" not known. */
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

/* Make an error of what the file is, unless it can be used. */
static int
exe_error(const char *exe, const char *was, enum debugfile_state state,
	  int error, struct err *e)
{
	const char *comma = *was ? "; when it ran it was " : "";

	switch (state) {
	case DEBUGFILE_NOMEM:
		return err_memory(e);
	case DEBUGFILE_MISSING:
		return err_set(e,
			       "%s: %s; give the program that made the "
			       "data%s%s",
			       exe, strerror(error), comma, was);
	case DEBUGFILE_NOT_REGULAR:
		return err_set(
			e,
			"%s: is not a file but a directory or a "
			"device; give the program that made the data%s%s",
			exe, comma, was);
	case DEBUGFILE_NOT_OBJECT:
		return err_set(e,
			       "%s: is no ELF program; give the program "
			       "that made the data, then the data%s%s",
			       exe, comma, was);
	case DEBUGFILE_MACHINE:
		return err_set(e,
			       "%s: is for another kind of machine; give "
			       "the program that made the data%s%s",
			       exe, comma, was);
	default:
		return 0;
	}
}

/* A file that is looked at. */
struct exe_file {
	const char *path;
	const struct mon_module *module; /* whose build-id it has; or NULL */
	enum debugfile_state state;
	int error;
};

static int
exe_open(void *arg)
{
	struct exe_file *w = arg;
	const struct mon_module *o = w->module;
	struct debugfile f;

	w->state =
		debugfile_open(&f, w->path, o ? o->id : NULL, o ? o->idlen : 0);
	w->error = f.error;
	debugfile_close(&f);
	return 0;
}

/* Does the file have the build-id?  *same gets it.  0 or -1. */
static int
exe_compare(const char *exe, const char *was, const struct mon_module *o,
	    bool *same, struct err *e)
{
	struct exe_file w = { exe, o, DEBUGFILE_NOT_OBJECT, 0 };

	(void)guard_run(exe, exe_open, &w);
	*same = w.state == DEBUGFILE_FINE;
	return exe_error(exe, was, w.state, w.error, e);
}

int
exe_settle(struct exe *x, struct arena *a, const struct mon *m, const char *exe,
	   struct err *e)
{
	const char *was = exe_recorded(m);
	const struct mon_module *o;
	bool any = false, same;
	size_t i;

	*x = (struct exe){ 0 };
	x->paths = arena_array(a, m->nmodules + 1, sizeof(*x->paths));
	was = run_clean(a, was);
	if (!x->paths || !was)
		return err_memory(e);
	for (i = 1; i < m->nmodules; i++) {
		o = &m->modules[i];
		x->paths[i] = o->path;
		if (!exe || !(o->flags & MONOUT_M_EXE))
			continue;
		if (exe_compare(exe, was, o, &same, e))
			return -1;
		if (same)
			x->paths[i] = exe;
		else if (!x->other)
			x->other = i;
		any |= same;
	}
	if (exe && !any && !x->other)
		return exe_compare(exe, was, NULL, &same, e);
	/* A sum of several programs: it is one of them. */
	if (any)
		x->other = 0;
	if (!x->other)
		return 0;
	x->paths[x->other] = exe;
	x->warning = arena_print(a,
				 "%s: isn't the program that made the data "
				 "(their build-ids differ), so its functions "
				 "have no names; give the one that did, %s "
				 "when it ran, or run this one again",
				 exe, was);
	return x->warning ? 0 : err_memory(e);
}
