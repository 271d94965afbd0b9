/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which file is the program that made the data. */
#ifndef MEMMON_REDUCE_EXE_H
#define MEMMON_REDUCE_EXE_H

#include "reduce/base/arena.h"
#include "reduce/base/err.h"
#include "reduce/elf/searchpath.h"
#include "reduce/file/mon.h"

struct debugfile;

/* What came of it. */
struct exe {
	const struct searchpath *searchpath;
	const char **paths;  /* file of each module, by number */
	const char **gone;   /* what became of it, as "was deleted", or NULL */
	size_t other;	     /* the module that the program isn't, though it
				 * was given for it: no names; 0 none */
	const char *warning; /* what is wrong with it, or NULL */
};

/*
 * Find the modules' files.  searchpath: where they are looked for, or NULL; it
 * must live longer.  exe: the program as given by the user, which stands for
 * the modules that are programs, or NULL: the recorded paths.  Strings go to a.
 * Returns 0, or -1 with *e set when exe isn't there or isn't a program.
 */
int exe_find(struct exe *x, struct arena *a, const struct mon *m,
	     const struct searchpath *searchpath, const char *exe,
	     struct err *e);

/* Is there a file of its own to read of the module of m? */
bool exe_has_file(const struct exe *x, const struct mon *m, uint32_t module);

/*
 * Call f() in guard_run() with the module's file, opened.  What f() returned;
 * or 0 if the file isn't fine, or GUARD_FAULT.
 */
int exe_read(const struct exe *x, const struct mon *m, uint32_t module,
	     int (*f)(struct debugfile *file, void *arg), void *arg);

/*
 * Is the file at path, of module o, which has no build-id to know it by, newer
 * than all of p's runs?  A program may not be newer than a run's start, a
 * library, which may be made and loaded meanwhile, than its end.  False when it
 * isn't known.
 */
bool exe_is_newer(const struct profile *p, const struct mon_module *o,
		  const char *path);

#endif
