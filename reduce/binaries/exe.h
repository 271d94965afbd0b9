/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which file is the program that made the data. */
#ifndef MEMMON_REDUCE_EXE_H
#define MEMMON_REDUCE_EXE_H

#include "reduce/base/arena.h"
#include "reduce/base/err.h"
#include "reduce/elf/searchpath.h"
#include "reduce/monout/mon.h"

struct debugfile;

/* The files of the modules. */
struct exe {
	const struct searchpath *searchpath;
	const char **paths;  /* file of each module, by number */
	const char **gone;   /* what happened to it, for example "was deleted",
			      * or NULL */
	size_t other;	     /* the module that the program was given for, but
			      * isn't: no names; 0 none */
	const char *warning; /* the problem of the program, or NULL */
};

/*
 * Find the modules' files.  searchpath: where to look for them, or NULL; it
 * must live longer than x.  exe: the program that the user gave, used for the
 * modules that are programs, or NULL: use the recorded paths.  Strings go to a.
 * Returns 0, or -1 with *e set when exe is missing or isn't a program.
 */
int exe_find(struct exe *x, struct arena *a, const struct mon *m,
	     const struct searchpath *searchpath, const char *exe,
	     struct err *e);

/* Is there a file to read for this module of m? */
bool exe_has_file(const struct exe *x, const struct mon *m, uint32_t module);

/*
 * Open the module's file and call f() with it in guard_run().  Returns the
 * result of f(), 0 if the file isn't fine, or GUARD_FAULT.
 */
int exe_read(const struct exe *x, const struct mon *m, uint32_t module,
	     int (*f)(struct debugfile *file, void *arg), void *arg);

/*
 * Is the file at path newer than all of p's runs?  It is the file of module o,
 * which has no build-id.  A program must be older than a run's start.  A
 * library must be older than a run's end, because it may be made and loaded
 * during the run.  False if the times aren't known, or if o has a build-id.
 */
bool exe_is_newer(const struct profile *p, const struct mon_module *o,
		  const char *path);

#endif
