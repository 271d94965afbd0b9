/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Limits on figures of the whole profile, and of rows, for scripts: --fail-if,
 * see mpreduce-queries(7).
 */
#ifndef MEMMON_FAIL_H
#define MEMMON_FAIL_H

#include "display/query/cond.h"

struct options;

/*
 * Fill *w from text, which must live as long as *w.  The caller calls
 * cond_fini().  0, or -1 with *e set.
 */
int fail_parse(struct cond *w, const char *text, struct err *e);

/* The data that the limit needs: bits of schema.h. */
unsigned fail_needs(const struct cond *w);

/*
 * Is the limit exceeded, or a figure of it unknown?  Then *e is set, without
 * "mpreduce: ".  The rows depend on o.
 */
bool fail_check(const struct cond *w, const struct profile *p,
		const struct options *o, struct err *e);

#endif
