/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables that only their own files know: see view.h. */
#include "display/grid/view.h"

#include <stdio.h>
#include <string.h>

const struct view_row *const *
view_find(const char *option, const char *word)
{
	VIEW_EACH(v)
	if (!strcmp((*v)->option, option) && !strcmp((*v)->word, word))
		return v;
	return NULL;
}

const char *
view_words(const char *option, char *to, size_t room)
{
	size_t n = 0;

	*to = '\0';
	VIEW_EACH(v)
	if (!strcmp((*v)->option, option) && n < room)
		n += (size_t)snprintf(to + n, room - n, "|%s", (*v)->word);
	return to;
}
