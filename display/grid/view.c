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

const struct view_row *const *
view_next(int place)
{
	const struct view_row *const *next = NULL;

	VIEW_EACH(v)
	if ((*v)->place > place && (!next || (*v)->place < (*next)->place))
		next = v;
	return next;
}

const char *
view_words(const char *option, char letter, char *to, size_t room)
{
	const struct view_row *const *v;
	size_t n = 0;

	*to = '\0';
	for (int at = -1; (v = view_next(at)) && n < room; at = (*v)->place)
		if (!strcmp((*v)->option, option))
			n += (size_t)snprintf(to + n, room - n, "%c%s", letter,
					      (*v)->word);
	return to;
}
