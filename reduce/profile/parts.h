/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of a profile, in the order in which profile.c makes them; NAME_make()
 * is in NAME.c.  m is merged.  A function with an argument e returns 0, or -1
 * with *e set.
 */
#ifndef MEMMON_REDUCE_PROFILE_PARTS_H
#define MEMMON_REDUCE_PROFILE_PARTS_H

#include "reduce/base/arena.h"
#include "reduce/base/err.h"
#include "reduce/binaries/exe.h"
#include "reduce/callgraph/funcs.h"
#include "reduce/model/options.h"
#include "reduce/model/result.h"
#include "reduce/model/runs.h"
#include "reduce/model/stages.h"
#include "reduce/monout/mon.h"

#include <stdbool.h>

/* Note the marks, before a filter removes them. */
void times_begin(struct profile *p, const struct mon *m);

/*
 * Set p->leak_notes: a sentence for each limit of the checks, in the words that
 * every view shows.  Call it after p's runs, functions and leaks are set.
 */
void leak_notes_make(struct profile *p);

/*
 * Warn of problems with the files that call paths contain.  used: by module of
 * f->mon, does a call path contain it?  The problem of a library is a warning
 * if the library has no names at all, or if half of the bytes, or more, were
 * allocated by functions of it whose names are unknown.  Half of the bytes is
 * no reason for the libraries of libc and of the compiler.  Call it after p's
 * sites are set.
 */
void problems_warn(struct profile *p, const struct funcs *f,
		   const struct exe *x, const bool *used);

/* Warn of a problem with the server of debug information. */
void problems_warn_server(struct profile *p);

/* Set p's threads; none when m doesn't know them. */
void threads_make(struct profile *p, const struct mon *m);

/*
 * If the program's file defines an operator new, add MONOUT_OWN_NEW to each
 * run's `own'.  Runs of several programs stay unchanged.
 */
void own_find(struct profile *p, const struct mon *m);

/*
 * Set p->sources.  Other members of p aren't changed, and only its arena is
 * used.  like: the parameters of p's call paths.
 */
void source_lines_make(struct profile *p, const struct funcs *like,
		       const struct exe *x);

/* Fill p->time.  p has its sites, threads and, if there are any, items. */
void times_make(struct profile *p, const struct mon *m);

/* Fill p->resident, from the snapshots of one run. */
void times_resident(struct profile *p, const struct mon *m);

/*
 * Fill p->findings with the modules that *o names.  Call it when p's symbols
 * have m's modules, in the order of m.  callers_fini() in any case.  0, or -1
 * with *e set.
 */
int callers_make(struct profile *p, const struct mon *m,
		 const struct profile_options *o, struct err *e);
void callers_fini(struct profile *p);

/* Set p's marks; its memory. */
void marks_make(struct profile *p, const struct mon *m);
void memory_make(struct profile *p, const struct mon *m);

/*
 * Fill *to for the data file at `path', of the process of *first.  Names live
 * in the arena.  A sum or a pipe has no family.
 */
void family_find(struct run_family *to, struct arena *a, const char *path,
		 const struct run *first);

#endif
