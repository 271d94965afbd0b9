/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --export=pprof. */
#include "display/export.h"

int
export_pprof(const struct profile *p, const struct options *o, FILE *out,
	     struct err *e)
{
	(void)p, (void)o, (void)out;
	snprintf(e->text, sizeof e->text, "pprof: not built in");
	return -1;
}
