/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warnings of programs and libraries that lack names. */
#include "reduce/profile/parts.h"
#include "reduce/base/arena.h"
#include "reduce/base/str.h"
#include "reduce/callgraph/funcs.h"
#include "reduce/elf/searchpath.h"
#include "reduce/monout/mon.h"
#include "reduce/model/stages.h"
#include "reduce/model/warn.h"
#include "reduce/binaries/exe.h"
#include "reduce/symbols/symbols.h"

#include <string.h>

/* What lacks names in a program or library. */
struct nameless {
	bool any;	/* a function */
	uint64_t bytes; /* that such functions allocated; 0 for libraries of
			 * libc and of the compiler */
};

/* By module.  *all: the bytes of all sites. */
static const struct nameless *
nameless_find(struct profile *p, const struct funcs *f, uint64_t *all)
{
	struct nameless *v =
		arena_array(&p->priv->arena, f->mon->nmodules + 1, sizeof(*v));
	const struct func *func;
	uint64_t bytes;
	size_t i;

	*all = 0;
	for (i = 0; i < f->n; i++)
		v[f->detail[i].module].any |= !f->detail[i].known;
	for (i = 0; i < p->nsites; i++) {
		bytes = counts_of_all(&p->sites[i].count).bytes;
		*all += bytes;
		func = p->sites[i].leaf ? p->sites[i].leaf->func : NULL;
		if (func && func->whose == PROFILE_OWN && func->name[0] == '[')
			v[func->in].bytes += bytes;
	}
	return v;
}

/*
 * Warn of a program without a build-id that has another name than the recorded
 * one, and lacks some of the addresses.
 */
static void
warn_name(struct profile *p, const struct mon_module *o, const char *path,
	  const struct nameless *n)
{
	const char *was = str_basename(o->path);

	if (o->idlen || !strcmp(str_basename(path), was) || !n->any)
		return;
	profile_warn(
		p, path,
		"may not be the program that made the data, %s: some addresses "
		"are outside; link with -Wl,--build-id to be sure",
		was);
}

/* The name of the program is unknown, and the user gives none. */
static const char unnamed[] = "the data file doesn't name the program, so its "
			      "functions have no names; give the executable "
			      "as an argument";

static const char newer[] = "is newer than the run and has no build-id: names "
			    "may be wrong; link with -Wl,--build-id";

void
problems_warn(struct profile *p, const struct funcs *f, const struct exe *x,
	      const bool *used)
{
	uint64_t all;
	const struct nameless *n = nameless_find(p, f, &all);
	const struct mon *m = f->mon;
	const char *problem;
	bool severe, program;
	size_t i;

	if (x->warning)
		profile_warn(p, NULL, "%s", x->warning);
	for (i = 1; i < m->nmodules; i++) {
		program = m->modules[i].flags & MONOUT_M_EXE;
		if (program && used[i] && !*x->paths[i])
			profile_warn(p, NULL, "%s", unnamed);
		/* Modules without a path have no file. */
		if (!used[i] || i == x->other ||
		    !strchr(m->modules[i].path, '/'))
			continue;
		problem = symbols_problem(p->priv->symbols, i - 1, &severe);
		severe |= n[i].bytes && n[i].bytes >= all - all / 2;
		if (problem && (severe || program))
			profile_warn(p, x->paths[i], "%s", problem);
		if (program)
			warn_name(p, &m->modules[i], x->paths[i], &n[i]);
		if (!problem && exe_is_newer(p, &m->modules[i], x->paths[i]))
			profile_warn(p, x->paths[i], "%s", newer);
	}
}

void
problems_warn_server(struct profile *p)
{
	const char *text = searchpath_problem(p->priv->searchpath);

	if (text)
		profile_warn(p, NULL, "%s", text);
}
