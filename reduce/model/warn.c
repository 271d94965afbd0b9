/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warnings of a profile. */
#define _GNU_SOURCE
#include "reduce/model/warn.h"
#include "reduce/base/clean.h"
#include "reduce/model/stages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void
profile_warn(struct profile *p, const char *who, const char *format, ...)
{
	struct arena *a = &p->priv->arena;
	size_t room = p->nwarnings;
	char *text;
	va_list ap;

	va_start(ap, format);
	if (vasprintf(&text, format, ap) < 0)
		heap_out();
	va_end(ap);
	ARRAY_ADD(p->warnings, room, p->nwarnings,
		  clean_controls(arena_print(a, "%s%s%s", who ? who : "",
					     who ? ": " : "", text)));
	free(text);
}
