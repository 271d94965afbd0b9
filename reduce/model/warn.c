/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warnings of a profile. */
#include "reduce/model/warn.h"
#include "reduce/base/str.h"
#include "reduce/model/stages.h"

#include <string.h>

int
profile_warn(struct profile *p, const char *who, const char *text)
{
	struct arena *a = &p->priv->arena;
	size_t room = p->nwarnings;
	char *copy, *clean;

	if (ARRAY_ROOM(p->warnings, room, p->nwarnings + 1))
		return -1;
	copy = who ? arena_print(a, "%s: %s", who, text)
		   : arena_copy(a, text, strlen(text));
	clean = copy ? str_clean(a, copy) : NULL;
	if (!clean)
		return -1;
	p->warnings[p->nwarnings++] = clean;
	return 0;
}
