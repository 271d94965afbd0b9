/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of results of modules: mon.out(5) has their layout. */
#ifndef MEMMON_FINDINGS_H
#define MEMMON_FINDINGS_H

#include "reduce/base/arena.h"
#include "reduce/base/err.h"
#include "reduce/model/findings.h"

/*
 * Read those of a module that belong to a data file into *r, which lives as
 * long as the arena but needs findings_fini().  0, or -1 with *e set.
 */
int findings_read(struct findings *r, struct arena *a, const char *data,
		  const char *module, struct err *e);
void findings_fini(struct findings *r);

/* Is a file one of results?  By its first bytes. */
bool findings_is(const char *path);

/*
 * The names of the modules that have results of a data file, in order, in an
 * array from malloc() that ends with NULL, and lives with the arena's strings.
 * NULL when out of memory.
 */
const char **findings_list(struct arena *a, const char *data);

/* Give places their texts: once calling places have theirs. */
void findings_place(struct findings *r);

#endif
