/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --export=csv, --export=json: the tables as they are. */
#include "display/export/export.h"

#include "display/export/csv.h"
#include "display/export/json.h"

int
export_csv(const struct profile *p, const struct options *o, FILE *out,
	   struct err *e)
{
	return csv_print(p, export_part(o), out, e);
}

int
export_json(const struct profile *p, const struct options *o, FILE *out,
	    struct err *e)
{
	(void)o;
	if (json_print(p, out) == 0)
		return 0;
	snprintf(e->text, sizeof e->text, "out of memory");
	return -1;
}
