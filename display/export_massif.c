/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --export=massif. */
#include "display/export.h"

int
export_massif(const struct profile *p, const struct options *o, FILE *out,
	      struct err *e)
{
	(void)p, (void)o, (void)out;
	snprintf(e->text, sizeof e->text, "massif: not built in");
	return -1;
}
