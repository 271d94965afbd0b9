/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Limits on figures of the whole profile, and of rows, for scripts: --fail-if,
 * as described in mpreduce-queries(7).
 */
#ifndef MEMMON_FAIL_H
#define MEMMON_FAIL_H

#include "display/query/cond.h"

struct options;

/*
 * Fill *w from text, which must live as long; cond_fini() at last.  0, or -1
 * with *e set.
 */
int fail_parse(struct cond *w, const char *text, struct err *e);

/* What has to be read for it: bits of schema.h. */
unsigned fail_needs(const struct cond *w);

/*
 * Is the limit passed, or a figure of it not known?  Then *e says so, without
 * "mpreduce: ".  o says which rows there are.
 */
bool fail_check(const struct cond *w, const struct profile *p,
		const struct options *o, struct err *e);

#endif
