/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "display/see.h"

bool
query_wanted(const struct options *o)
{
	return o->see.where.n || o->see.group_by || o->see.columns ||
	       o->see.query;
}

int
query_print(const struct profile *p, const struct options *o, FILE *out,
	    struct err *e)
{
	(void)p, (void)o, (void)out, (void)e;
	return 0;
}
