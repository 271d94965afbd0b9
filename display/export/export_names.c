/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of functions where a format has nothing but names. */
#include "display/export/export.h"

#include "display/text/name.h"

#include <stdlib.h>
#include <string.h>

/* Those of the same name are told apart; lines are if they were asked for. */
static char *
name(const struct func *f)
{
	if (f->call_line)
		return name_call(f, false, f->ambiguous);
	return name_make(f, f->ambiguous ? NAME_FILE : NAME_PLAIN, 0);
}

char **
export_names(const struct profile *p)
{
	char **names = calloc(p->nfuncs + 1, sizeof *names);

	for (size_t i = 0; names && i < p->nfuncs; i++) {
		names[i] = name(p->funcs[i]);
		if (!names[i]) {
			export_names_free(p, names);
			return NULL;
		}
	}
	return names;
}

void
export_names_free(const struct profile *p, char **names)
{
	for (size_t i = 0; names && i < p->nfuncs; i++)
		free(names[i]);
	free(names);
}
