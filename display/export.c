/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "display/see.h"

#include "display/csv.h"

#include <string.h>

int
export_check(const char *format, struct err *e)
{
	(void)format, (void)e;
	return 0;
}

int
export_write(const struct profile *p, const struct options *o, FILE *out,
	     struct err *e)
{
	if (!strncmp(o->see.format, "csv", 3))
		return csv_print(p, o->see.format[3] ? o->see.format + 4 : NULL,
				 out, e);
	return 0;
}
