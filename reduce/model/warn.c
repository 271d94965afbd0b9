/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warnings of a profile. */
#define _GNU_SOURCE
#include "reduce/model/warn.h"
#include "reduce/base/clean.h"
#include "reduce/model/stages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int
profile_warn(struct profile *p, const char *who, const char *format, ...)
{
	struct arena *a = &p->priv->arena;
	size_t room = p->nwarnings;
	char *text, *line = NULL;
	va_list ap;
	int n;

	va_start(ap, format);
	n = vasprintf(&text, format, ap);
	va_end(ap);
	if (n < 0)
		return -1;
	if (!ARRAY_ROOM(p->warnings, room, p->nwarnings + 1))
		line = arena_print(a, "%s%s%s", who ? who : "", who ? ": " : "",
				   text);
	free(text);
	line = line ? clean_name(a, line) : NULL;
	if (!line)
		return -1;
	p->warnings[p->nwarnings++] = line;
	return 0;
}
