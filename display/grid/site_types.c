/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The types that a row names: see paths.h. */
#include "display/grid/paths.h"

#include "display/text/amount.h"
#include "reduce/base/sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A type needs a tenth of the row. */
enum { SHARE = 10 };

static const char more[] = ", ...";

void
site_types_add(struct site_types *to, const struct site *s, uint64_t n,
	       uint64_t beside)
{
	struct site_type *t = to->v, *end = t + to->count;

	while (s->type && t < end && strcmp(s->type, t->name) != 0)
		t++;
	if (!s->type || t == to->v + SITE_TYPES)
		return;
	if (t == end) {
		*t = (struct site_type){ .name = s->type,
					 .mark = s->type_mark };
		to->count++;
	}
	t->n = amount_add(t->n, n);
	t->beside = amount_add(t->beside, beside);
	if (s->type_mark != '=')
		t->mark = s->type_mark;
}

SORT_BY(compare_site_types, struct site_type, SORT_DOWN(n) SORT_DOWN(beside))

/* Are these figures a tenth of n, or of `beside'? */
static bool
site_types_matter(uint64_t part, uint64_t part_beside, uint64_t n,
		  uint64_t beside)
{
	return part &&
	       (amount_mul(part, SHARE) >= n ||
		(part_beside && amount_mul(part_beside, SHARE) >= beside));
}

char *
site_types_text(struct line *to, struct site_types *x, uint64_t n,
		uint64_t beside, size_t room, size_t cut)
{
	uint64_t left = n, others = beside;
	const char *before = "";
	struct line l;

	line_init(&l, NULL);
	SORT(x->v, x->count, compare_site_types);
	for (const struct site_type *t = x->v; t < x->v + x->count; t++) {
		char *name;

		if (!site_types_matter(t->n, t->beside, n, beside))
			continue;
		name = line_shorten(t->name, cut);
		if (!name || line_columns(&l) + strlen(before) + 1 +
					     line_width(name) + strlen(more) >
				     room) {
			l.failed |= !name;
			free(name);
			break;
		}
		line_add(&l, "%s%c%s", before, t->mark, name);
		free(name);
		before = ", ";
		left = amount_sub(left, t->n);
		others = amount_sub(others, t->beside);
	}
	if (*before && site_types_matter(left, others, n, beside))
		line_add(&l, "%s", more);
	to->failed |= l.failed;
	return l.text;
}
