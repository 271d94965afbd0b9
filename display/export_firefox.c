/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --export=firefox. */
#include "display/export.h"

int
export_firefox(const struct profile *p, const struct options *o, FILE *out,
	       struct err *e)
{
	(void)p, (void)o, (void)out;
	snprintf(e->text, sizeof e->text, "firefox: not built in");
	return -1;
}
