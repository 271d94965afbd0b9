/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --export=heaptrack. */
#include "display/export.h"

int
export_heaptrack(const struct profile *p, const struct options *o, FILE *out,
		 struct err *e)
{
	(void)p, (void)o, (void)out;
	snprintf(e->text, sizeof e->text, "heaptrack: not built in");
	return -1;
}
