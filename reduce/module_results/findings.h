/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files with results of modules: mon.out(5) describes their layout. */
#ifndef MEMMON_FINDINGS_H
#define MEMMON_FINDINGS_H

#include "reduce/base/arena.h"
#include "reduce/base/err.h"
#include "reduce/model/findings.h"

/*
 * Read the results of a module for a data file into *r.  The strings live as
 * long as the arena; call findings_fini() for the rest.  0, or -1 with *e set.
 */
int findings_read(struct findings *r, struct arena *a, const char *data,
		  const char *module, struct err *e);
void findings_fini(struct findings *r);

/* Is it a file of results?  Decided by its first bytes. */
bool findings_is(const char *path);

/*
 * The names of the modules that have results for a data file, sorted, in an
 * array from malloc() that ends with NULL.  The strings are allocated in the
 * arena.
 */
const char **findings_list(struct arena *a, const char *data);

/*
 * Set the texts of places.  Call this once the texts of calling places are set.
 */
void findings_place(struct findings *r);

#endif
